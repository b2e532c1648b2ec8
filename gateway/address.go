package gateway

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// maxHops is how many addresses of X-Forwarded-For are looked at, from the right.
const maxHops = 32

// clientAddress finds out where a request comes from. X-Forwarded-For is believed only as far as trusted proxies have written it:
// from the right, the first address that is not theirs is the client's. All that stands left of it anyone can have made up.
// The header Forwarded is ignored: a proxy that writes one of the two passes on whatever a client puts into the other.
func clientAddress(r *http.Request, trusted []netip.Prefix) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	address := peer.Addr().Unmap().WithZone("")
	hops := r.Header.Values("X-Forwarded-For")
	for n := 0; isTrusted(address, trusted) && n < maxHops; n++ {
		var hop string
		if hop, hops = lastHop(hops); hop == "" {
			break
		}
		next, err := parseHop(hop)
		if err != nil {
			break // nobody knows who stands further left
		}
		address = next
	}
	return address
}

// lastHop takes the rightmost element of the header's lines, which make one list.
func lastHop(lines []string) (hop string, rest []string) {
	if len(lines) == 0 {
		return "", nil
	}
	last := len(lines) - 1
	before, hop, several := cutLast(lines[last], ",")
	if !several {
		return strings.TrimSpace(lines[last]), lines[:last]
	}
	rest = slices.Clone(lines)
	rest[last] = before
	return strings.TrimSpace(hop), rest
}

func cutLast(s, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(s, separator); i >= 0 {
		return s[:i], s[i+len(separator):], true
	}
	return s, "", false
}

// parseHop reads an address, with a port as some proxies add it or without.
func parseHop(hop string) (netip.Addr, error) {
	address, err := netip.ParseAddr(hop)
	if err != nil {
		var withPort netip.AddrPort
		if withPort, err = netip.ParseAddrPort(hop); err != nil {
			return netip.Addr{}, err
		}
		address = withPort.Addr()
	}
	return address.Unmap().WithZone(""), nil
}

func isTrusted(address netip.Addr, trusted []netip.Prefix) bool {
	return slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(address) })
}

// networkOf is whom a budget belongs to: one IPv4 address, or the /64 that a provider gives to one IPv6 customer, who could
// otherwise use an address for each request.
//
// https://www.rfc-editor.org/rfc/rfc6177
func networkOf(address netip.Addr) string {
	if address.Is6() {
		return netip.PrefixFrom(address, 64).Masked().String()
	}
	return address.String()
}
