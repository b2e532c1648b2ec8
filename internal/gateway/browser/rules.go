package browser

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/jub0bs/cors"
)

// Rules are what browsers may do with a gateway.
type Rules struct {
	// AllowedHosts are the hosts that requests may be addressed to; all by default.
	AllowedHosts Hosts
	// CORSOrigins are the other origins whose pages may use the gateway.
	CORSOrigins Origins
	// CORSHeaders are further request headers that these pages may send.
	CORSHeaders HeaderNames
	// HSTS is how long browsers must use only https, in whole seconds: the header Strict-Transport-Security (RFC 6797).
	// Zero for no such header. The gateway itself has no TLS.
	HSTS time.Duration
}

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
		alone := cors.Config{Origins: []string{anyOrigin}, RequestHeaders: []string{name}}
		if _, err := cors.NewMiddleware(alone); err != nil {
			return fmt.Errorf("%q is no name of a header that pages can send, such as X-Tenant", name)
		}
		*n = append(*n, http.CanonicalHeaderKey(name))
	}
	return nil
}
