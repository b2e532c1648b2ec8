package auth

import (
	"context"
	"crypto"
	"crypto/rsa"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/MicahParks/jwkset"
	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
	"golang.org/x/time/rate"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/viewer"
)

const (
	// maxTokenBytes is the length of the longest token that is parsed. Headers are limited to about that size anyway.
	maxTokenBytes = 16 << 10
	// fetchTimeout is how long a fetch of the key set may take.
	fetchTimeout = 5 * time.Second
	// refreshInterval is how often the key set is fetched to drop keys that have been revoked.
	refreshInterval = time.Hour
	// unknownKeyInterval is how often a token with an unknown key may cause a fetch: often enough for the rotation of
	// keys, too rarely to attack the provider by it.
	unknownKeyInterval = time.Minute
)

// Authenticator authenticates requests. It is safe for concurrent use.
type Authenticator struct {
	settings Settings
	parser   *jwt.Parser
	key      jwt.Keyfunc
	keySet   *keySet // nil with a secret
	verified *verified
}

// New returns an Authenticator. It fetches the key set, if the settings have one. If that fails, the set is fetched
// again with the next token. The set is refreshed until ctx ends. Errors are of type *exit.Error.
func New(ctx context.Context, s Settings, log *slog.Logger) (*Authenticator, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	a := &Authenticator{settings: s}
	methods := []string{jwt.SigningMethodHS256.Alg()}
	switch {
	case s.Secret != "":
		a.key = func(*jwt.Token) (any, error) { return []byte(s.Secret), nil }
	case s.JWKSURL != "":
		methods = []string{jwt.SigningMethodRS256.Alg(), jwt.SigningMethodES256.Alg(), jwt.SigningMethodEdDSA.Alg()}
		a.keySet = &keySet{Storage: jwkset.NewMemoryStorage()}
		set, err := fetchKeySet(ctx, s.JWKSURL, a.keySet, log)
		if err != nil {
			return nil, configError(fmt.Sprintf("the key set cannot be used: %v", err), "check JWT_JWKS_URL")
		}
		a.key = func(token *jwt.Token) (any, error) {
			if _, named := token.Header[jwkset.HeaderKID]; named {
				key, err := set.Keyfunc(token)
				if err == nil && isShort(key) {
					err = errShortKey
				}
				return key, err
			}
			return signingKeys(ctx, a.keySet, token.Method.Alg())
		}
	default:
		return a, nil
	}
	options := []jwt.ParserOption{
		jwt.WithValidMethods(methods), jwt.WithExpirationRequired(), jwt.WithIssuedAt(),
		jwt.WithLeeway(s.ClockSkew), jwt.WithStrictDecoding(),
	}
	if s.Issuer != "" {
		options = append(options, jwt.WithIssuer(s.Issuer))
	}
	if s.Audience != "" {
		options = append(options, jwt.WithAudience(s.Audience))
	}
	a.parser = jwt.NewParser(options...)
	a.verified = newVerified(s.ClockSkew, a.keySet)
	return a, nil
}

// fetchKeySet returns the keys at a URL, which are fetched into a storage.
func fetchKeySet(ctx context.Context, url string, into jwkset.Storage, log *slog.Logger) (keyfunc.Keyfunc, error) {
	fetched, err := jwkset.NewStorageFromHTTP(url, jwkset.HTTPClientStorageOptions{
		Ctx:                       ctx,
		HTTPTimeout:               fetchTimeout,
		RefreshInterval:           refreshInterval,
		NoErrorReturnFirstHTTPReq: true,
		RefreshErrorHandler: func(ctx context.Context, err error) {
			log.ErrorContext(ctx, "the key set for tokens could not be fetched", "error", err)
		},
		Storage: into,
	})
	if err != nil {
		return nil, err
	}
	set, err := jwkset.NewHTTPClient(jwkset.HTTPClientOptions{
		HTTPURLs:          map[string]jwkset.Storage{url: fetched},
		RateLimitWaitMax:  fetchTimeout,
		RefreshUnknownKID: rate.NewLimiter(rate.Every(unknownKeyInterval), 1),
	})
	if err != nil {
		return nil, err
	}
	// Keys for encryption are not trusted for signatures (RFC 7517, section 4.2).
	return keyfunc.New(keyfunc.Options{Ctx: ctx, Storage: set, UseWhitelist: []jwkset.USE{jwkset.UseSig, ""}})
}

// signingKeys returns the keys that may have signed a token without a key id.
func signingKeys(ctx context.Context, set jwkset.Storage, alg string) (keys jwt.VerificationKeySet, err error) {
	all, err := set.KeyReadAll(ctx)
	for _, k := range all {
		m := k.Marshal()
		if m.USE == jwkset.UseEnc || m.ALG != "" && m.ALG.String() != alg {
			continue
		}
		key := k.Key()
		if private, ok := key.(crypto.Signer); ok {
			key = private.Public()
		}
		if !isShort(key) {
			keys.Keys = append(keys.Keys, key)
		}
	}
	return keys, err
}

var errShortKey = errors.New("auth: the RSA key is shorter than 2048 bits")

// isShort reports whether an RSA key is shorter than the minimum (RFC 7518, section 3.3).
func isShort(key any) bool {
	public, isRSA := key.(*rsa.PublicKey)
	return isRSA && public.N.BitLen() < 2048
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
	version := a.keySet.version()
	token, err := a.parser.Parse(text, a.keyOf)
	if err != nil {
		return viewer.Viewer{}, a.tokenError(r.Context(), err)
	}
	v, err := a.viewerOf(token.Claims.(jwt.MapClaims))
	if err == nil {
		a.verified.add(hash, token, v, version)
	}
	return v, err
}

// OnKeys calls a function after each fetch of the key set, until stop is called: a key may have been withdrawn, so that
// Authenticate now returns an error for a request that it has trusted. With a secret there are no fetches.
func (a *Authenticator) OnKeys(f func()) (stop func()) {
	if a.keySet == nil {
		return func() {}
	}
	return a.keySet.onReplaced(f)
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
func (a *Authenticator) tokenError(ctx context.Context, err error) error {
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
			"The token lacks a claim that this gateway needs: exp, and iss and aud where they are set.",
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
	if a.keySet != nil {
		if known, readErr := a.keySet.KeyReadAll(ctx); readErr != nil || len(known) == 0 {
			return unavailable(err)
		}
	}
	return badToken(err, "The token's signature is not one that this gateway trusts.")
}

// viewerOf returns the viewer of a trusted token.
func (a *Authenticator) viewerOf(claims jwt.MapClaims) (viewer.Viewer, error) {
	id, _ := claims[a.settings.SubjectClaim].(string)
	if err := keys.CheckText(a.settings.SubjectClaim, id); err != nil {
		return viewer.Viewer{}, badToken(err, "The token's claim "+a.settings.SubjectClaim+" is not the id of a viewer.")
	}
	roles, ok := rolesOf(claims[a.settings.RolesClaim])
	if !ok {
		return viewer.Viewer{}, badToken(nil,
			"The token's claim "+a.settings.RolesClaim+" is neither an array of names nor names with spaces between.")
	}
	tenant, err := a.tenantOf(claims)
	if err != nil {
		return viewer.Viewer{}, err
	}
	return viewer.Viewer{ID: id, Roles: roles, Tenant: tenant, Until: a.expiry(claims)}, nil
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
	claim, given := claims[name]
	if !given {
		return "", badToken(nil, "The token lacks the claim "+name+", which names the tenant. Get a token for a tenant.")
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

func rolesOf(claim any) (roles []string, ok bool) {
	switch claim := claim.(type) {
	case nil:
		return nil, true
	case string:
		return strings.Fields(claim), true
	case []any:
		for _, element := range claim {
			role, ok := element.(string)
			if !ok {
				return nil, false
			}
			roles = append(roles, role)
		}
		return roles, true
	}
	return nil, false
}
