package check

import (
	"iter"
	"slices"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// inspector inspects items by the design and the rules. Expired items do not exist for it.
type inspector struct {
	design *design.Design
	// now returns the time by the clock of the table.
	now    func() time.Time
	decode func(item.Item) error
	scope  Scope
	rules  map[string][]Rule
	// keepsUnnamed is that of Options.
	keepsUnnamed bool
}

func newInspector(o Options, now func() time.Time) *inspector {
	rules := map[string][]Rule{}
	for _, rule := range o.Rules {
		rules[rule.Type] = append(rules[rule.Type], rule)
	}
	return &inspector{design: o.Design, now: now, decode: o.Decode, scope: o.Scope, rules: rules,
		keepsUnnamed: o.KeepsUnnamed}
}

// lasting is a Reader without the items that have expired.
type lasting struct {
	Reader
	expiry design.Expiry
}

func (r *lasting) isIncomplete() bool { return isIncomplete(r.Reader) }

func (r *lasting) Get(key keys.Key) item.Item {
	it := r.Reader.Get(key)
	if r.expiry.IsExpired(it) {
		return nil
	}
	return it
}

func (r *lasting) Range(index string, pk keys.PK, prefix keys.SK) iter.Seq[item.Item] {
	return func(yield func(item.Item) bool) {
		for it := range r.Reader.Range(index, pk, prefix) {
			if !r.expiry.IsExpired(it) && !yield(it) {
				return
			}
		}
	}
}

// within returns the violations that are in the scope. What other programs may have meant is repaired only if its kind
// is named: they write to a table that the schema declares with @table. So is what would be deleted because something
// else is missing, or from a table that may follow another design.
func (in *inspector) within(found []Violation) []Violation {
	found = slices.DeleteFunc(found, func(v Violation) bool { return !in.scope.has(v) })
	for i := range found {
		v := &found[i]
		isUncertain := !v.isLossless && in.design.HasOtherWriters() ||
			(v.isOfAnother || in.keepsUnnamed) && v.deletes()
		if v.Fix != "" && isUncertain && !slices.Contains(in.scope.Only, v.Kind) {
			v.Needs, v.Actions = "--only="+string(v.Kind), nil
		}
	}
	return found
}

// typeOf returns the type that an item is about: its own, or that of the object for which it claims a value.
func (in *inspector) typeOf(it item.Item) string {
	if in.design.Type(it.Type()) == nil {
		if of, _ := write.ClaimOf(in.design, it); of != nil {
			return of.Name
		}
	}
	return it.Type()
}

// withOthers returns an item as it should be, but in an existing table with the attributes of the stored one that the
// type does not declare: they are those of other programs, such as keys of indexes that the schema does not name.
func (in *inspector) withOthers(t *design.Type, wanted, stored item.Item) item.Item {
	if !in.design.Translates() {
		return wanted
	}
	return write.ItemOnto(in.design, t, stored, wanted)
}

// show returns a key as people find it in the table: "USER#1 INFO", or "7" with a Number and no sort key.
func (in *inspector) show(key keys.Key) string {
	pk, sk := in.design.Layout.ShowKey(key)
	return Violation{PK: keys.PK(pk), SK: keys.SK(sk)}.Where()
}

func (in *inspector) showPK(key keys.Key) string { return in.show(keys.Key{PK: key.PK}) }
