package check

import (
	"context"
	"slices"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

// share is what a page has of one tenant, or all of it in a table without tenants. Items of two tenants have nothing to
// do with each other: each share is inspected by itself, and with requests of its tenant.
type share struct {
	tenant keys.Tenant
	name   string
	items  []item.Item
	// start and last are the last item of the page before and that of this page, zero if they are of other tenants.
	start, last keys.Key
}

// shares divides a page by tenants, and returns its items without a tenant as well.
func (p *pass) shares(result request.Result, start keys.Key) (shares []share, without []item.Item) {
	last := result.Last.Base
	if result.Tenants == nil {
		return []share{{items: result.Items, start: start, last: last}}, nil
	}
	for i, it := range result.Items {
		name := result.Tenants[i]
		if name == "" {
			without = append(without, it)
			continue
		}
		at := slices.IndexFunc(shares, func(s share) bool { return s.name == name })
		if at < 0 {
			tenant := p.Design.Layout.TenantPrefix(name)
			at, shares = len(shares), append(shares, share{
				tenant: tenant, name: name, start: cutKey(tenant, start), last: cutKey(tenant, last),
			})
		}
		shares[at].items = append(shares[at].items, it)
	}
	return shares, without
}

// cutKey returns a stored key without the tenant, zero if it is not one of the tenant.
func cutKey(tenant keys.Tenant, stored keys.Key) keys.Key {
	pk := tenant.Cut(stored.PK)
	if keys.IsOfOtherTenant(pk) {
		return keys.Key{}
	}
	return keys.Key{PK: pk, SK: stored.SK}
}

// context returns the context of the share's requests.
func (s share) context(ctx context.Context) context.Context {
	if s.name == "" {
		return ctx
	}
	return request.WithTenant(ctx, s.name)
}

// shown changes the keys of violations to those that people find in the table.
func (p *pass) shown(s share, found []Violation) []Violation {
	for i := range found {
		key := p.showKey(s, keys.Key{PK: found[i].PK, SK: found[i].SK})
		found[i].PK, found[i].SK = key.PK, key.SK
	}
	return found
}

// showKey returns the texts of a key as it is in the table: with the tenant, and Numbers as they are.
func (p *pass) showKey(s share, key keys.Key) keys.Key {
	pk, sk := p.Design.Layout.ShowKey(keys.Key{PK: s.tenant.Add(key.PK), SK: key.SK})
	return keys.Key{PK: keys.PK(pk), SK: keys.SK(sk)}
}

// withoutTenant returns the violation of an item without a tenant.
func withoutTenant(it item.Item) Violation {
	return At(keys.KeyOf(it), TenantMissing, "no tenant precedes the partition key, so that nobody can read the item")
}

// memory has items of earlier pages, of all tenants.
type memory = lru.LRU[place, item.Item]

// place is the key of an item of a tenant.
type place struct {
	tenant keys.Tenant
	key    keys.Key
}

// earlier are the items of earlier pages of one tenant.
type earlier struct {
	*memory
	tenant keys.Tenant
}

// Get returns an item, nil if it is known that there is none. It reports whether that is known.
func (e earlier) Get(key keys.Key) (item.Item, bool) { return e.memory.Get(place{e.tenant, key}) }

// Add adds an item, nil for none.
func (e earlier) Add(key keys.Key, it item.Item) { e.memory.Add(place{e.tenant, key}, it) }
