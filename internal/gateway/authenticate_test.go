package gateway_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/auth"
	"github.com/partita/partita/viewer"
)

// TestTokens: an operation is authenticated only by its token. The response to a bad token has a message and a
// challenge, whatever the body is.
func TestTokens(t *testing.T) {
	s := auth.Settings{Secret: strings.Repeat("s", auth.MinSecretBytes), SubjectClaim: "sub", RolesClaim: "roles"}
	authenticator, err := auth.New(t.Context(), s, slog.New(slog.DiscardHandler))
	fatal.If(t, err)
	token, err := auth.Mint(s, viewer.Viewer{ID: "u1"}, time.Minute)
	fatal.If(t, err)
	c, lines := config(t)
	c.Callers.Authenticate = authenticator.Authenticate
	url := serve(t, c)
	ask := func(authorization, body string) answer {
		return postBody(t, url, body, "Authorization", authorization)
	}
	const operation = `{"query": "{ __typename }"}`
	if a := ask("Bearer "+token, operation); a.status != http.StatusOK {
		t.Errorf("got %d %s", a.status, a.body)
	}
	for _, c := range []struct {
		authorization, body string
		status              int
		code, challenge     string
	}{
		{"Bearer " + token + "x", operation, http.StatusUnauthorized, "UNAUTHENTICATED", `error="invalid_token"`},
		{"Bearer " + token + "x", `{`, http.StatusUnauthorized, "UNAUTHENTICATED", `error="invalid_token"`},
		{token, operation, http.StatusBadRequest, "BAD_REQUEST", `error="invalid_request"`},
	} {
		a := ask(c.authorization, c.body)
		if got := a.header.Get("WWW-Authenticate"); a.status != c.status || !strings.Contains(got, c.challenge) {
			t.Errorf("got status %d and the challenge %q, want %d and %s", a.status, got, c.status, c.challenge)
		}
		if a.code() != c.code || a.result.Data != nil {
			t.Errorf("got %s", a.body)
		}
	}
	if got := lines.String(); strings.Contains(got, `"ERROR"`) || !strings.Contains(got, "a token was rejected") {
		t.Errorf("a bad token is logged as an error: %s", got)
	}
	if got := lines.String(); strings.Contains(got, token) || strings.Contains(got, "Bearer") {
		t.Errorf("the log has the token: %s", got)
	}
}
