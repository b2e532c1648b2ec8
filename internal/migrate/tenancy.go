package migrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// Tenancy is what a version says of the tenants of the data that follow it.
type Tenancy struct {
	Kind TenancyKind
	// First is the tenant to whom everything belonged when the table got tenants; "" if it has always had them.
	First string
}

// TenancyKind is whether a table has tenants.
type TenancyKind int

// The kinds.
const (
	// Unsaid is that of the records of earlier versions of the program: it is as the settings of gateways say.
	Unsaid TenancyKind = iota
	WithoutTenants
	WithTenants
	// OfFirst is that of the side to which a table goes that gets tenants: everything belongs to the first one, which
	// precedes all partition keys, whoever asks.
	OfFirst
)

// What precedes the schema of a version that says it. No schema has this directive, so that a version of the program
// that does not know it does not act by the record.
const (
	tenancyBegin = "extend schema @tenants(are: "
	tenancyFirst = ", first: "
	tenancyEnd   = ")\n"
)

var tenancyNames = [...]string{WithoutTenants: "NONE", WithTenants: "MANY", OfFirst: "ONE"}

// text returns what precedes the schema.
func (t Tenancy) text() string {
	if t.Kind == Unsaid {
		return ""
	}
	first := ""
	if t.First != "" {
		first = tenancyFirst + fmt.Sprintf("%q", t.First)
	}
	return tenancyBegin + tenancyNames[t.Kind] + first + tenancyEnd
}

// cutTenancy returns what a text of a Record says of tenants, and the schema.
func cutTenancy(text string) (t Tenancy, sdl string) {
	line, sdl, _ := strings.Cut(text, "\n")
	said, is := strings.CutPrefix(line, tenancyBegin)
	if !is {
		return Tenancy{}, text
	}
	name, first, hasFirst := strings.Cut(strings.TrimSuffix(said, ")"), tenancyFirst)
	if hasFirst {
		_, _ = fmt.Sscanf(first, "%q", &t.First) // text wrote it; another one has no tenant as its First
	}
	for kind, known := range tenancyNames {
		if known != "" && name == known {
			t.Kind = TenancyKind(kind)
		}
	}
	return t, sdl
}

// Tenancy returns what the record says of the tenants of the data.
func (r Record) Tenancy() Tenancy {
	t, _ := cutTenancy(r.From)
	return t
}

// SaysTenancy reports whether the record, or the side to which a migration goes, says whether there are tenants.
func (r Record) SaysTenancy() bool {
	to, _ := cutTenancy(r.To)
	return r.Tenancy().Kind != Unsaid || to.Kind != Unsaid
}

// String returns what a Part says.
func (t Tenancy) String() string {
	switch t.Kind {
	case WithTenants:
		return "tenants"
	case OfFirst:
		return fmt.Sprintf("tenants, and all that is stored is that of %q", t.First)
	default:
		return "no tenants"
	}
}

// With returns the version with what is known of the tenants of its data.
func (v Version) With(t Tenancy) Version {
	_, sdl := cutTenancy(v.SDL)
	v.Tenancy, v.SDL = t, t.text()+sdl
	return v
}

// Prefix returns what precedes each partition key, whoever asks; the zero Tenant unless everything belongs to one.
func (v Version) Prefix() keys.Tenant {
	if v.Tenancy.Kind != OfFirst {
		return ""
	}
	return v.Layout.TenantPrefix(v.Tenancy.First)
}

// settled returns a version's text once the migration to it has ended: other tenants may come.
func settled(text string) string {
	t, sdl := cutTenancy(text)
	if t.Kind == OfFirst {
		t.Kind = WithTenants
	}
	return t.text() + sdl
}

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

// ofAny is String without the first tenant.
func (t Tenancy) ofAny() string {
	t.Kind = min(t.Kind, WithTenants)
	return t.String()
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
