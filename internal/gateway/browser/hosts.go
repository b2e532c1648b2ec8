package browser

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/partita/partita/internal/gateway/response"
)

// anyHost in a list of hosts means all of them.
const anyHost = "*"

// Hosts are the hosts that requests may be addressed to: names and IP addresses, with any port. The zero value is all
// hosts.
//
// They stop DNS rebinding: the name of a page of an attacker is resolved a second time, to an address of the gateway,
// and the browser of a visitor then treats the gateway as the origin of that page. Only the header Host has the name.
type Hosts struct {
	any      bool
	loopback bool
	list     []string // as canonicalHost returns them
}

// UnmarshalText reads a comma-separated list of names and IP addresses without ports, such as shop.example. A single *
// means all hosts. Patterns are errors.
func (h *Hosts) UnmarshalText(text []byte) error {
	*h = Hosts{}
	switch string(text) {
	case "":
		return nil
	case anyHost:
		h.any = true
		return nil
	}
	for host := range strings.SplitSeq(string(text), ",") {
		host = strings.TrimSpace(host)
		if err := checkHost(host); err != nil {
			return fmt.Errorf("%q is no host: %w", host, err)
		}
		*h = h.With(host)
	}
	return nil
}

func checkHost(host string) error {
	if _, err := netip.ParseAddr(withoutBrackets(host)); err == nil {
		return nil
	}
	switch {
	case strings.Contains(host, anyHost):
		return errors.New("write each host out; use * alone for all of them")
	case strings.Contains(host, "/"), strings.Contains(host, "@"):
		return errors.New("write the name alone, such as shop.example")
	case strings.Contains(host, ":"):
		return errors.New("leave out the port, because each one is allowed")
	case host == "" || strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return errors.New("write a name as browsers send it, such as shop.example or xn--bcher-kva.example")
	}
	return nil
}

// With returns the hosts and one more.
func (h Hosts) With(host string) Hosts {
	h.list = append(slices.Clip(h.list), canonicalHost(host))
	return h
}

// WithLoopback returns the hosts and those of this machine: localhost and all loopback addresses.
func (h Hosts) WithLoopback() Hosts {
	h.loopback = true
	return h
}

// IsLoopback reports whether the hosts are those of this machine and no others.
func (h Hosts) IsLoopback() bool {
	return h.loopback && !h.any && !slices.ContainsFunc(h.list, func(host string) bool { return !isLoopback(host) })
}

// String returns the list as a setting has it.
func (h Hosts) String() string {
	switch {
	case h.allowsAll():
		return anyHost
	case h.loopback:
		return strings.Join(append([]string{"localhost"}, h.list...), ",")
	}
	return strings.Join(h.list, ",")
}

func (h Hosts) allowsAll() bool { return h.any || !h.loopback && len(h.list) == 0 }

// allows reports whether a request may have the Host.
func (h Hosts) allows(host string) bool {
	host = canonicalHost(withoutPort(host))
	return slices.Contains(h.list, host) || h.loopback && isLoopback(host)
}

// Restrict answers requests to other hosts with an error. It uses the Host alone, or the host of an absolute request
// target, which net/http prefers (RFC 9112, section 3.2.2): X-Forwarded-Host can have any value. The probes are paths
// for load balancers, which have addresses instead of names; what they get is not about data.
func (h Hosts) Restrict(next http.Handler, probes ...string) http.Handler {
	if h.allowsAll() {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !h.allows(r.Host) && !slices.Contains(probes, r.URL.Path) {
			response.WriteError(w, r, response.Errorf(http.StatusMisdirectedRequest, response.CodeForbidden,
				"This gateway does not answer requests to the host of this URL. The operator allows a host by ALLOWED_HOSTS."))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// withoutPort returns the host of an authority.
func withoutPort(authority string) string {
	if colon := strings.LastIndexByte(authority, ':'); colon > strings.LastIndexByte(authority, ']') {
		return authority[:colon]
	}
	return authority
}

func withoutBrackets(host string) string {
	if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
		return host[1 : len(host)-1]
	}
	return host
}

// canonicalHost returns one text for all spellings of a host: lower case, no dot at the end, IPv6 without brackets.
func canonicalHost(host string) string {
	host = withoutBrackets(strings.TrimSuffix(strings.ToLower(host), "."))
	if address, err := netip.ParseAddr(host); err == nil {
		return address.Unmap().WithZone("").String()
	}
	return host
}

// isLoopback reports whether a canonical host is this machine.
func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}
