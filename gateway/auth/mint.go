package auth

import (
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/partita/partita/viewer"
)

// Mint makes a token that an Authenticator with the same settings trusts for the given time. It needs a secret: the
// keys of a key set are not the gateway's.
func Mint(s Settings, v viewer.Viewer, valid time.Duration) (string, error) {
	if err := s.check(); err != nil {
		return "", err
	}
	if s.Secret == "" {
		return "", problem("there is no secret to sign a token with", "set JWT_SECRET, or ask the identity provider for a token")
	}
	now := time.Now()
	claims := jwt.MapClaims{
		s.SubjectClaim: v.ID,
		"iat":          now.Unix(),
		"exp":          now.Add(valid).Unix(),
	}
	if len(v.Roles) > 0 {
		claims[s.RolesClaim] = v.Roles
	}
	if s.Issuer != "" {
		claims["iss"] = s.Issuer
	}
	if s.Audience != "" {
		claims["aud"] = s.Audience
	}
	text, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString([]byte(s.Secret))
	if err != nil {
		return "", fmt.Errorf("auth: sign: %w", err)
	}
	return text, nil
}
