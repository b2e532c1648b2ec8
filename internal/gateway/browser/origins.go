package browser

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/jub0bs/cors"
)

// anyOrigin in a list of origins means all of them.
const anyOrigin = "*"

// loopbackHosts are the hosts of the pages of this machine, as origins have them.
var loopbackHosts = []string{"localhost", "127.0.0.1", "[::1]"}

// Origins are the origins, besides the gateway's own, whose pages may send operations and read the responses. The zero
// value is an empty list.
type Origins struct {
	any      bool
	loopback bool
	list     []string
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
	if _, err := cors.NewMiddleware(cors.Config{Origins: o.list}); err != nil {
		return err
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

// WithLoopback returns the origins and those of this machine: http and https on localhost, 127.0.0.1 and [::1], with
// any port.
func (o Origins) WithLoopback() Origins {
	o.loopback = true
	return o
}

// IsLoopback reports whether no pages are allowed but those of this machine.
func (o Origins) IsLoopback() bool {
	return !o.any && !slices.ContainsFunc(o.list, func(origin string) bool { return !isLoopbackOrigin(origin) })
}

// String returns the list as a setting has it.
func (o Origins) String() string { return strings.Join(o.written(), ",") }

// written are the origins that have been listed.
func (o Origins) written() []string {
	if o.any {
		return []string{anyOrigin}
	}
	return slices.Clone(o.list)
}

// patterns are the origins as package cors has them.
func (o Origins) patterns() []string {
	if o.any {
		return []string{anyOrigin}
	}
	patterns := slices.Clone(o.list)
	if o.loopback {
		for _, host := range loopbackHosts {
			patterns = append(patterns, "http://"+host+":*", "https://"+host+":*")
		}
	}
	return patterns
}

// allows reports whether pages of an origin may use the gateway, as browsers write it in the header Origin.
func (o Origins) allows(origin string) bool {
	return o.any || slices.Contains(o.list, origin) || o.loopback && isLoopbackOrigin(origin)
}

// isLoopbackOrigin reports whether an origin is a page that a server on this machine has sent.
func isLoopbackOrigin(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && checkOrigin(origin) == nil && (u.Scheme == "http" || u.Scheme == "https") &&
		slices.Contains(loopbackHosts, strings.TrimSuffix(u.Host, ":"+u.Port()))
}
