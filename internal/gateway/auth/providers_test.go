package auth_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/MicahParks/jwkset"
	"github.com/alecthomas/kong"
	"github.com/golang-jwt/jwt/v5"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/auth"
	"github.com/partita/partita/viewer"
)

const pages = "../../../docs/how-to/identity"

var (
	settingsOf = regexp.MustCompile("(?s)```sh\n(.*?)```")
	tokenOf    = regexp.MustCompile("(?s)```json\n(.*?)```")
	viewerOf   = regexp.MustCompile("(?s)The viewer is `(.*?)`, with the roles (.*?)\\.\n")
	roleOf     = regexp.MustCompile("`(.*?)`")
)

// internet answers for all hosts. It has the discovery documents and key sets of providers, by their URLs.
type internet map[string]string

func (i internet) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	if body, has := i[r.URL.String()]; has {
		_, _ = w.WriteString(body)
	} else {
		w.WriteHeader(http.StatusNotFound)
	}
	return w.Result(), nil
}

// provide publishes a key as that of an issuer of the setting.
func (i internet) provide(t *testing.T, setting string, k jwkset.JWK) {
	t.Helper()
	storage := jwkset.NewMemoryStorage()
	fatal.If(t, storage.KeyWrite(t.Context(), k))
	set := must(storage.JSONPublic(t.Context()))
	issuer, url, has := strings.Cut(setting, "=")
	if !has {
		url = "https://keys.example/" + strings.TrimPrefix(issuer, "https://")
		i[strings.TrimSuffix(issuer, "/")+"/.well-known/openid-configuration"] =
			fmt.Sprintf(`{"issuer": %q, "jwks_uri": %q}`, issuer, url)
	}
	i[url] = string(set)
}

// parsed returns the settings of lines such as JWT_ISSUER=x.
func parsed(t *testing.T, lines string) (s auth.Settings) {
	t.Helper()
	parser, err := kong.New(&s)
	fatal.If(t, err)
	var arguments []string
	for line := range strings.Lines(lines) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		arguments = append(arguments, "--"+strings.ToLower(strings.ReplaceAll(name, "_", "-"))+"="+value)
	}
	_, err = parser.Parse(arguments)
	fatal.If(t, err)
	return s
}

// page is a page of the documentation about one provider.
type page struct {
	settings auth.Settings
	claims   jwt.MapClaims
	want     viewer.Viewer
}

func readPage(t *testing.T, path string) (p page) {
	t.Helper()
	text := string(must(os.ReadFile(path)))
	part := func(of *regexp.Regexp) []string {
		found := of.FindStringSubmatch(text)
		if found == nil {
			t.Fatalf("%s has no %s", path, of)
		}
		return found
	}
	p.settings = parsed(t, part(settingsOf)[1])
	fatal.If(t, json.Unmarshal([]byte(part(tokenOf)[1]), &p.claims))
	v := part(viewerOf)
	p.want.ID = v[1]
	for _, role := range roleOf.FindAllStringSubmatch(v[2], -1) {
		p.want.Roles = append(p.want.Roles, role[1])
	}
	return p
}

// TestProviders reads the documentation: a token of the shape that a page shows is trusted with the page's settings,
// and its viewer is the one that the page names. It is not trusted for another audience, from another issuer, or if
// another key has signed it.
func TestProviders(t *testing.T) {
	files := must(filepath.Glob(pages + "/*.md"))
	files = slices.DeleteFunc(files, func(path string) bool { return filepath.Base(path) == "README.md" })
	if len(files) != 6 {
		t.Errorf("there are %d pages", len(files))
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			p, web := readPage(t, path), internet{}
			web.provide(t, p.settings.Issuers[0], published(t, rsaKey, "r"))
			a := newAuthenticator(t, p.settings.WithClient(&http.Client{Transport: web}))
			p.claims["exp"] = after(3600e9)
			if got, err := ask(a, p.bearer(t, nil)); err != nil || !isViewer(got, p.want) {
				t.Errorf("got %+v, %v, want %+v", got, err, p.want)
			}
			for _, name := range []string{"aud", "client_id", "azp"} {
				if p.claims[name] != nil {
					_, err := ask(a, p.bearer(t, jwt.MapClaims{name: "other"}))
					wantError(t, err, "UNAUTHENTICATED", "invalid_token", "audience")
					break
				}
			}
			_, err := ask(a, p.bearer(t, jwt.MapClaims{"aud": nil, "client_id": nil, "azp": nil}))
			wantError(t, err, "UNAUTHENTICATED", "invalid_token", "lacks a claim")
			_, err = ask(a, p.bearer(t, jwt.MapClaims{"iss": "https://other.example"}))
			wantError(t, err, "UNAUTHENTICATED", "invalid_token", "another issuer")
			_, err = ask(a, "Bearer "+sign(t, jwt.SigningMethodRS256, otherRSA, p.claims, "kid", "r"))
			wantError(t, err, "UNAUTHENTICATED", "invalid_token", "signature")
		})
	}
}

// bearer signs the claims of the page, with changes.
func (p page) bearer(t *testing.T, changes jwt.MapClaims) string {
	t.Helper()
	changed := maps.Clone(p.claims)
	for name, value := range changes {
		if changed[name] = value; value == nil {
			delete(changed, name)
		}
	}
	return "Bearer " + sign(t, jwt.SigningMethodRS256, rsaKey, changed, "kid", "r")
}

// TestSeveralIssuers: a key of one issuer is not trusted for the tokens of another one.
func TestSeveralIssuers(t *testing.T) {
	web := internet{}
	s := settings(func(s *auth.Settings) {
		s.Secret, s.Audiences = "", []string{"shop"}
		s.Issuers = []string{"https://one.example", "two=https://two.example/keys", "https://down.example"}
	}).WithClient(&http.Client{Transport: web})
	web.provide(t, s.Issuers[0], published(t, rsaKey, "r"))
	web.provide(t, s.Issuers[1], published(t, otherRSA, "r"))
	a := newAuthenticator(t, s)
	for _, c := range []struct {
		issuer string
		key    any
		words  string
	}{
		{"https://one.example", rsaKey, ""},
		{"two", otherRSA, ""},
		{"https://one.example", otherRSA, "signature"},
		{"two", rsaKey, "signature"},
		{"three", rsaKey, "another issuer"},
	} {
		for _, header := range [][]string{{"kid", "r"}, nil} {
			token := sign(t, jwt.SigningMethodRS256, c.key, claims(jwt.MapClaims{"iss": c.issuer}), header...)
			got, err := ask(a, "Bearer "+token)
			if c.words != "" {
				wantError(t, err, "UNAUTHENTICATED", "invalid_token", c.words)
			} else if err != nil || got.ID != "u1" {
				t.Errorf("%s: got %+v, %v", c.issuer, got, err)
			}
		}
	}
	down := sign(t, jwt.SigningMethodRS256, rsaKey, claims(jwt.MapClaims{"iss": "https://down.example"}))
	_, err := ask(a, "Bearer "+down)
	wantError(t, err, "UNAVAILABLE", "", "out of reach")
}

// TestDiscovery: a document that names another issuer, or a key set that can be replaced on its way, is not trusted.
func TestDiscovery(t *testing.T) {
	const at = "https://one.example/.well-known/openid-configuration"
	for name, document := range map[string]string{
		"no document":         "",
		"no JSON":             "<html>",
		"another issuer":      `{"issuer": "https://two.example", "jwks_uri": "https://one.example/keys"}`,
		"a key set over HTTP": `{"issuer": "https://one.example", "jwks_uri": "http://one.example/keys"}`,
		"no key set":          `{"issuer": "https://one.example"}`,
	} {
		t.Run(name, func(t *testing.T) {
			web := internet{}
			web.provide(t, "https://one.example=https://one.example/keys", published(t, rsaKey, "r"))
			if document != "" {
				web[at] = document
			}
			var log strings.Builder
			a, err := auth.New(t.Context(), settings(func(s *auth.Settings) {
				s.Secret, s.Issuers, s.Audiences = "", []string{"https://one.example"}, []string{"shop"}
			}).WithClient(&http.Client{Transport: web}), slog.New(slog.NewTextHandler(&log, nil)))
			fatal.If(t, err)
			if !strings.Contains(log.String(), "could not be fetched") || !strings.Contains(log.String(), at) {
				t.Errorf("the log is %s", &log)
			}
			token := sign(t, jwt.SigningMethodRS256, rsaKey, claims(jwt.MapClaims{"iss": "https://one.example"}), "kid", "r")
			_, err = ask(a, "Bearer "+token)
			wantError(t, err, "UNAVAILABLE", "", "out of reach")
		})
	}
}

// TestLackOfRolesIsLogged: a trusted token without the claim with roles has a line in the log, once.
func TestLackOfRolesIsLogged(t *testing.T) {
	var log strings.Builder
	a, err := auth.New(t.Context(), settings(func(s *auth.Settings) { s.RolesClaim = "realm.roles" }),
		slog.New(slog.NewTextHandler(&log, nil)))
	fatal.If(t, err)
	tokens := []jwt.MapClaims{
		{"realm": map[string]any{"roles": []any{"ADMIN"}}},
		{"realm": map[string]any{"rules": []any{"ADMIN"}}},
		{"roles": []any{"ADMIN"}},
	}
	for i, want := range []int{0, 1, 1} {
		v, err := ask(a, "Bearer "+hs256(t, tokens[i]))
		if got := strings.Count(log.String(), `claim=realm.roles`); got != want || err != nil || v.Has("ADMIN") != (i == 0) {
			t.Errorf("%v: %+v, %v, and %d lines in %s", tokens[i], v, err, got, &log)
		}
	}
}

// TestRejectionNamesTheClaim: the cause, which is for the log, has the claim that decided.
func TestRejectionNamesTheClaim(t *testing.T) {
	a := newAuthenticator(t, settings(func(s *auth.Settings) {
		s.Issuers, s.Audiences = []string{"https://issuer.example"}, []string{"shop"}
		s.RolesClaim, s.TenantClaim = "realm.roles", "org.id"
	}))
	for _, c := range []struct {
		changes jwt.MapClaims
		words   string
	}{
		{jwt.MapClaims{"aud": "till"}, `"till"`},
		{jwt.MapClaims{"aud": nil, "azp": "desk"}, `"desk"`},
		{jwt.MapClaims{"iss": "https://other.example"}, `"https://other.example"`},
		{jwt.MapClaims{"realm": map[string]any{"roles": map[string]any{}}}, "realm.roles"},
		{jwt.MapClaims{"sub": 7}, "sub"},
		{nil, "org.id"},
	} {
		_, err := ask(a, "Bearer "+hs256(t, c.changes))
		cause := errors.Unwrap(err)
		if cause == nil || !strings.Contains(cause.Error(), c.words) {
			t.Errorf("%v: got %v, caused by %v, want %s", c.changes, err, cause, c.words)
		}
	}
}
