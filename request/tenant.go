package request

import (
	"context"

	"github.com/partita/partita/keys"
)

type tenantKey struct{}

// WithTenant returns the context of requests of a tenant. A table with tenants accepts no others.
func WithTenant(ctx context.Context, tenant string) context.Context {
	return context.WithValue(ctx, tenantKey{}, tenant)
}

// TenantOf returns the tenant of a context's requests, "" if there is none.
func TenantOf(ctx context.Context) string {
	tenant, _ := ctx.Value(tenantKey{}).(string)
	return tenant
}

// Of returns the request with the tenant before its partition keys. It reports whether anything can be stored under
// them: a key with the tenant may be too long.
func (r GetItem) Of(tenant keys.Tenant) (GetItem, bool) {
	r.Key.PK = tenant.Add(r.Key.PK)
	return r, len(r.Key.PK) <= keys.MaxPKBytes
}

// Of is as that of GetItem. Keys that are too long are left out.
func (r BatchGetItem) Of(tenant keys.Tenant) (BatchGetItem, bool) {
	stored := make([]keys.Key, 0, len(r.Keys))
	for _, k := range r.Keys {
		if k.PK = tenant.Add(k.PK); len(k.PK) <= keys.MaxPKBytes {
			stored = append(stored, k)
		}
	}
	r.Keys = stored
	return r, len(stored) > 0
}

// Of is as that of GetItem. The position in an index may be one after an item of another tenant.
func (q Query) Of(tenant keys.Tenant) (Query, bool) {
	q.PK = tenant.Add(q.PK)
	if q.Start.Base.PK != "" {
		q.Start.Base.PK = tenant.Restore(q.Start.Base.PK)
	}
	return q, len(q.PK) <= keys.MaxPKBytes
}
