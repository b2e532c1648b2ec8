package browser

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/jub0bs/cors"

	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/gateway/response"
)

// preflightAge is how long browsers may cache the response to a preflight. Two hours is the maximum of Chromium.
const preflightAge = 2 * time.Hour

// sentHeaders are the request headers that pages of allowed origins may send, beside those of the engine, those of
// Rules.CORSHeaders, and those that need no permission.
var sentHeaders = []string{
	"Accept", "Authorization", "Content-Type", response.HeaderLastEventID, logging.HeaderRequestID,
	"Traceparent", "Tracestate",
	"Apollo-Require-Preflight", "Apollographql-Client-Name", "Apollographql-Client-Version", "X-Apollo-Operation-Name",
}

// readableHeaders are the response headers that these pages can read, beside those that need no permission.
var readableHeaders = []string{logging.HeaderRequestID, "Retry-After", "Www-Authenticate", "Mcp-Session-Id"}

// Sharing answers preflights, and allows pages of other origins to read responses. There are no credentials, because
// there are no cookies: pages send tokens in a header, which a preflight announces.
type Sharing struct {
	origins    Origins
	headers    []string
	refused    *refusedPages
	middleware cors.Middleware // of all responses if no other origin is allowed: it does nothing
}

// Sharing returns the one of a path with these methods, whose operations have further headers.
func (g *Guard) Sharing(further []string, methods ...string) *Sharing {
	headers := slices.Clone(sentHeaders)
	for _, name := range slices.Concat(further, g.rules.CORSHeaders) {
		headers = append(headers, http.CanonicalHeaderKey(name))
	}
	s := &Sharing{origins: g.rules.CORSOrigins, headers: headers, refused: g.refused}
	patterns := g.rules.CORSOrigins.patterns()
	if len(patterns) == 0 {
		return s
	}
	err := s.middleware.Reconfigure(&cors.Config{
		Origins: patterns, Methods: methods, RequestHeaders: headers, ResponseHeaders: readableHeaders,
		MaxAgeInSeconds: int(preflightAge / time.Second),
	})
	if err != nil {
		panic(err) // UnmarshalText has checked the settings
	}
	// The message in the browser's console names the header that is not allowed, not the origin.
	s.middleware.SetDebug(true)
	return s
}

// Allow returns a handler whose responses pages of the allowed origins can read.
func (s *Sharing) Allow(next http.Handler) http.Handler {
	shared := s.middleware.Wrap(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if origin := r.Header.Get("Origin"); origin != "" && isPreflight(r) {
			switch other := s.otherHeaders(r); {
			case !s.origins.allows(origin):
				s.refused.origin(r)
				response.WriteError(w, r, foreignPage())
				return
			case len(other) > 0:
				s.refused.headers(r, other)
			}
		}
		shared.ServeHTTP(w, r)
	})
}

func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}

// otherHeaders returns the headers that a preflight announces and that are not allowed.
func (s *Sharing) otherHeaders(r *http.Request) (other []string) {
	for name := range strings.SplitSeq(strings.Join(r.Header.Values("Access-Control-Request-Headers"), ","), ",") {
		name = http.CanonicalHeaderKey(strings.TrimSpace(name))
		if name != "" && !slices.Contains(s.headers, name) {
			other = append(other, name)
		}
	}
	return other
}
