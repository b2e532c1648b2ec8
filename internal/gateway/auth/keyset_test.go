package auth_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/MicahParks/jwkset"
	"github.com/golang-jwt/jwt/v5"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/auth"
)

// provider publishes a key set, as an identity provider does.
type provider struct {
	*httptest.Server

	mu      sync.Mutex
	set     []byte
	fetches int
	down    bool
}

func newProvider(t *testing.T, published ...jwkset.JWK) *provider {
	p := &provider{}
	p.publish(t, published...)
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.fetches++
		if p.down {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write(p.set)
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *provider) publish(t *testing.T, published ...jwkset.JWK) {
	t.Helper()
	storage := jwkset.NewMemoryStorage()
	for _, k := range published {
		fatal.If(t, storage.KeyWrite(t.Context(), k))
	}
	set, err := storage.JSONPublic(t.Context())
	fatal.If(t, err)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.set = set
}

func (p *provider) fetched() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fetches
}

func (p *provider) settings() auth.Settings {
	return settings(func(s *auth.Settings) {
		s.Secret, s.Issuers, s.Audiences = "", []string{"https://issuer.example=" + p.URL}, []string{"shop"}
	})
}

// published is the public half of a key under an id.
func published(t *testing.T, key crypto.Signer, id string) jwkset.JWK {
	t.Helper()
	return publishedFor(t, "", key, id)
}

// publishedFor is a key that is published for one use (RFC 7517, section 4.2).
func publishedFor(t *testing.T, use jwkset.USE, key crypto.Signer, id string) jwkset.JWK {
	t.Helper()
	k, err := jwkset.NewJWKFromKey(key.Public(), jwkset.JWKOptions{Metadata: jwkset.JWKMetadataOptions{KID: id, USE: use}})
	fatal.If(t, err)
	return k
}

func TestKeySet(t *testing.T) {
	p := newProvider(t, published(t, rsaKey, "r"), published(t, ecKey, "e"), published(t, edKey, "d"),
		published(t, shortRSA, "short"), publishedFor(t, jwkset.UseSig, rsaKey, "signs"),
		publishedFor(t, jwkset.UseEnc, encRSA, "encrypts"))
	a := newAuthenticator(t, p.settings())
	for _, token := range []string{
		sign(t, jwt.SigningMethodRS256, rsaKey, claims(nil), "kid", "r"),
		sign(t, jwt.SigningMethodES256, ecKey, claims(nil), "kid", "e"),
		sign(t, jwt.SigningMethodEdDSA, edKey, claims(nil), "kid", "d"),
		sign(t, jwt.SigningMethodRS256, rsaKey, claims(nil), "kid", "signs"),
		sign(t, jwt.SigningMethodRS256, rsaKey, claims(nil)), // without an id, any key of the set may fit
		sign(t, jwt.SigningMethodRS256, rsaKey, claims(nil), "kid", "r", "jku", "https://attacker.example/keys"),
	} {
		if got, err := ask(a, "Bearer "+token); err != nil || got.ID != "u1" {
			t.Errorf("got %+v, %v", got, err)
		}
	}
	// The classic attack: the public key, which is known, as the secret of HS256.
	der := must(x509.MarshalPKIXPublicKey(rsaKey.Public()))
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	unsigned := sign(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, claims(nil), "kid", "r")
	for name, token := range map[string]string{
		"public key as a secret, PEM":  sign(t, jwt.SigningMethodHS256, public, claims(nil), "kid", "r"),
		"public key as a secret, DER":  sign(t, jwt.SigningMethodHS256, der, claims(nil), "kid", "r"),
		"alg none":                     unsigned,
		"another key":                  sign(t, jwt.SigningMethodRS256, otherRSA, claims(nil), "kid", "r"),
		"the id of another kind":       sign(t, jwt.SigningMethodRS256, rsaKey, claims(nil), "kid", "e"),
		"a key for encryption":         sign(t, jwt.SigningMethodRS256, encRSA, claims(nil), "kid", "encrypts"),
		"a key for encryption, no kid": sign(t, jwt.SigningMethodRS256, encRSA, claims(nil)),
		"a short key":                  sign(t, jwt.SigningMethodRS256, shortRSA, claims(nil), "kid", "short"),
		"a short key, no kid":          sign(t, jwt.SigningMethodRS256, shortRSA, claims(nil)),
		"a larger RSA hash":            sign(t, jwt.SigningMethodRS512, rsaKey, claims(nil), "kid", "r"),
		"a key in the header":          embedded(t),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ask(a, "Bearer "+token)
			wantError(t, err, "UNAUTHENTICATED", "invalid_token", "signature")
		})
	}
	if got := p.fetched(); got != 1 {
		t.Errorf("the key set was fetched %d times, want once", got)
	}
}

// embedded returns a token that is signed by a key in its own header.
func embedded(t *testing.T) string {
	t.Helper()
	token := jwt.NewWithClaims(jwt.SigningMethodRS256, claims(nil))
	token.Header["kid"] = "r"
	token.Header["jwk"] = published(t, otherRSA, "r").Marshal()
	return must(token.SignedString(otherRSA))
}

func TestKeysRotate(t *testing.T) {
	p := newProvider(t, published(t, rsaKey, "old"))
	a := newAuthenticator(t, p.settings())
	old := "Bearer " + sign(t, jwt.SigningMethodRS256, rsaKey, claims(nil), "kid", "old")
	for range 2 { // the second time from the cache
		if got, err := ask(a, old); err != nil || got.ID != "u1" {
			t.Errorf("old key: got %+v, %v", got, err)
		}
	}
	replaced := make(chan error, 10)
	stop := a.OnKeys(func() {
		_, err := ask(a, old)
		replaced <- err
	})
	a.OnKeys(func() { t.Error("a function is called that was stopped") })()
	p.publish(t, published(t, otherRSA, "new"))
	// The first token with the new key causes a fetch.
	token := sign(t, jwt.SigningMethodRS256, otherRSA, claims(nil), "kid", "new")
	if got, err := ask(a, "Bearer "+token); err != nil || got.ID != "u1" {
		t.Errorf("new key: got %+v, %v", got, err)
	}
	wantError(t, <-replaced, "UNAUTHENTICATED", "invalid_token", "signature") // who asks again after the fetch
	stop()
	_, err := ask(a, old)
	wantError(t, err, "UNAUTHENTICATED", "invalid_token", "signature")
	for range 20 {
		_, err := ask(a, "Bearer "+sign(t, jwt.SigningMethodRS256, rsaKey, claims(nil), "kid", rand.Text()))
		wantError(t, err, "UNAUTHENTICATED", "invalid_token", "signature")
	}
	if got := p.fetched(); got != 2 {
		t.Errorf("the key set was fetched %d times, want 2: not for each unknown key", got)
	}
}

// TestProviderIsDown: a valid token is not reported as bad if the keys are missing, and the keys are fetched again.
func TestProviderIsDown(t *testing.T) {
	p := newProvider(t, published(t, rsaKey, "r"))
	p.down = true
	var log bytes.Buffer
	a, err := auth.New(t.Context(), p.settings(), slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil || !strings.Contains(log.String(), "could not be fetched") {
		t.Fatalf("got %v, log %s", err, &log)
	}
	if _, err := ask(a); err != nil {
		t.Errorf("anonymous: %v", err)
	}
	p.mu.Lock()
	p.down = false
	p.mu.Unlock()
	token := "Bearer " + sign(t, jwt.SigningMethodRS256, rsaKey, claims(nil), "kid", "r")
	if got, err := ask(a, token); err != nil || got.ID != "u1" {
		t.Errorf("once the provider is up: %+v, %v", got, err)
	}

	p.down = true
	a = newAuthenticator(t, p.settings())
	_, err = ask(a, token)
	wantError(t, err, "UNAVAILABLE", "", "out of reach")
}

func TestFetchingEndsWithTheContext(t *testing.T) {
	p := newProvider(t, published(t, rsaKey, "r"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := auth.New(ctx, p.settings(), slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	if got := p.fetched(); got != 0 {
		t.Errorf("fetched %d times", got)
	}
}
