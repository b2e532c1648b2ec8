package auth_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/MicahParks/jwkset"
	"github.com/golang-jwt/jwt/v5"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/gateway/auth"
	"github.com/partita/partita/viewer"
)

const secret = "a secret of at least thirty-two bytes"

// settings returns settings for HS256 with the secret.
func settings(change func(*auth.Settings)) auth.Settings {
	s := auth.Settings{Secret: secret, ClockSkew: 30 * time.Second, SubjectClaim: "sub", RolesClaim: "roles"}
	if change != nil {
		change(&s)
	}
	return s
}

func newAuthenticator(t *testing.T, s auth.Settings) *auth.Authenticator {
	t.Helper()
	a, err := auth.New(t.Context(), s, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// ask authenticates a request with these Authorization headers.
func ask(a *auth.Authenticator, authorization ...string) (viewer.Viewer, error) {
	r := httptest.NewRequest(http.MethodPost, "/graphql", nil)
	for _, value := range authorization {
		r.Header.Add("Authorization", value)
	}
	return a.Authenticate(r)
}

// claims returns the claims of a trusted token, with changes; nil removes a claim.
func claims(changes jwt.MapClaims) jwt.MapClaims {
	all := jwt.MapClaims{
		"sub": "u1",
		"exp": after(time.Hour),
		"iss": "https://issuer.example",
		"aud": "shop",
	}
	for name, value := range changes {
		if all[name] = value; value == nil {
			delete(all, name)
		}
	}
	return all
}

// after returns the time claim for a duration from now.
func after(d time.Duration) int64 { return time.Now().Add(d).Unix() }

func sign(t *testing.T, method jwt.SigningMethod, key any, c jwt.MapClaims, header ...string) string {
	t.Helper()
	token := jwt.NewWithClaims(method, c)
	for i := 0; i < len(header); i += 2 {
		token.Header[header[i]] = header[i+1]
	}
	text, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func hs256(t *testing.T, changes jwt.MapClaims) string {
	return sign(t, jwt.SigningMethodHS256, []byte(secret), claims(changes))
}

// isViewer compares viewers, whenever the trust in them ends.
func isViewer(got, want viewer.Viewer) bool {
	got.Until = time.Time{}
	return reflect.DeepEqual(got, want)
}

// TestViewerUntil: the trust ends with the token, also for a viewer from the cache.
func TestViewerUntil(t *testing.T) {
	s := settings(nil)
	a := newAuthenticator(t, s)
	expiry := time.Now().Add(time.Hour).Truncate(time.Second)
	token := "Bearer " + hs256(t, jwt.MapClaims{"exp": expiry.Unix()})
	for _, when := range []string{"at first", "from the cache"} {
		if got, err := ask(a, token); err != nil || !got.Until.Equal(expiry.Add(s.ClockSkew)) {
			t.Errorf("%s: trusted until %v, %v, want %v", when, got.Until, err, expiry.Add(s.ClockSkew))
		}
	}
	if got, err := ask(a); err != nil || !got.Until.IsZero() {
		t.Errorf("an anonymous caller is trusted until %v, %v", got.Until, err)
	}
}

func TestViewer(t *testing.T) {
	a := newAuthenticator(t, settings(nil))
	bearer := func(changes jwt.MapClaims) []string { return []string{"Bearer " + hs256(t, changes)} }
	staff := viewer.Viewer{ID: "u1", Roles: []string{"ADMIN", "STAFF"}}
	for _, c := range []struct {
		name          string
		authorization []string
		want          viewer.Viewer
	}{
		{"no token", nil, viewer.Viewer{}},
		{"no roles", bearer(nil), viewer.Viewer{ID: "u1"}},
		{"any case of the scheme", []string{"bearer " + hs256(t, nil)}, viewer.Viewer{ID: "u1"}},
		{"an array of roles", bearer(jwt.MapClaims{"roles": []string{"ADMIN", "STAFF"}}), staff},
		{"roles separated by spaces", bearer(jwt.MapClaims{"roles": "ADMIN STAFF"}), staff},
		{"expired within the skew", bearer(jwt.MapClaims{"exp": after(-20 * time.Second)}), viewer.Viewer{ID: "u1"}},
		{
			"from a clock within the skew",
			bearer(jwt.MapClaims{"iat": after(20 * time.Second), "nbf": after(20 * time.Second)}),
			viewer.Viewer{ID: "u1"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := ask(a, c.authorization...); err != nil || !isViewer(got, c.want) {
				t.Errorf("got %+v, %v, want %+v", got, err, c.want)
			}
		})
	}
	named := newAuthenticator(t, settings(func(s *auth.Settings) {
		s.SubjectClaim, s.RolesClaim = "https://shop.example/id", "groups"
	}))
	token := hs256(t, jwt.MapClaims{"https://shop.example/id": "u7", "groups": []string{"ADMIN"}})
	if got, err := ask(named, "Bearer "+token); err != nil || got.ID != "u7" || !got.Has("ADMIN") {
		t.Errorf("other claims: got %+v, %v", got, err)
	}
}

// wantError checks the code, the challenge and a part of the message of an Error.
func wantError(t *testing.T, err error, code, bearerCode, text string) {
	t.Helper()
	e, is := errors.AsType[*auth.Error](err)
	if !is || e.Code() != code || !strings.Contains(e.Error(), text) {
		t.Errorf("got %v, want %s with %q", err, code, text)
		return
	}
	want := ""
	if bearerCode != "" {
		want = `Bearer realm="graphql", error="` + bearerCode + `", error_description="` + e.Error() + `"`
	}
	if e.Challenge() != want {
		t.Errorf("got the challenge %s, want %s", e.Challenge(), want)
	}
}

func TestRejectedTokens(t *testing.T) {
	a := newAuthenticator(t, settings(func(s *auth.Settings) { s.Issuer, s.Audience = "https://issuer.example", "shop" }))
	none := sign(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, claims(nil))
	good := hs256(t, nil)
	head, body, signature := parts(good)
	for name, authorization := range map[string]string{
		"no scheme":      good,
		"another scheme": "Basic " + good,
		"no token":       "Bearer ",
		"two tokens":     "Bearer " + good + " " + good,
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ask(a, authorization)
			wantError(t, err, "BAD_REQUEST", "invalid_request", "Bearer TOKEN")
			if !got.IsAnonymous() || got.Roles != nil {
				t.Errorf("got the viewer %+v as well", got)
			}
		})
	}
	for _, c := range []struct{ name, token, text string }{
		{"no JWT", "x", "not a JSON Web Token"},
		{"huge", strings.Repeat("x", 17<<10), "longer than"},
		{"alg none", none, "signature"},
		{"alg None", encoded(`{"alg":"None","typ":"JWT"}`) + "." + body + ".", ""},
		{"no alg", encoded(`{"typ":"JWT"}`) + "." + body + "." + signature, ""},
		{"no signature", head + "." + body + ".", "signature"},
		{"another body", head + "." + encoded(`{"sub":"u2","exp":9999999999}`) + "." + signature, "signature"},
		{"another secret", sign(t, jwt.SigningMethodHS256, []byte("x"), claims(nil)), "signature"},
		{"another algorithm", sign(t, jwt.SigningMethodHS512, []byte(secret), claims(nil)), "signature"},
		{
			"critical extensions",
			sign(t, jwt.SigningMethodHS256, []byte(secret), claims(nil), "crit", "exp"),
			"critical extension",
		},
		{"expired", hs256(t, jwt.MapClaims{"exp": after(-time.Minute)}), "expired"},
		{"without expiry", hs256(t, jwt.MapClaims{"exp": nil}), "lacks a claim"},
		{"an expiry that is no number", hs256(t, jwt.MapClaims{"exp": "tomorrow"}), "not of the type"},
		{
			"an issuer that is no text",
			hs256(t, jwt.MapClaims{"iss": []string{"https://issuer.example"}}),
			"not of the type",
		},
		{"not valid yet", hs256(t, jwt.MapClaims{"nbf": after(time.Minute)}), "not valid yet"},
		{"issued in the future", hs256(t, jwt.MapClaims{"iat": after(time.Minute)}), "in the future"},
		{"another issuer", hs256(t, jwt.MapClaims{"iss": "https://other.example"}), "another issuer"},
		{"no issuer", hs256(t, jwt.MapClaims{"iss": nil}), ""},
		{"another audience", hs256(t, jwt.MapClaims{"aud": []string{"x", "y"}}), "another audience"},
		{"no audience", hs256(t, jwt.MapClaims{"aud": nil}), ""},
		{"no subject", hs256(t, jwt.MapClaims{"sub": nil}), "claim sub"},
		{"a subject that is no text", hs256(t, jwt.MapClaims{"sub": 7}), "claim sub"},
		{"a subject in another partition", hs256(t, jwt.MapClaims{"sub": "u1#x"}), "claim sub"},
		{"a subject with a control character", hs256(t, jwt.MapClaims{"sub": "u\n"}), "claim sub"},
		{"roles that are no names", hs256(t, jwt.MapClaims{"roles": []any{"ADMIN", 7}}), "claim roles"},
		{"roles in an object", hs256(t, jwt.MapClaims{"roles": map[string]any{"ADMIN": true}}), "claim roles"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ask(a, "Bearer "+c.token)
			wantError(t, err, "UNAUTHENTICATED", "invalid_token", c.text)
			if !got.IsAnonymous() || got.Roles != nil {
				t.Errorf("got the viewer %+v as well", got)
			}
		})
	}
	t.Run("two headers", func(t *testing.T) {
		_, err := ask(a, "Bearer "+good, "Bearer "+good)
		wantError(t, err, "BAD_REQUEST", "invalid_request", "more than one")
	})
}

// TestNoKeys: a gateway without keys does not ignore a token.
func TestNoKeys(t *testing.T) {
	a := newAuthenticator(t, settings(func(s *auth.Settings) { s.Secret = "" }))
	if _, err := ask(a); a.Enabled() || err != nil {
		t.Errorf("got enabled %v, %v", a.Enabled(), err)
	}
	_, err := ask(a, "Bearer "+hs256(t, nil))
	wantError(t, err, "UNAUTHENTICATED", "invalid_token", "nobody")
}

func TestMintedTokenIsTrusted(t *testing.T) {
	s := settings(func(s *auth.Settings) {
		s.Issuer, s.Audience, s.SubjectClaim, s.RolesClaim = "https://issuer.example", "shop", "id", "groups"
	})
	want := viewer.Viewer{ID: "u1", Roles: []string{"ADMIN"}}
	token, err := auth.Mint(s, want, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := ask(newAuthenticator(t, s), "Bearer "+token); err != nil || !isViewer(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if _, err := auth.Mint(auth.Settings{SubjectClaim: "sub", RolesClaim: "roles"}, want, time.Minute); err == nil {
		t.Error("a token was signed without a secret")
	}
}

func TestSettings(t *testing.T) {
	for _, c := range []struct {
		name, words string
		change      func(*auth.Settings)
	}{
		{"a short secret", "JWT_SECRET", func(s *auth.Settings) { s.Secret = strings.Repeat("x", 31) }},
		{"secret and key set", "not both", func(s *auth.Settings) { s.JWKSURL = "https://issuer.example/keys" }},
		{"a key set without an audience", "JWT_AUDIENCE", func(s *auth.Settings) {
			s.Secret, s.JWKSURL, s.Issuer = "", "https://issuer.example/keys", "x"
		}},
		{"a key set over HTTP", "https://", func(s *auth.Settings) {
			s.Secret, s.JWKSURL, s.Issuer, s.Audience = "", "http://issuer.example/keys", "x", "y"
		}},
		{"no URL", "https://", func(s *auth.Settings) {
			s.Secret, s.JWKSURL, s.Issuer, s.Audience = "", "keys.json", "x", "y"
		}},
		{"no claim", "JWT_SUBJECT_CLAIM", func(s *auth.Settings) { s.SubjectClaim = "" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := auth.New(t.Context(), settings(c.change), slog.New(slog.DiscardHandler))
			start, is := errors.AsType[*exit.Error](err)
			if !is || start.Code != exit.Config || !strings.Contains(err.Error(), c.words) {
				t.Errorf("got %v", err)
			}
		})
	}
}

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
		if err := storage.KeyWrite(t.Context(), k); err != nil {
			t.Fatal(err)
		}
	}
	set, err := storage.JSONPublic(t.Context())
	if err != nil {
		t.Fatal(err)
	}
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
		s.Secret, s.JWKSURL, s.Issuer, s.Audience = "", p.URL, "https://issuer.example", "shop"
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
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

var (
	rsaKey   = must(rsa.GenerateKey(rand.Reader, 2048))
	otherRSA = must(rsa.GenerateKey(rand.Reader, 2048))
	shortRSA = must(rsa.GenerateKey(rand.Reader, 1024))
	encRSA   = must(rsa.GenerateKey(rand.Reader, 2048))
	ecKey    = must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	_, edKey = func() (ed25519.PublicKey, ed25519.PrivateKey) {
		public, private, err := ed25519.GenerateKey(rand.Reader)
		return public, must(private, err)
	}()
)

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

func parts(token string) (head, body, signature string) {
	p := strings.Split(token, ".")
	return p[0], p[1], p[2]
}

func encoded(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
