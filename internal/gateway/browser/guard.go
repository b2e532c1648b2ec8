package browser

import (
	"net/http"

	"github.com/partita/partita/internal/gateway/response"
)

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
