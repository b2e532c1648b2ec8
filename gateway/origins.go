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

// anyOrigin stands for all origins in a list of them.
const anyOrigin = "*"

// preflightAge is for how long browsers may remember that a request was allowed. Chromium takes two hours at most.
const preflightAge = 2 * time.Hour

// Origins are those whose pages may send operations and read the answers, besides the gateway's own. The zero Origins are none.
type Origins struct {
	any  bool
	list []string
}

// UnmarshalText reads origins as browsers write them: scheme, host and, unless it is the scheme's own, port, such as
// https://shop.example, with commas between them. A * alone means every origin. There are no patterns, and null, which is the origin of
// every sandboxed page and local file, is none.
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
		return errors.New("write each origin out; * stands alone, for all of them")
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

// share lets the pages of the origins read what next answers (Fetch standard, CORS protocol). There are no cookies, hence no
// credentials: a page that has a token puts it into a header, which a preflight announces.
func (o Origins) share(requestHeaders []string, next http.Handler) http.Handler {
	allowed := o.list
	if o.any {
		allowed = []string{anyOrigin}
	}
	if len(allowed) == 0 {
		return next // cors takes an empty list for all origins
	}
	return cors.New(cors.Options{
		AllowedOrigins: allowed,
		AllowedMethods: []string{http.MethodGet, http.MethodHead, http.MethodPost},
		AllowedHeaders: append([]string{
			"Accept", "Authorization", "Content-Type", headerRequestID, "Traceparent", "Tracestate",
			"Apollo-Require-Preflight", "Apollographql-Client-Name", "Apollographql-Client-Version", "X-Apollo-Operation-Name",
		}, requestHeaders...),
		ExposedHeaders: []string{headerRequestID, "Retry-After", "Www-Authenticate"},
		MaxAge:         int(preflightAge / time.Second),
	}).Handler(next)
}

// A forgeryCheck refuses operations that a page of a foreign origin makes a browser send.
//
// A mutation comes by POST as application/json, which takes a preflight. That alone would leave queries by GET to any page: it could
// not read the answers, but have its visitors spend the table's read units, time the answers, and reach a gateway behind a firewall. So the
// rule of [http.CrossOriginProtection] (Sec-Fetch-Site, else Origin against Host), meant for methods that change something, holds
// for each operation here. Clients that are no browsers send neither header and need none; no client has to send a header
// only to pass.
type forgeryCheck struct{ protection *http.CrossOriginProtection }

func (o Origins) forgeryCheck() forgeryCheck {
	if o.any {
		return forgeryCheck{}
	}
	protection := http.NewCrossOriginProtection()
	for _, origin := range o.list {
		if err := protection.AddTrustedOrigin(origin); err != nil {
			panic(err) // UnmarshalText has taken it
		}
	}
	return forgeryCheck{protection}
}

func (c forgeryCheck) check(r *http.Request) *requestError {
	if c.protection == nil {
		return nil
	}
	unsafe := *r
	unsafe.Method = http.MethodPost // GET and HEAD pass unseen
	if err := c.protection.Check(&unsafe); err != nil {
		return requestErrorf(http.StatusForbidden, codeForbidden,
			"Pages of other origins may not send operations here. The operator allows an origin by CORS_ORIGINS.")
	}
	return nil
}
