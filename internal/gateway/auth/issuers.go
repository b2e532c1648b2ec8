package auth

import (
	"context"
	"crypto"
	"crypto/rsa"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/MicahParks/jwkset"
	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
	"golang.org/x/time/rate"
)

const (
	// refreshInterval is how often a key set is fetched to drop keys that have been revoked.
	refreshInterval = time.Hour
	// unknownKeyInterval is how often a token with an unknown key may cause a fetch: often enough for the rotation of
	// keys, too rarely to attack the provider by it.
	unknownKeyInterval = time.Minute
	// discoveryInterval is how often a token may cause an attempt to find the key set of its issuer.
	discoveryInterval = 10 * time.Second
)

// errNoKeys is the error of a token whose issuer's keys are out of reach.
var errNoKeys = errors.New("auth: the keys of the issuer are not known")

// issuers are the trusted issuers by the claim iss. A key of one is not trusted for tokens of another.
type issuers map[string]*issuer

// issuer is an identity provider with its keys.
type issuer struct {
	client *http.Client
	log    *slog.Logger
	name   string
	set    *keySet

	mu sync.Mutex
	// url is that of the key set, "" until it is found; keys are nil until they are fetched from there.
	url  string
	keys keyfunc.Keyfunc
	// provider is nil until it is found, and for an issuer whose settings have the URL of its key set.
	provider *discovered
	// next is when the url may be looked for again.
	next time.Time
}

// newIssuers returns the issuers of the settings, and fetches their keys.
func newIssuers(ctx context.Context, s Settings, c *changes, log *slog.Logger) issuers {
	client := s.client
	if client == nil {
		client = http.DefaultClient
	}
	all := issuers{}
	for _, text := range s.Issuers {
		name, url := issuerOf(text)
		i := &issuer{client: client, log: log, name: name, url: url, set: &keySet{jwkset.NewMemoryStorage(), c}}
		if _, err := i.fetched(ctx); err != nil {
			log.ErrorContext(ctx, "the keys of an issuer of tokens could not be fetched", "issuer", name, "error", err)
		}
		all[name] = i
	}
	return all
}

// key returns the keys that may have signed a token. They are refreshed until ctx ends.
func (all issuers) key(ctx context.Context, token *jwt.Token) (any, error) {
	name, err := token.Claims.GetIssuer()
	if err != nil {
		return nil, err
	}
	i := all[name]
	if i == nil {
		return nil, fmt.Errorf("iss is %.200q: %w", name, jwt.ErrTokenInvalidIssuer)
	}
	keys, err := i.fetched(ctx)
	if err != nil {
		return nil, err
	}
	key, err := i.keyOf(ctx, keys, token)
	if err != nil {
		if known, readErr := i.set.KeyReadAll(ctx); readErr != nil || len(known) == 0 {
			return nil, fmt.Errorf("%s: %w: %w", name, errNoKeys, err)
		}
	}
	return key, err
}

// keyOf returns the key that a token names, or without a name those that fit.
func (i *issuer) keyOf(ctx context.Context, keys keyfunc.Keyfunc, token *jwt.Token) (any, error) {
	if _, named := token.Header[jwkset.HeaderKID]; !named {
		return i.signingKeys(ctx, token.Method.Alg())
	}
	key, err := keys.Keyfunc(token)
	if err == nil && isShort(key) {
		err = errShortKey
	}
	return key, err
}

// fetched returns the keys. The error is errNoKeys as long as nobody knows where they are.
func (i *issuer) fetched(ctx context.Context) (keyfunc.Keyfunc, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.keys != nil {
		return i.keys, nil
	}
	if i.url == "" {
		if time.Now().Before(i.next) {
			return nil, errNoKeys
		}
		i.next = time.Now().Add(discoveryInterval)
		found, err := discover(ctx, i.client, i.name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w: %w", i.name, errNoKeys, err)
		}
		i.provider, i.url = found, found.JWKSURI
	}
	keys, err := i.open(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", i.name, errNoKeys, err)
	}
	i.keys = keys
	return keys, nil
}

// open returns the keys at the issuer's URL, which are fetched again until ctx ends.
func (i *issuer) open(ctx context.Context) (keyfunc.Keyfunc, error) {
	fetched, err := jwkset.NewStorageFromHTTP(i.url, jwkset.HTTPClientStorageOptions{
		Client:                    i.client,
		Ctx:                       ctx,
		HTTPTimeout:               fetchTimeout,
		RefreshInterval:           refreshInterval,
		NoErrorReturnFirstHTTPReq: true,
		RefreshErrorHandler: func(ctx context.Context, err error) {
			i.log.ErrorContext(ctx, "the key set for tokens could not be fetched", "issuer", i.name, "error", err)
		},
		Storage: i.set,
	})
	if err != nil {
		return nil, err
	}
	set, err := jwkset.NewHTTPClient(jwkset.HTTPClientOptions{
		HTTPURLs:          map[string]jwkset.Storage{i.url: fetched},
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
func (i *issuer) signingKeys(ctx context.Context, alg string) (keys jwt.VerificationKeySet, err error) {
	all, err := i.set.KeyReadAll(ctx)
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
	if err == nil && len(keys.Keys) == 0 {
		err = errors.New("auth: no key of the issuer fits")
	}
	return keys, err
}

var errShortKey = errors.New("auth: the RSA key is shorter than 2048 bits")

// isShort reports whether an RSA key is shorter than the minimum (RFC 7518, section 3.3).
func isShort(key any) bool {
	public, isRSA := key.(*rsa.PublicKey)
	return isRSA && public.N.BitLen() < 2048
}
