package operation

import (
	"net/http"
	"net/netip"

	"github.com/partita/partita/internal/replicas"
	"github.com/partita/partita/viewer"
)

// Callers are who sends operations.
type Callers struct {
	// Authenticate returns the viewer of a request; without it, all callers are anonymous. The message of an error with a
	// Code method is sent to the caller; any other error is only logged. If an error also has a Challenge method, its
	// result becomes the header WWW-Authenticate.
	Authenticate func(*http.Request) (viewer.Viewer, error)
	// OnKeys calls a function whenever Authenticate may no longer trust a request that it has trusted, until stop is
	// called. Connections that stay open are then verified again. Without it, that never happens.
	OnKeys func(func()) (stop func())
	// NeedsTenant rejects the operations of viewers without a tenant, except for introspection: the table has tenants.
	NeedsTenant bool
	// Ready returns why no operation of a viewer is carried out at present, but for introspection; nil if all are. Without
	// it, all are.
	Ready func(viewer.Viewer) error
	// TrustedProxies are the networks of the proxies whose X-Forwarded-For has the address of an anonymous caller.
	TrustedProxies []netip.Prefix
}

// Consumption is what callers may consume over time.
type Consumption struct {
	// Budget limits what one caller may consume; none by default.
	Budget Budget
	// AnonymousMutations limits the mutations of callers without a token; none by default.
	AnonymousMutations AnonymousMutations
	// Store has the budgets, so that replicas with the same store share them; nil keeps them in this process.
	Store *replicas.Store
}

// Budget is a token bucket of read units for each viewer, and for each network address of anonymous callers. The
// gateway reserves an operation's estimate before it executes the operation, and then returns what was not consumed.
// Each process has buckets of its own, unless Config.SharedStore is set.
type Budget struct {
	// Maximum is the size of a bucket in read units; 0 for no budget.
	Maximum float64
	// Restore is how many read units are added each second. It must be positive if Maximum is.
	Restore float64
}
