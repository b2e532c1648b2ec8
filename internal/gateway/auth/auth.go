package auth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/viewer"
)

const (
	// maxTokenBytes is the length of the longest token that is parsed. Headers are limited to about that size anyway.
	maxTokenBytes = 16 << 10
)

// Authenticator authenticates requests. It is safe for concurrent use.
type Authenticator struct {
	settings Settings
	log      *slog.Logger
	parser   *jwt.Parser
	key      jwt.Keyfunc
	keys     *changes // nil with a secret
	issuers  issuers  // nil with a secret
	verified *verified
	// lacksRoles is done when the log says that a token has no claim with roles.
	lacksRoles sync.Once
}

// New returns an Authenticator. It fetches the keys of issuers, if the settings have some. If that fails, they are
// fetched again with a later token. They are refreshed until ctx ends. Errors are of type *exit.Error.
func New(ctx context.Context, s Settings, log *slog.Logger) (*Authenticator, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	a := &Authenticator{settings: s, log: log}
	methods := []string{jwt.SigningMethodHS256.Alg()}
	options := []jwt.ParserOption{
		jwt.WithExpirationRequired(), jwt.WithIssuedAt(), jwt.WithLeeway(s.ClockSkew), jwt.WithStrictDecoding(),
	}
	switch {
	case s.Secret != "":
		a.key = func(*jwt.Token) (any, error) { return []byte(s.Secret), nil }
	case len(s.Issuers) > 0:
		methods = []string{jwt.SigningMethodRS256.Alg(), jwt.SigningMethodES256.Alg(), jwt.SigningMethodEdDSA.Alg()}
		a.keys = &changes{}
		a.issuers = newIssuers(ctx, s, a.keys, log)
		a.key = func(token *jwt.Token) (any, error) { return a.issuers.key(ctx, token) }
	default:
		return a, nil
	}
	a.parser = jwt.NewParser(append(options, jwt.WithValidMethods(methods))...)
	a.verified = newVerified(s.ClockSkew, a.keys)
	return a, nil
}

// Enabled reports whether there are keys. Without keys all callers are anonymous, and any token is an error.
func (a *Authenticator) Enabled() bool { return a.key != nil }

// Authenticate returns the viewer of the request's token, or an anonymous one without a token. Errors are of type
// *Error.
func (a *Authenticator) Authenticate(r *http.Request) (viewer.Viewer, error) {
	text, given, err := bearer(r.Header)
	if err != nil || !given {
		return viewer.Viewer{}, err
	}
	if !a.Enabled() {
		return viewer.Viewer{}, badToken(nil,
			"This gateway knows nobody who signs tokens. Send the operation without Authorization.")
	}
	hash := hashOf(text)
	if v, known := a.verified.get(hash); known {
		return v, nil
	}
	version := a.keys.version()
	token, err := a.parser.Parse(text, a.keyOf)
	if err != nil {
		return viewer.Viewer{}, tokenError(err)
	}
	claims := token.Claims.(jwt.MapClaims)
	if err := cmp.Or(checkIssuer(claims, a.settings.Issuers), checkAudience(claims, a.settings.Audiences)); err != nil {
		return viewer.Viewer{}, tokenError(err)
	}
	v, err := a.viewerOf(claims)
	if err == nil {
		a.verified.add(hash, token, v, version)
	}
	return v, err
}

// OnKeys calls a function after each fetch of the key set, until stop is called: a key may have been withdrawn, so that
// Authenticate now returns an error for a request that it has trusted. With a secret there are no fetches.
func (a *Authenticator) OnKeys(f func()) (stop func()) {
	if a.keys == nil {
		return func() {}
	}
	return a.keys.onReplaced(f)
}

// bearer returns the token in the Authorization header (RFC 6750, section 2.1).
func bearer(header http.Header) (token string, given bool, err error) {
	values := header.Values("Authorization")
	switch len(values) {
	case 0:
		return "", false, nil
	case 1:
	default:
		return "", false, badRequest("There is more than one Authorization header. Send one.")
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Bearer") || token == "" || strings.ContainsAny(token, " \t,") {
		return "", false, badRequest("The Authorization header is not of the form: Bearer TOKEN.")
	}
	if len(token) > maxTokenBytes {
		return "", false, badToken(nil, fmt.Sprintf("The token is longer than %d bytes.", maxTokenBytes))
	}
	return token, true, nil
}

var errCritical = errors.New("auth: the header has critical extensions")

// keyOf returns the key for the signature of a token. Keys and their addresses in the token's header (jku, x5u, jwk)
// are ignored (RFC 8725, section 3.10).
func (a *Authenticator) keyOf(token *jwt.Token) (any, error) {
	// No critical extension is supported (RFC 7515, section 4.1.11).
	if _, has := token.Header["crit"]; has {
		return nil, errCritical
	}
	return a.key(token)
}

// tokenError returns why a token is not trusted. The messages are fixed, so that they contain no part of the token.
func tokenError(err error) error {
	for _, reason := range []struct {
		is      error
		message string
	}{
		{jwt.ErrTokenExpired, "The token has expired. Get a new one."},
		{jwt.ErrTokenNotValidYet, "The token is not valid yet. Check the clock of who issued it."},
		{jwt.ErrTokenUsedBeforeIssued, "The token was issued in the future. Check the clock of who issued it."},
		{jwt.ErrTokenInvalidIssuer, "The token is from another issuer than this gateway trusts."},
		{jwt.ErrTokenInvalidAudience, "The token is meant for another audience than this gateway."},
		{
			jwt.ErrTokenRequiredClaimMissing,
			"The token lacks a claim that this gateway needs: exp, and iss and aud (or client_id or azp) where they are set.",
		},
		{
			jwt.ErrInvalidType,
			"A claim of the token is not of the type that RFC 7519 gives it: exp, nbf and iat are numbers, iss is text.",
		},
		{jwt.ErrTokenMalformed, "The token is not a JSON Web Token."},
		{errCritical, "The token's header has a critical extension, which this gateway does not know."},
	} {
		if errors.Is(err, reason.is) {
			return badToken(err, reason.message)
		}
	}
	if errors.Is(err, errNoKeys) {
		return unavailable(err)
	}
	return badToken(err, "The token's signature is not one that this gateway trusts.")
}

// viewerOf returns the viewer of a trusted token.
func (a *Authenticator) viewerOf(claims jwt.MapClaims) (viewer.Viewer, error) {
	subject, _ := claimOf(claims, a.settings.SubjectClaim)
	id, _ := subject.(string)
	if err := keys.CheckText(a.settings.SubjectClaim, id); err != nil {
		return viewer.Viewer{}, badToken(err, "The token's claim "+a.settings.SubjectClaim+" is not the id of a viewer.")
	}
	roles, ok := a.rolesOf(claims)
	if !ok {
		return viewer.Viewer{}, badToken(fmt.Errorf("%s has other values", a.settings.RolesClaim),
			"The token's claim "+a.settings.RolesClaim+" is neither an array of names nor names with spaces between.")
	}
	tenant, err := a.tenantOf(claims)
	if err != nil {
		return viewer.Viewer{}, err
	}
	return viewer.Viewer{ID: id, Roles: roles, Tenant: tenant, Until: a.expiry(claims)}, nil
}

// rolesOf returns the roles in a trusted token by their names in the schema. ok is false for a claim of another form.
func (a *Authenticator) rolesOf(claims jwt.MapClaims) (roles []string, ok bool) {
	claim, has := claimOf(claims, a.settings.RolesClaim)
	if !has {
		a.lacksRoles.Do(func() {
			a.log.Info("a token has no claim with roles, so that its viewer has none; later ones are not logged",
				"claim", a.settings.RolesClaim)
		})
		return nil, true
	}
	if roles, ok = names(claim); !ok {
		return nil, false
	}
	for i, role := range roles {
		roles[i] = cmp.Or(a.settings.Roles[role], role)
	}
	return roles, true
}

// expiry returns when the trust in a token ends, which is zero only if claims have no expiry that the parser accepts.
func (a *Authenticator) expiry(claims jwt.MapClaims) time.Time {
	expires, err := claims.GetExpirationTime()
	if err != nil || expires == nil {
		return time.Time{} // the parser requires it
	}
	return expires.Add(a.settings.ClockSkew)
}

// tenantOf returns the tenant in a trusted token, "" without tenants.
func (a *Authenticator) tenantOf(claims jwt.MapClaims) (string, error) {
	name := a.settings.TenantClaim
	if name == "" {
		return "", nil
	}
	claim, given := claimOf(claims, name)
	if !given {
		return "", badToken(fmt.Errorf("%s is missing", name),
			"The token lacks the claim "+name+", which names the tenant. Get a token for a tenant.")
	}
	check := a.settings.CheckTenant
	if check == nil {
		check = stored.DefaultLayout().CheckTenant
	}
	tenant, _ := claim.(string)
	if err := check(tenant); err != nil {
		return "", badToken(err, "The token's claim "+name+" is not the name of a tenant.")
	}
	return tenant, nil
}
