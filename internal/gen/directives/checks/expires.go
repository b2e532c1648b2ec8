package checks

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// checkExpires finds types whose items DynamoDB would not delete, or whose deletion nothing counts. A table has one
// attribute for the expiry of its items, with a Number.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html
func checkExpires(r *checker) {
	var first *reading.Type
	for _, t := range r.SortedTypes() {
		if t.Expires == "" || !checkExpiryField(r, t) {
			continue
		}
		if first == nil {
			first = t
			checkOtherTimes(r, t)
		}
		name, other := t.ExpiryAttribute(), first.ExpiryAttribute()
		if name == other {
			continue
		}
		what := fmt.Sprintf("its items expire by the attribute %s, those of %s by %s: a table has one attribute for it",
			name, first.Name, other)
		if f := t.Def.Fields.ForName(t.Expires); f != nil {
			findStored(r, t.Name, f, what, other)
		} else {
			r.find(t.ItemPosition(), t.Name, what, fmt.Sprintf("write expires: %q", other))
		}
	}
	checkCountsOfExpiring(r)
}

// checkExpiryField finds an expiry that is a field, but no stored Time. It reports whether there is nothing to find.
func checkExpiryField(r *checker, t *reading.Type) bool {
	before := len(r.findings)
	f := t.Def.Fields.ForName(t.Expires)
	isReserved := r.Names().IsKey(t.Expires) || t.Expires == r.Names().Type || t.Expires == keys.AttributeDeletedAt
	switch a := t.Attribute(t.Expires); {
	case isReserved:
		r.find(t.ItemPosition(), t.Name, "expires names "+t.Expires+", an attribute that the table itself needs",
			fmt.Sprintf("write expires: %q", keys.AttributeExpiry))
	case f == nil:
	case a == nil:
		r.find(t.ItemPosition(), t.Name, fmt.Sprintf("expires names %s, which is a field that is not stored", t.Expires),
			fmt.Sprintf("write expires: %q, or another attribute that is no field", keys.AttributeExpiry))
	case a.Kind != keys.Time:
		r.find(t.ItemPosition(), t.Name, fmt.Sprintf("expires names %s, which is no Time", t.Expires),
			sdl.Retype(t.Name, f, sdl.WithNullability("Time", f.Type)))
	default:
		d := f.Directives.ForName("stored")
		if d == nil {
			break
		}
		if as := sdl.Text(d, "as"); as != "" && as != keys.EpochSeconds.String() {
			r.find(d.Position, t.Name+"."+f.Name, "an expiry is stored as EPOCH_SECONDS, not as "+as, "write as: EPOCH_SECONDS")
		}
	}
	return len(r.findings) == before
}

// checkOtherTimes finds numbers of other types in the attribute by which items expire: DynamoDB takes them for times.
func checkOtherTimes(r *checker, expiring *reading.Type) {
	name := expiring.ExpiryAttribute()
	for _, t := range r.SortedTypes() {
		for _, a := range t.Attributes {
			f := t.Def.Fields.ForName(a.Name)
			isNumber := a.IsNumber() || f.Type.NamedType == "Float"
			if t.Expires == "" && isNumber && a.StoredName() == name {
				findStored(r, t.Name, f, fmt.Sprintf("items of %s expire by the attribute %s: DynamoDB would delete items of "+
					"%s, too",
					expiring.Name, name, t.Name), sdl.Renamed(t.Def, a.Name))
			}
		}
	}
}

// findStored adds a finding about a field that should be stored in another attribute.
func findStored(r *checker, typeName string, f *ast.FieldDefinition, what, attribute string) {
	at, fix := f.Position, fmt.Sprintf("add @stored(name: %q) to field %s.%s", attribute, typeName, f.Name)
	if d := f.Directives.ForName("stored"); d != nil {
		at, fix = d.Position, fmt.Sprintf("write name: %q", attribute)
	}
	r.find(at, typeName+"."+f.Name, what, fix)
}

// checkCountsOfExpiring finds counters of collections from which items vanish without a write.
func checkCountsOfExpiring(r *checker) {
	for _, rd := range r.Reads {
		i := slices.IndexFunc(rd.Matches, func(m design.Match) bool { return m.Type.Expires != "" })
		if rd.Count == "" || rd.Connection == nil || i < 0 {
			continue
		}
		expiring := rd.Matches[i].Type.Name
		r.find(rd.Def.Position, rd.Coordinate(),
			fmt.Sprintf("count names %s, but items of %s expire and nothing counts them down", rd.Count, expiring),
			fmt.Sprintf("remove count from @query\nremove totalCount from type %s", rd.Connection.Name))
	}
}
