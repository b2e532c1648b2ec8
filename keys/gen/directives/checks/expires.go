package directives

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkExpires finds types whose items DynamoDB would not delete, or whose deletion nothing counts. A table has one
// attribute for the expiry of its items, with a Number.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html
func (r *checker) checkExpires() {
	var first *storedType
	for _, t := range r.sortedTypes() {
		if t.Expires == "" || !r.checkExpiryField(t) {
			continue
		}
		if first == nil {
			first = t
			r.checkOtherTimes(t)
		}
		name, other := t.expiryAttribute(), first.expiryAttribute()
		if name == other {
			continue
		}
		what := fmt.Sprintf("its items expire by the attribute %s, those of %s by %s: a table has one attribute for it",
			name, first.Name, other)
		if f := t.def.Fields.ForName(t.Expires); f != nil {
			r.findStored(t.Name, f, what, other)
		} else {
			r.find(t.itemPosition(), t.Name, what, fmt.Sprintf("write expires: %q", other))
		}
	}
	r.checkCountsOfExpiring()
}

// checkExpiryField finds an expiry that is a field, but no stored Time. It reports whether there is nothing to find.
func (r *checker) checkExpiryField(t *storedType) bool {
	before := len(r.findings)
	f := t.def.Fields.ForName(t.Expires)
	isReserved := r.names().IsKey(t.Expires) || t.Expires == r.names().Type || t.Expires == keys.AttributeDeletedAt
	switch a := t.Attribute(t.Expires); {
	case isReserved:
		r.find(t.itemPosition(), t.Name, "expires names "+t.Expires+", an attribute that the table itself needs",
			fmt.Sprintf("write expires: %q", keys.AttributeExpiry))
	case f == nil:
	case a == nil:
		r.find(t.itemPosition(), t.Name, fmt.Sprintf("expires names %s, which is a field that is not stored", t.Expires),
			fmt.Sprintf("write expires: %q, or another attribute that is no field", keys.AttributeExpiry))
	case a.Kind != keys.Time:
		r.find(t.itemPosition(), t.Name, fmt.Sprintf("expires names %s, which is no Time", t.Expires),
			retype(t.Name, f, withNullability("Time", f.Type)))
	default:
		d := f.Directives.ForName("stored")
		if d == nil {
			break
		}
		if as := textArgument(d, "as"); as != "" && as != keys.EpochSeconds.String() {
			r.find(d.Position, t.Name+"."+f.Name, "an expiry is stored as EPOCH_SECONDS, not as "+as,
				"write as: EPOCH_SECONDS")
		}
	}
	return len(r.findings) == before
}

// checkOtherTimes finds numbers of other types in the attribute by which items expire: DynamoDB takes them for times.
func (r *checker) checkOtherTimes(expiring *storedType) {
	name := expiring.expiryAttribute()
	for _, t := range r.sortedTypes() {
		for _, a := range t.Attributes {
			f := t.def.Fields.ForName(a.Name)
			isNumber := a.IsNumber() || f.Type.NamedType == "Float"
			if t.Expires == "" && isNumber && a.StoredName() == name {
				r.findStored(t.Name, f, fmt.Sprintf("items of %s expire by the attribute %s: DynamoDB would delete items of "+
					"%s, too",
					expiring.Name, name, t.Name), renamed(t.def, a.Name))
			}
		}
	}
}

// findStored adds a finding about a field that should be stored in another attribute.
func (r *checker) findStored(typeName string, f *ast.FieldDefinition, what, attribute string) {
	at, fix := f.Position, fmt.Sprintf("add @stored(name: %q) to field %s.%s", attribute, typeName, f.Name)
	if d := f.Directives.ForName("stored"); d != nil {
		at, fix = d.Position, fmt.Sprintf("write name: %q", attribute)
	}
	r.find(at, typeName+"."+f.Name, what, fix)
}

// checkCountsOfExpiring finds counters of collections from which items vanish without a write.
func (r *checker) checkCountsOfExpiring() {
	for _, rd := range r.reads {
		i := slices.IndexFunc(rd.matches, func(m keys.Match) bool { return m.Type.Expires != "" })
		if rd.Count == "" || rd.connection == nil || i < 0 {
			continue
		}
		expiring := rd.matches[i].Type.Name
		r.find(rd.def.Position, rd.Coordinate(),
			fmt.Sprintf("count names %s, but items of %s expire and nothing counts them down", rd.Count, expiring),
			fmt.Sprintf("remove count from @query\nremove totalCount from type %s", rd.connection.Name))
	}
}

func (t *storedType) itemPosition() *ast.Position { return t.def.Directives.ForName("item").Position }
