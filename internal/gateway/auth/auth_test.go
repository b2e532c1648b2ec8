package auth_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/fatal"
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
	fatal.If(t, err)
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
	fatal.If(t, err)
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
	a := newAuthenticator(t, settings(func(s *auth.Settings) {
		s.Issuers, s.Audiences = []string{"https://issuer.example"}, []string{"shop"}
	}))
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
		s.Issuers, s.Audiences = []string{"https://issuer.example"}, []string{"shop"}
		s.SubjectClaim, s.RolesClaim = "id", "groups"
	})
	want := viewer.Viewer{ID: "u1", Roles: []string{"ADMIN"}}
	token, err := auth.Mint(s, want, time.Minute)
	fatal.If(t, err)
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
		{"secret and key set", "not both", func(s *auth.Settings) {
			s.Issuers = []string{"https://issuer.example=https://issuer.example/keys"}
		}},
		{"a provider without an audience", "JWT_AUDIENCE", func(s *auth.Settings) {
			s.Secret, s.Issuers = "", []string{"https://issuer.example"}
		}},
		{"a provider over HTTP", "https://", func(s *auth.Settings) {
			s.Secret, s.Issuers, s.Audiences = "", []string{"http://issuer.example"}, []string{"y"}
		}},
		{"a key set over HTTP", "https://", func(s *auth.Settings) {
			s.Secret, s.Issuers, s.Audiences = "", []string{"x=http://issuer.example/keys"}, []string{"y"}
		}},
		{"no URL", "ISSUER=URL", func(s *auth.Settings) {
			s.Secret, s.Issuers, s.Audiences = "", []string{"https://issuer.example", "accounts"}, []string{"y"}
		}},
		{"an empty audience", "JWT_AUDIENCE", func(s *auth.Settings) { s.Audiences = []string{"shop", ""} }},
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

func parts(token string) (head, body, signature string) {
	p := strings.Split(token, ".")
	return p[0], p[1], p[2]
}

func encoded(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
