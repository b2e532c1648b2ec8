package design

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// Coordinate returns the field's schema coordinate, such as User.orders.
func (f *Field) Coordinate() string { return f.Parent + "." + f.Name }

// Argument returns the argument of that name, or nil.
func (f *Field) Argument(name string) *keys.Argument {
	for i := range f.Arguments {
		if f.Arguments[i].Name == name {
			return &f.Arguments[i]
		}
	}
	return nil
}

// Shards returns the labels of the partitions over which one value of the field's partition key is
// spread. They are what follows the value and a delimiter. "" is the partition without a shard, the only
// one if the value is not spread.
func (f *Field) Shards() []string { return f.shards }

// CanBeConsistent reports whether the read can be strongly consistent: that of a global index cannot.
func (f *Field) CanBeConsistent() bool { return f.Index == "" || f.local }

// hasNoSortKey reports whether the field reads an index without a sort key.
func (f *Field) hasNoSortKey() bool {
	return f.Index != "" && len(f.matches) > 0 && len(f.matches[0].Shape.SK.Segments()) == 0
}

// IsReference reports whether the parent has the id of the object that the field returns, so that
// the object is not read if only its id is selected.
func (f *Field) IsReference() bool { return f.reference }

// Bucketed returns the range argument that selects the time buckets in which the field's collection
// is stored, or "".
func (f *Field) Bucketed() string {
	for _, a := range f.Arguments {
		if a.Range && f.PK.Bucket(a.Name) > 0 {
			return a.Name
		}
	}
	return ""
}

// Matches returns the shapes that the condition of a field of a design selects.
func (f *Field) Matches() []Match { return f.matches }

// Next returns the name of a range argument that would limit the field's range: the first variable
// after SK in the sort keys of the matched shapes. It is "" if these differ or have no further
// variable.
func (f *Field) Next() string { return f.rest.next.Variable }

// Extent returns which sort keys a Query of a design selects.
func (f *Field) Extent() keys.Extent { return f.rest.extent }

// HasGap reports whether the range of a Tree can have other sort keys between the item's and those of its children.
// These are read, but are not part of the range.
func (f *Field) HasGap() bool { return f.gap }

// IsVerified reports whether the items of the field's index are needed to decide which are excluded.
func (f *Field) IsVerified() bool { return len(f.verified) > 0 }

// Rule returns the field's own rule, or nil. The rules of the types that it returns apply as well.
func (f *Field) Rule() *Rule { return f.rule }

// ParentRule returns the rule of the objects that have the field, for a field of Subscription whose first argument is
// the id of one; otherwise nil. It applies as well as Rule. Its Owner is a variable of the field.
func (f *Field) ParentRule() *Rule {
	if f.parent == nil {
		return nil
	}
	return f.parent.rule
}

// returns reports whether a field by global ID returns objects of a stored type.
func (f *Field) returns(t *Type) bool { return len(f.Types) == 0 || slices.Contains(f.Types, t.Name) }

// hasSeveralTypes reports whether items of several types have the key of a Get.
func (f *Field) hasSeveralTypes() bool {
	return slices.ContainsFunc(f.matches, func(m Match) bool { return m.Type != f.matches[0].Type })
}

// Agrees reports whether the key of an item of the type, under which the field has read it, follows from the item's
// attributes. It does not for a copy that names another owner than its key does. For a Query of an index, both the key
// of the entry and the primary key must follow, but in which shard the entry is does not matter: all shards are read.
func (f *Field) Agrees(t *Type, it item.Item) bool {
	at := keys.KeyOf(it)
	switch {
	case f.Kind.IsByID():
		return t.Agrees(it)
	case f.Index != "":
		if !t.Agrees(it) {
			return false
		}
		at = keys.Key{PK: keys.PK(it.Text(keys.IndexPK(f.Index))), SK: keys.SK(it.Text(keys.IndexSK(f.Index)))}
	}
	for i := range f.matches {
		if m := &f.matches[i]; m.Type == t && m.Shape.Agrees(at, it, m.Shards) {
			return true
		}
	}
	return false
}
