package table

import (
	"context"
	"fmt"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

// Owner is the tenant to whom all that is stored belongs, while a table gets tenants.
type Owner struct {
	// Name is the only tenant whose requests are sent; "" if callers have no tenants, all of whom are then this one.
	Name string
	// Prefix precedes each partition key; "" as long as reads use the keys without the tenant.
	Prefix keys.Tenant
}

// Nobody is an Owner whose requests nobody sends: no tenant can have the name.
const Nobody = "\x00"

// TenantIn returns what precedes the partition keys of a context's requests: the zero Tenant without tenants. The error
// wraps ErrNoTenant.
func (s Schema) TenantIn(ctx context.Context) (keys.Tenant, error) {
	name := request.TenantOf(ctx)
	switch {
	case s.Owner != nil && s.Owner.Name != "" && s.Owner.Name != name:
		return "", fmt.Errorf("%w: all that is stored belongs to another one", ErrNoTenant)
	case s.Owner != nil:
		return s.Owner.Prefix, nil
	case !s.Tenants:
		return "", nil
	}
	tenant, err := s.Layout().Tenant(name)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoTenant, err)
	}
	return tenant, nil
}

// hasOwnTokens reports whether transactions of a tenant have tokens that no other one has. Those of the tenant to whom
// everything belonged do not need it, and a retry must have the token of before.
func (s Schema) hasOwnTokens(tenant keys.Tenant) bool {
	return s.Tenants && (s.First == "" || tenant != s.Layout().TenantPrefix(s.First))
}
