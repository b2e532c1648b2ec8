package operation

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// maxHops is the number of addresses of X-Forwarded-For that are read, from the right.
const maxHops = 32

// clientAddress returns the address of the client. X-Forwarded-For is trusted only as far as trusted proxies have
// written it: the client's address is the rightmost one that is not a proxy's. Addresses to the left of it may be
// made up. The header Forwarded is ignored: a proxy that writes one of the two headers forwards the other as the
// client sent it.
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
			break // what is to the left of it cannot be trusted
		}
		address = next
	}
	return address
}

// IsFromThisMachine reports whether the client is on the machine of the gateway. A proxy on this machine that is not
// trusted forwards requests of unknown clients. Each proxy and tunnel announces itself by other headers, so a request
// with any that clients do not send has been forwarded.
func IsFromThisMachine(r *http.Request, trusted []netip.Prefix) bool {
	if !clientAddress(r, trusted).IsLoopback() {
		return false
	}
	if r.Header["X-Forwarded-For"] == nil {
		return isDirect(r.Header)
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && isTrusted(peer.Addr().Unmap().WithZone(""), trusted)
}

// isDirect reports whether all headers are those of a browser, or of another client of the gateway.
func isDirect(h http.Header) bool {
	for name := range h {
		if !clientHeaders[name] && !slices.ContainsFunc(clientPrefixes, func(p string) bool {
			return strings.HasPrefix(name, p)
		}) {
			return false
		}
	}
	return true
}

// clientHeaders are the headers that browsers and command lines send, and those that the gateway reads.
//
// https://fetch.spec.whatwg.org/#forbidden-request-header
var clientHeaders = headerSet(
	"Ect", //nolint:misspell // Effective Connection Type, a client hint.
	"Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Authorization", "Cache-Control", "Connection",
	"Content-Length", "Content-Type", "Cookie", "Date", "Dnt", "Downlink", "Expect", "Host", "If-Match",
	"If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Keep-Alive", "Last-Event-Id", "Origin",
	"Pragma", "Priority", "Purpose", "Range", "Referer", "Rtt", "Save-Data", "Te", "Traceparent", "Tracestate",
	"Trailer", "Transfer-Encoding", "Upgrade", "Upgrade-Insecure-Requests", "User-Agent", "X-Purpose", "X-Request-Id",
	"X-Requested-With",
)

// clientPrefixes are the beginnings of such headers.
var clientPrefixes = []string{"Access-Control-", "Apollo-", "Apollographql-", "Graphql-", "Partita-", "Sec-"}

func headerSet(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// lastHop removes the last element from the header's lines, which are one list.
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

// parseHop parses an address. Some proxies add a port.
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

// networkOf returns the network that has one budget: an IPv4 address, or the /64 of an IPv6 address, because providers
// assign at least a /64 to each customer, who could otherwise use a new address for each request.
//
// https://www.rfc-editor.org/rfc/rfc6177
func networkOf(address netip.Addr) netip.Prefix {
	if address.Is6() {
		return netip.PrefixFrom(address, 64).Masked()
	}
	return netip.PrefixFrom(address, address.BitLen())
}
