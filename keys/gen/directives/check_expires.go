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
func (r *reader) checkExpires() {
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
		if name != other {
			fix := fmt.Sprintf("write expires: %q", other)
			if t.Attribute(t.Expires) != nil {
				fix = fmt.Sprintf("write @stored(name: %q) on %s.%s", other, t.Name, t.Expires)
			}
			r.find(t.itemPosition(), t.Name, fmt.Sprintf(
				"its items expire by the attribute %s, those of %s by %s: a table has one attribute for it",
				name, first.Name, other), fix)
		}
	}
	r.checkCountsOfExpiring()
}

// checkExpiryField finds an expiry that is a field, but no stored Time. It reports whether there is nothing to find.
func (r *reader) checkExpiryField(t *storedType) bool {
	before := len(r.findings)
	f := t.def.Fields.ForName(t.Expires)
	reserved := []string{r.names().PK, r.names().SK, r.names().Type, keys.AttributeDeletedAt}
	switch a := t.Attribute(t.Expires); {
	case slices.Contains(reserved, t.Expires):
		r.find(t.itemPosition(), t.Name, "expires names "+t.Expires+", an attribute that the table itself needs",
			fmt.Sprintf("name another attribute, such as expires: %q", keys.AttributeExpiry))
	case f == nil:
	case a == nil || a.Kind != keys.Time:
		r.find(t.itemPosition(), t.Name, fmt.Sprintf("expires names %s, which is no stored Time", t.Expires),
			fmt.Sprintf("declare %s: Time, or name an attribute that is no field", t.Expires))
	default:
		d := f.Directives.ForName("stored")
		if d == nil {
			break
		}
		if as := textArgument(d, "as"); as != "" && as != keys.EpochSeconds.String() {
			r.find(d.Position, t.Name+"."+f.Name, "an expiry is stored as EPOCH_SECONDS, not as "+as,
				"write as: EPOCH_SECONDS, or remove as")
		}
	}
	return len(r.findings) == before
}

// checkOtherTimes finds numbers of other types in the attribute by which items expire: DynamoDB takes them for times.
func (r *reader) checkOtherTimes(expiring *storedType) {
	name := expiring.expiryAttribute()
	for _, t := range r.sortedTypes() {
		for _, a := range t.Attributes {
			f := t.def.Fields.ForName(a.Name)
			isNumber := a.IsNumber() || f.Type.NamedType == "Float"
			if t.Expires == "" && isNumber && a.StoredName() == name {
				r.find(f.Position, t.Name+"."+a.Name,
					fmt.Sprintf("items of %s expire by the attribute %s: DynamoDB would delete items of %s, too",
						expiring.Name, name, t.Name),
					"store it under another name")
			}
		}
	}
}

// checkCountsOfExpiring finds counters of collections from which items vanish without a write.
func (r *reader) checkCountsOfExpiring() {
	for _, rd := range r.reads {
		if rd.Count == "" {
			continue
		}
		for _, m := range rd.matches {
			if m.Type.Expires != "" {
				r.find(rd.def.Position, rd.Coordinate(),
					fmt.Sprintf("count names %s, but items of %s expire and nothing counts them down", rd.Count, m.Type.Name),
					"return a connection without totalCount, and remove count")
				break
			}
		}
	}
}

// expiryAttribute returns the stored name of the attribute by which items expire.
func (t *storedType) expiryAttribute() string {
	if a := t.Attribute(t.Expires); a != nil {
		return a.StoredName()
	}
	return t.Expires
}

func (t *storedType) itemPosition() *ast.Position { return t.def.Directives.ForName("item").Position }
