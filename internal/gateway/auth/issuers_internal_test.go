package auth

import (
	"errors"
	"log/slog"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/partita/partita/internal/fatal"
)

// downtime counts the requests to a provider that is down.
type downtime struct{ requests int }

func (d *downtime) RoundTrip(*http.Request) (*http.Response, error) {
	d.requests++
	return nil, errors.New("connection refused")
}

// TestDiscoveryIsRepeated: a provider that is down at start is asked again, but not for each token.
func TestDiscoveryIsRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &downtime{}
		s := Settings{
			Issuers: []string{"https://issuer.example"}, Audiences: []string{"shop"}, SubjectClaim: "sub", RolesClaim: "roles",
			client: &http.Client{Transport: d},
		}
		a, err := New(t.Context(), s, slog.New(slog.DiscardHandler))
		fatal.If(t, err)
		token, err := jwt.NewWithClaims(jwt.SigningMethodRS256, jwt.MapClaims{"iss": s.Issuers[0]}).SigningString()
		fatal.If(t, err)
		for _, c := range []struct {
			after time.Duration
			want  int
		}{{0, 1}, {discoveryInterval - 1, 1}, {1, 2}, {1, 2}, {discoveryInterval, 3}} {
			time.Sleep(c.after)
			_, err := ask(t, a, token+".AAAA")
			if e, is := errors.AsType[*Error](err); !is || e.Code() != "UNAVAILABLE" || d.requests != c.want {
				t.Errorf("got %v after %d requests, want %d", err, d.requests, c.want)
			}
		}
	})
}
