package gateway_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/auth"
	"github.com/partita/partita/internal/gateway/internal/testschema"
	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/telemetry"
	"github.com/partita/partita/viewer"
)

// BenchmarkRequest measures what an operation costs beside its resolvers, with a token, the log, metrics and a budget,
// as in production.
func BenchmarkRequest(b *testing.B) {
	logger, err := logging.New(io.Discard, "json")
	fatal.If(b, err)
	settings := auth.Settings{
		Secret:       strings.Repeat("s", auth.MinSecretBytes),
		SubjectClaim: "sub", RolesClaim: "roles",
	}
	authenticator, err := auth.New(b.Context(), settings, logger)
	fatal.If(b, err)
	token, err := auth.Mint(settings, viewer.Viewer{ID: "u1", Roles: []string{"ADMIN"}}, time.Hour)
	fatal.If(b, err)
	handler := gateway.New(gateway.Config{
		Schema: schema(&testschema.Resolver{}),
		Monitoring: gateway.Monitoring{
			Logger:   logger,
			Observer: telemetry.NewObserver(telemetry.NewMetrics(telemetry.MetricsOptions{}), nil),
		},
		Callers:     operation.Callers{Authenticate: authenticator.Authenticate},
		Consumption: operation.Consumption{Budget: operation.Budget{Maximum: 1000, Restore: 100}},
	})
	const echo = `{"query":"query Bench($text: String!) {\n  echo(text: $text)\n}","variables":{"text":"%s"}}`
	for _, c := range []struct{ name, body string }{
		{"typename", `{"query":"query Bench { __typename }"}`},
		{"variables", fmt.Sprintf(echo, "hello")},
		{"compressed", fmt.Sprintf(echo, strings.Repeat("x", 2000))},
		// Each document is new: it is parsed, validated and compiled.
		{"document", `{"query":"query Bench { __typename } # %09d"}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			reader := strings.NewReader(c.body)
			request := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/graphql", reader)
			request.Header.Set("Content-Type", "application/json")
			request.Header.Set("Accept", "application/graphql-response+json, application/json;q=0.9")
			request.Header.Set("Accept-Encoding", "gzip")
			request.Header.Set("Authorization", "Bearer "+token)
			w := &discarded{}
			body := c.body
			for n := 0; b.Loop(); n++ {
				if c.name == "document" {
					body = fmt.Sprintf(c.body, n)
				}
				reader.Reset(body)
				w.header = http.Header{}
				handler.ServeHTTP(w, request)
			}
			if w.status != http.StatusOK {
				b.Errorf("the status is %d", w.status)
			}
		})
	}
}

// discarded is a response that nobody reads.
type discarded struct {
	header http.Header
	status int
}

func (d *discarded) Header() http.Header         { return d.header }
func (d *discarded) WriteHeader(status int)      { d.status = status }
func (d *discarded) Write(b []byte) (int, error) { return len(b), nil }
