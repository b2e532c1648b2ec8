package auth

import (
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/partita/partita/viewer"
)

// Mint returns a token that an Authenticator with the same settings trusts for the given time. Of several issuers and
// audiences it has the first. The settings must have a
// secret, because the private keys of a key set are the provider's. Errors in the settings are of type *exit.Error.
func Mint(s Settings, v viewer.Viewer, valid time.Duration) (string, error) {
	if err := s.check(); err != nil {
		return "", err
	}
	if s.Secret == "" {
		return "", configError("there is no secret to sign a token with",
			"set JWT_SECRET, or ask the identity provider for a token")
	}
	now := time.Now()
	claims := jwt.MapClaims{
		"iat": now.Unix(),
		"exp": now.Add(valid).Unix(),
	}
	if s.TenantClaim != "" {
		claims[s.TenantClaim] = v.Tenant
	}
	claims[s.SubjectClaim] = v.ID // of a viewer who is a tenant alone, it may be the same claim
	if len(v.Roles) > 0 {
		claims[s.RolesClaim] = v.Roles
	}
	if len(s.Issuers) > 0 {
		claims["iss"] = s.Issuers[0]
	}
	if len(s.Audiences) > 0 {
		claims["aud"] = s.Audiences[0]
	}
	text, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString([]byte(s.Secret))
	if err != nil {
		return "", fmt.Errorf("auth: sign: %w", err)
	}
	return text, nil
}
