package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// A repair deletes nothing that something may need. What looks broken may only look so: a program that writes keys in
// another case, an object that others still name, attributes that no other item has. This is looked up before an item
// is deleted, by the reads of an inspection, and thus confirmed as all that it finds. What cannot be looked up is not
// deleted.

// needed returns why an item that is a copy of an object, which is missing, may be needed; "" if nothing needs it.
func (in *inspector) needed(t *design.Type, base keys.Key, it item.Item, r Reader) string {
	if why := in.otherCase(base, r); why != "" {
		return why
	}
	if in.design.HasOtherWriters() {
		return "so this may be all that is left of it"
	}
	return in.named(t, it, r)
}

// otherCase returns that there is an item under a key that differs in upper and lower case only, as another program may
// have written it; "" if there is none.
func (in *inspector) otherCase(key keys.Key, r Reader) string {
	if !in.design.HasOtherWriters() {
		return ""
	}
	for _, cased := range []func(string) string{strings.ToLower, strings.ToUpper} {
		other := keys.Key{PK: keys.PK(cased(string(key.PK))), SK: keys.SK(cased(string(key.SK)))}
		if other != key && r.Get(other) != nil {
			return "but there is " + in.show(other)
		}
	}
	return ""
}

// named returns that an item names an object, or may name it; "" if none does.
func (in *inspector) named(t *design.Type, it item.Item, r Reader) string {
	if len(t.Identity) != 1 {
		return "" // An attribute has the id of an object with one value.
	}
	id := it.Text(t.Identity[0])
	for _, other := range in.design.Types {
		for _, a := range other.Attributes {
			own := other == t && slices.Contains(t.Identity, a.Name)
			if a.Ref != t.Name || own {
				continue
			}
			index, pk, ok := partitionBy(other, a.Name, id)
			if !ok {
				return fmt.Sprintf("and %s.%s may name it, by which nothing is found", other.Name, a.Name)
			}
			for of := range r.Range(index, pk, "") {
				if of.Type() == other.Name && of.Text(a.Name) == id {
					return fmt.Sprintf("but %s %s names it", other.Name, in.show(keys.KeyOf(of)))
				}
			}
		}
	}
	return ""
}

// partitionBy returns the partition of the table, or of an index, that has all items of a type with a value of an
// attribute that is never null; ok is false if there is none.
func partitionBy(t *design.Type, attribute, value string) (index string, pk keys.PK, ok bool) {
	a := t.Attribute(attribute)
	isBy := func(template keys.Template) bool {
		return slices.Equal(template.Variables(), []string{attribute}) && template.Bucket(attribute) == 0
	}
	build := func(template keys.Template) (keys.PK, bool) {
		text, err := template.Build(keys.Values{{Name: attribute, Value: keys.StringValue(value)}}.Get)
		return keys.PK(text), err == nil
	}
	for _, s := range t.Shapes() {
		if isBy(s.PK) && max(1, t.Shards) == 1 {
			pk, ok = build(s.PK)
			return "", pk, ok
		}
	}
	for _, ix := range t.Indexes {
		isComplete := !slices.ContainsFunc(append(ix.PK.Variables(), ix.SK.Variables()...), func(name string) bool {
			other := t.Attribute(name)
			return name != attribute && (other == nil || !other.NonNull)
		})
		if isBy(ix.PK) && ix.Shards <= 1 && isComplete && a != nil {
			pk, ok = build(ix.PK)
			return ix.Name, pk, ok
		}
	}
	return "", "", false
}

// anyHasMore is hasMore for the item and the stored copies of an object that is deleted with them.
func (in *inspector) anyHasMore(t *design.Type, it item.Item, items []item.Item, r Reader) string {
	why := in.hasMore(t, it, nil)
	for _, copied := range items[1:] {
		if why == "" && in.design.HasOtherWriters() {
			why = in.hasMore(t, r.Get(keys.KeyOf(copied)), nil)
		}
	}
	return why
}

// hasMore returns that an item has attributes that another one does not have and that the type does not declare, "" if
// it has none. Those of a table without other writers are declared.
func (in *inspector) hasMore(t *design.Type, it, than item.Item) string {
	if !in.design.HasOtherWriters() {
		return ""
	}
	for _, a := range it.WithoutNulls() {
		isKnown := t != nil && t.Attribute(a.Name) != nil || in.design.IsKeyAttribute(a.Name) ||
			a.Name == keys.AttributeDeletedAt && keys.IsDeleted(it)
		if _, has := than.Get(a.Name); !has && !isKnown {
			return fmt.Sprintf("but only this has %s", a.Name)
		}
	}
	return ""
}
