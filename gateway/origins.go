package gateway

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/rs/cors"
)

// anyOrigin in a list of origins means all of them.
const anyOrigin = "*"

// preflightAge is how long browsers may cache the response to a preflight. Two hours is the maximum of Chromium.
const preflightAge = 2 * time.Hour

// Origins are the origins, besides the gateway's own, whose pages may send operations and read the responses. The zero
// value is an empty list.
type Origins struct {
	any  bool
	list []string
}

// UnmarshalText reads a comma-separated list of origins as browsers write them: scheme, host and port, without the
// port if it is the scheme's default, such as https://shop.example. A single * means all origins. Patterns are
// errors, and so is null, the origin of all sandboxed pages and local files.
func (o *Origins) UnmarshalText(text []byte) error {
	*o = Origins{}
	switch string(text) {
	case "":
		return nil
	case anyOrigin:
		o.any = true
		return nil
	}
	for origin := range strings.SplitSeq(string(text), ",") {
		origin = strings.TrimSpace(origin)
		if err := checkOrigin(origin); err != nil {
			return fmt.Errorf("%q is no origin: %w", origin, err)
		}
		o.list = append(o.list, origin)
	}
	return nil
}

func checkOrigin(origin string) error {
	u, err := url.Parse(origin)
	switch {
	case strings.Contains(origin, anyOrigin):
		return errors.New("write each origin out; use * alone for all of them")
	case err != nil || u.Scheme == "" || u.Host == "" || u.Hostname() == "":
		return errors.New("write scheme and host, such as https://shop.example")
	case u.Scheme+"://"+u.Host != origin:
		return errors.New("write scheme, host and port alone, the scheme in lower case, without a slash at the end")
	case u.Host != strings.ToLower(u.Host):
		return errors.New("browsers write the host in lower case")
	case u.Scheme == "https" && u.Port() == "443", u.Scheme == "http" && u.Port() == "80":
		return errors.New("browsers leave out the scheme's own port")
	}
	return nil
}

// allow adds the headers of the CORS protocol (Fetch standard), so that pages of the origins can read the responses.
// There are no credentials, because there are no cookies: pages send tokens in a header, which a preflight announces.
func (o Origins) allow(requestHeaders []string, next http.Handler) http.Handler {
	allowed := o.list
	if o.any {
		allowed = []string{anyOrigin}
	}
	if len(allowed) == 0 {
		return next // package cors treats an empty list as all origins
	}
	return cors.New(cors.Options{
		AllowedOrigins: allowed,
		AllowedMethods: []string{http.MethodGet, http.MethodHead, http.MethodPost},
		AllowedHeaders: append([]string{
			"Accept", "Authorization", "Content-Type", headerRequestID, "Traceparent", "Tracestate",
			"Apollo-Require-Preflight", "Apollographql-Client-Name", "Apollographql-Client-Version",
			"X-Apollo-Operation-Name",
		}, requestHeaders...),
		ExposedHeaders: []string{headerRequestID, "Retry-After", "Www-Authenticate"},
		MaxAge:         int(preflightAge / time.Second),
	}).Handler(next)
}

// A forgeryCheck rejects operations that a page of a foreign origin makes a browser send.
//
// Mutations are sent by POST as application/json, which requires a preflight. Queries by GET do not: without a check,
// any page could use the browsers of its visitors to consume the table's read units, to measure response times, and
// to reach a gateway behind a firewall, although it could not read the responses. Therefore the rule of
// [http.CrossOriginProtection] (Sec-Fetch-Site, or else Origin compared with Host), which is meant for methods with
// side effects, applies to all operations. Clients other than browsers send neither header and need none.
type forgeryCheck struct{ protection *http.CrossOriginProtection }

func (o Origins) forgeryCheck() forgeryCheck {
	if o.any {
		return forgeryCheck{}
	}
	protection := http.NewCrossOriginProtection()
	for _, origin := range o.list {
		if err := protection.AddTrustedOrigin(origin); err != nil {
			panic(err) // UnmarshalText has checked it
		}
	}
	return forgeryCheck{protection}
}

func (c forgeryCheck) check(r *http.Request) *requestError {
	if c.protection == nil {
		return nil
	}
	if r.Method != http.MethodPost {
		unsafe := *r
		unsafe.Method = http.MethodPost // GET and HEAD are not checked
		r = &unsafe
	}
	if err := c.protection.Check(r); err != nil {
		return requestErrorf(http.StatusForbidden, codeForbidden,
			"Pages of other origins may not send operations here. The operator allows an origin by CORS_ORIGINS.")
	}
	return nil
}
