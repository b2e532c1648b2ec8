package migrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// GetsTenants reports whether the table gets tenants on its way between two versions: whatever it has, it then has
// under another key.
func GetsTenants(from, to Version) bool {
	return from.Tenancy.Kind != OfFirst && to.Tenancy.Kind == OfFirst
}

// tenants compares whether there are tenants. What says nothing follows the other one.
func (d *Difference) tenants() {
	was, is := d.from.Tenancy, d.to.Tenancy
	if GetsTenants(d.from, d.to) && was.Kind != WithTenants {
		d.changed(Part{Kind: TableTenants, Blocked: d.ambiguousTenant()}, Tenancy{}.String(), is.String())
		return
	}
	if was.Kind == Unsaid || is.Kind == Unsaid {
		return
	}
	p := Part{Kind: TableTenants, Blocked: "objects of several tenants have the same keys: load an export of each " +
		"tenant into a table of its own"}
	if was.Kind == WithoutTenants {
		p.Blocked = "nobody has said whose all that is stored is: name the tenant with --tenant"
	}
	d.changed(p, was.ofAny(), is.ofAny())
}

// ambiguousTenant returns why the items that a table gets with tenants could not be told from those that it has, or "".
func (d *Difference) ambiguousTenant() string {
	prefix := string(d.to.Prefix())
	if once := d.from.Layout.TenantPrefix(write.OncePrefix); keys.Overlap(string(once), prefix) {
		return fmt.Sprintf("the keys of idempotency keys begin with %q: choose another name of the tenant", once)
	}
	for _, t := range d.from.Types {
		shapes := t.Shapes()
		for _, u := range t.Uniques {
			shapes = append(shapes, u.Shape())
		}
		for _, s := range shapes {
			switch leading := s.PK.Leading(); {
			case strings.HasPrefix(leading, prefix):
				return fmt.Sprintf("the key %q of %s begins with %q already: choose another name of the tenant", s.PK, t.Name,
					prefix)
			case strings.HasPrefix(prefix, leading):
				return fmt.Sprintf("a key %q of %s may begin with %q already: load an export into another table with --tenant",
					s.PK, t.Name, prefix)
			}
		}
	}
	return ""
}

// alone blocks tenants beside other changes: each item gets another key, and what changes in place would have no place.
func (d *Difference) alone() {
	if !GetsTenants(d.from, d.to) {
		return
	}
	isOther := func(p Part) bool { return p.Kind != TableTenants && !p.IsFree }
	for i := range d.Parts {
		if p := &d.Parts[i]; p.Kind == TableTenants && p.Blocked == "" && slices.ContainsFunc(d.Parts, isOther) {
			p.Blocked = "a table gets tenants without another change of what it stores: migrate and finish the schema first, " +
				"then the tenants, or the other way round"
		}
	}
}
