package gateway

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// preflightAge is how long browsers may cache the response to a preflight. Two hours is the maximum of Chromium.
const preflightAge = 2 * time.Hour

// sentHeaders are the request headers that pages of allowed origins may send, beside those of the engine, those of
// Config.CORSHeaders, and those that need no permission.
var sentHeaders = []string{
	"Accept", "Authorization", "Content-Type", headerRequestID, "Traceparent", "Tracestate",
	"Apollo-Require-Preflight", "Apollographql-Client-Name", "Apollographql-Client-Version", "X-Apollo-Operation-Name",
}

// readableHeaders are the response headers that these pages can read, beside those that need no permission.
var readableHeaders = strings.Join([]string{headerRequestID, "Retry-After", "Www-Authenticate"}, ", ")

// HeaderNames are the names of HTTP headers. The zero value is an empty list.
type HeaderNames []string

// UnmarshalText reads a comma-separated list such as X-Tenant,X-Region. Patterns are errors.
func (n *HeaderNames) UnmarshalText(text []byte) error {
	*n = nil
	if len(text) == 0 {
		return nil
	}
	for name := range strings.SplitSeq(string(text), ",") {
		name = strings.TrimSpace(name)
		if name == "*" {
			return errors.New("write each header out: there is no * for headers")
		}
		if !isToken(name) {
			return fmt.Errorf("%q is no name of a header, such as X-Tenant", name)
		}
		*n = append(*n, http.CanonicalHeaderKey(name))
	}
	return nil
}

// isToken reports whether a text is a token (RFC 9110, section 5.6.2), as the names of headers are.
func isToken(text string) bool {
	isOther := func(r rune) bool {
		isLetter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		return !isLetter && !('0' <= r && r <= '9') && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	}
	return text != "" && !strings.ContainsFunc(text, isOther)
}

// cors is the CORS protocol of the Fetch standard, https://fetch.spec.whatwg.org/#http-cors-protocol. There are no
// credentials, because there are no cookies: pages send tokens in a header, which a preflight announces.
type cors struct {
	origins Origins
	methods string
	headers []string
	refused *refusedPages
}

func newCORS(config Config, refused *refusedPages, methods ...string) cors {
	headers := slices.Clone(sentHeaders)
	for _, name := range slices.Concat(config.requestHeaders(), config.CORSHeaders) {
		headers = append(headers, http.CanonicalHeaderKey(name))
	}
	return cors{config.CORSOrigins, strings.Join(methods, ", "), headers, refused}
}

// allow adds the headers of the protocol to the responses of a handler, so that pages of the origins can read them, and
// answers their preflights. To an origin that is not allowed, the response has none of these headers, so that the
// browser's message names the origin. If only a header is not allowed, the response has them, so that the message names
// the header.
func (c cors) allow(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin, header := r.Header.Get("Origin"), w.Header()
		header.Add("Vary", "Origin")
		isPreflight := r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
		if origin == "" || !c.origins.allows(origin) {
			if origin != "" && isPreflight {
				c.refused.origin(r)
				writeRequestError(w, r, foreignPage())
				return
			}
			next.ServeHTTP(w, r)
			return
		}
		if c.origins.any {
			origin = anyOrigin
		}
		header.Set("Access-Control-Allow-Origin", origin)
		if !isPreflight {
			header.Set("Access-Control-Expose-Headers", readableHeaders)
			next.ServeHTTP(w, r)
			return
		}
		header.Set("Access-Control-Allow-Methods", c.methods)
		header.Set("Access-Control-Allow-Headers", strings.Join(c.headers, ", "))
		header.Set("Access-Control-Max-Age", strconv.Itoa(int(preflightAge/time.Second)))
		if other := c.otherHeaders(r); len(other) > 0 {
			c.refused.headers(r, other)
		}
		w.WriteHeader(http.StatusNoContent)
	})
}

// otherHeaders returns the headers that a preflight announces and that are not allowed.
func (c cors) otherHeaders(r *http.Request) (other []string) {
	for name := range strings.SplitSeq(strings.Join(r.Header.Values("Access-Control-Request-Headers"), ","), ",") {
		name = http.CanonicalHeaderKey(strings.TrimSpace(name))
		if name != "" && !slices.Contains(c.headers, name) {
			other = append(other, name)
		}
	}
	return other
}
