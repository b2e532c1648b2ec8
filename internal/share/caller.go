package share

import "net/netip"

// A Caller is whom the operations of one share belong to: a viewer, or the network of anonymous callers.
type Caller struct {
	// Tenant is that of the viewer, "" without tenants.
	Tenant string
	// Viewer is the id of the viewer; "" for an anonymous caller.
	Viewer string
	// Network is that of an anonymous caller.
	Network netip.Prefix
}
