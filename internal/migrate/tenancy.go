package migrate

import (
	"fmt"
	"strings"
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
	// precedes all partition keys, for every caller.
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

// settled returns a version's text once the migration to it has ended: other tenants may come.
func settled(text string) string {
	t, sdl := cutTenancy(text)
	if t.Kind == OfFirst {
		t.Kind = WithTenants
	}
	return t.text() + sdl
}

// ofAny is String without the first tenant.
func (t Tenancy) ofAny() string {
	t.Kind = min(t.Kind, WithTenants)
	return t.String()
}
