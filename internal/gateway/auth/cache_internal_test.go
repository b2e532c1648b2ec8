package auth

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/MicahParks/jwkset"
	"github.com/golang-jwt/jwt/v5"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/viewer"
)

var testSettings = Settings{
	Secret: strings.Repeat("s", MinSecretBytes), ClockSkew: 30 * time.Second, SubjectClaim: "sub", RolesClaim: "roles",
}

// counted returns an Authenticator that counts the signatures it checks.
func counted(t *testing.T) (a *Authenticator, checks *int) {
	t.Helper()
	a, err := New(t.Context(), testSettings, slog.New(slog.DiscardHandler))
	fatal.If(t, err)
	checks = new(int)
	key := a.key
	a.key = func(token *jwt.Token) (any, error) {
		*checks++
		return key(token)
	}
	return a, checks
}

func mint(t *testing.T, v viewer.Viewer, valid time.Duration) string {
	t.Helper()
	token, err := Mint(testSettings, v, valid)
	fatal.If(t, err)
	return token
}

func ask(t *testing.T, a *Authenticator, token string) (viewer.Viewer, error) {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", nil)
	r.Header.Set("Authorization", "Bearer "+token)
	return a.Authenticate(r)
}

func TestTokenIsVerifiedOnce(t *testing.T) {
	a, checks := counted(t)
	ada := viewer.Viewer{ID: "ada", Roles: []string{"ADMIN"}}
	token := mint(t, ada, time.Hour)
	for range 3 {
		if got, err := ask(t, a, token); err != nil || got.ID != ada.ID || !slices.Equal(got.Roles, ada.Roles) {
			t.Errorf("got %+v, %v", got, err)
		}
	}
	other := mint(t, viewer.Viewer{ID: "ben"}, time.Hour)
	if got, err := ask(t, a, other); err != nil || got.ID != "ben" || got.Has("ADMIN") {
		t.Errorf("another token: got %+v, %v", got, err)
	}
	if *checks != 2 {
		t.Errorf("%d signatures were checked, want 2", *checks)
	}
	forged := token[:strings.LastIndex(token, ".")+1] + "AAAA"
	if got, err := ask(t, a, forged); err == nil {
		t.Errorf("another signature: got %+v", got)
	}
}

// TestVerifiedTokenExpires: also within the cache, exp is the end.
func TestVerifiedTokenExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, checks := counted(t)
		token := mint(t, viewer.Viewer{ID: "ada"}, time.Hour)
		for _, c := range []struct {
			after   time.Duration
			trusted bool
		}{
			{0, true},
			{time.Hour + testSettings.ClockSkew - time.Nanosecond, true},
			{time.Nanosecond, false},
		} {
			time.Sleep(c.after)
			_, err := ask(t, a, token)
			if trusted := err == nil; trusted != c.trusted || !trusted && !strings.Contains(err.Error(), "expired") {
				t.Errorf("%v later: got %v", c.after, err)
			}
		}
		if *checks != 2 || a.verified.viewers.Len() != 0 {
			t.Errorf("%d signatures were checked, want 2; %d tokens are left", *checks, a.verified.viewers.Len())
		}
	})
}

// TestVerifiedTokenIsNotValidYet: the clock of the machine has been set back since the token was verified.
func TestVerifiedTokenIsNotValidYet(t *testing.T) {
	for _, claim := range []string{"nbf", "iat"} {
		for early, trusted := range map[time.Duration]bool{20 * time.Second: true, time.Minute: false} {
			v := newVerified(testSettings.ClockSkew, nil)
			hash := hashOf("token")
			v.add(hash, &jwt.Token{Raw: "token", Claims: jwt.MapClaims{
				claim: float64(time.Now().Add(early).Unix()),
			}}, viewer.Viewer{ID: "ada", Until: time.Now().Add(time.Hour)}, 0)
			if _, known := v.get(hash); known != trusted {
				t.Errorf("%s in %v: trusted %v, want %v", claim, early, known, trusted)
			}
		}
	}
}

// TestKeysReplacedDuringVerification: a key may have been revoked while a token was verified with it.
func TestKeysReplacedDuringVerification(t *testing.T) {
	keys := &keySet{jwkset.NewMemoryStorage(), &changes{}}
	v := newVerified(testSettings.ClockSkew, keys.changes)
	version, hash := keys.version(), hashOf("token")
	fatal.If(t, keys.KeyReplaceAll(t.Context(), nil))
	v.add(hash, &jwt.Token{Claims: jwt.MapClaims{}}, viewer.Viewer{ID: "ada", Until: time.Now().Add(time.Hour)}, version)
	if got, known := v.get(hash); known {
		t.Errorf("got %+v", got)
	}
}

func TestCacheOfTokensIsBounded(t *testing.T) {
	a, _ := counted(t)
	for _, v := range []viewer.Viewer{
		{ID: "ada", Roles: []string{strings.Repeat("x", cachedTokenBytes)}},
		{ID: "ada", Roles: slices.Repeat([]string{"x"}, cachedRoles+1)},
	} {
		if _, err := ask(t, a, mint(t, v, time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	_, _ = ask(t, a, mint(t, viewer.Viewer{ID: "ada"}, -time.Hour))
	_, _ = ask(t, a, "x.y.z")
	if n := a.verified.viewers.Len(); n != 0 {
		t.Errorf("%d tokens are kept that are large or not trusted", n)
	}
	for n := range cachedTokens + 10 {
		if _, err := ask(t, a, mint(t, viewer.Viewer{ID: fmt.Sprint(n)}, time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if n := a.verified.viewers.Len(); n != cachedTokens {
		t.Errorf("%d tokens are kept, want %d", n, cachedTokens)
	}
}
