package browser

import (
	"net/http"
	"time"

	"github.com/partita/partita/internal/gateway/response"
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

// A Guard restricts what browsers can do, and logs which setting would allow more.
type Guard struct {
	rules      Rules
	protection *http.CrossOriginProtection
	refused    *refusedPages
}

// NewGuard returns a Guard by the rules.
func NewGuard(rules Rules) *Guard {
	return &Guard{rules, http.NewCrossOriginProtection(), newRefusedPages(rules)}
}

// CheckForgery rejects operations that a page of a foreign origin makes a browser send.
//
// Mutations are sent by POST as application/json, which requires a preflight. Queries by GET do not: without a check,
// any page could use the browsers of its visitors to consume the table's read units, to measure response times, and
// to reach a gateway behind a firewall, although it could not read the responses. Therefore the rule of
// [http.CrossOriginProtection] (Sec-Fetch-Site, or else Origin compared with Host), which is meant for methods with
// side effects, applies to all operations. Clients other than browsers send neither header and need none.
func (g *Guard) CheckForgery(r *http.Request) *response.Error {
	origin := r.Header.Get("Origin")
	if g.rules.CORSOrigins.any || origin != "" && g.rules.CORSOrigins.allows(origin) {
		return nil
	}
	if r.Method != http.MethodPost {
		unsafe := *r
		unsafe.Method = http.MethodPost // GET and HEAD are not checked
		r = &unsafe
	}
	if err := g.protection.Check(r); err != nil {
		g.refused.origin(r)
		return foreignPage()
	}
	return nil
}

// foreignPage returns the error for a page whose origin is not allowed.
func foreignPage() *response.Error {
	return response.Errorf(http.StatusForbidden, response.CodeForbidden,
		"Pages of other origins may not send operations here. The operator allows an origin by CORS_ORIGINS.")
}
