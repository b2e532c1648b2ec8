package service

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

func TestAuthenticated(t *testing.T) {
	const secret = "a secret of the test that has 32 bytes"
	token := func(secret string, valid time.Duration) string {
		t.Helper()
		text, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{
			"sub": "ada", "roles": []string{"ADMIN"}, "exp": time.Now().Add(valid).Unix(),
		}).SignedString([]byte(secret))
		if err != nil {
			t.Fatal(err)
		}
		return "Bearer " + text
	}
	var got Viewer
	handler := authenticated([]byte(secret), http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got = ViewerOf(r.Context())
	}))
	for name, tt := range map[string]struct {
		authorization string
		status        int
	}{
		"a token":        {token(secret, time.Hour), http.StatusOK},
		"another secret": {token(secret+"!", time.Hour), http.StatusUnauthorized},
		"expired":        {token(secret, -time.Hour), http.StatusUnauthorized},
		"none":           {"", http.StatusUnauthorized},
	} {
		got = Viewer{}
		r := httptest.NewRequest(http.MethodGet, "/viewer", nil)
		r.Header.Set("Authorization", tt.authorization)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != tt.status || (got.ID == "ada") != (tt.status == http.StatusOK) {
			t.Errorf("%s: status %d, want %d; the viewer is %+v", name, w.Code, tt.status, got)
		}
	}
	if v := (Viewer{ID: "ada"}); !v.MayRead("ada") || v.MayRead("bob") || v.IsAdmin() {
		t.Errorf("%+v may read the wrong things", v)
	}
	if v := (Viewer{ID: "root", Roles: []string{"ADMIN"}}); !v.MayRead("bob") {
		t.Errorf("%+v may not read everything", v)
	}
}
