package reading

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

// FilterFault is why an argument cannot be a filter.
type FilterFault int

const (
	// NoFilterFault is that of an argument that can be one.
	NoFilterFault FilterFault = iota
	// NoCollectionFault is that of a field that does not return a collection, or whose collection lacks a field of the
	// argument's name in one of its types.
	NoCollectionFault
	// TypeFault is that of an argument with another type than the field.
	TypeFault
	// RuleFault is that of a field that not everybody may read: the answer would show who has which value.
	RuleFault
	// BoundFault is that of a collection without atMost.
	BoundFault
	// BucketFault is that of a collection in time buckets.
	BucketFault
	// ProjectionFault is that of a collection in an index whose entries lack attributes.
	ProjectionFault
	// LiveFault is that of a live field.
	LiveFault
)

// FilterFault returns why an argument that is no variable of a read's condition cannot be a filter.
func (r *Access) FilterFault(rd *Read, a *ast.ArgumentDefinition) FilterFault {
	if rd.Kind != design.Query || rd.Result == design.One || sdl.IsPaging(a.Name) || len(rd.Matches) == 0 {
		return NoCollectionFault
	}
	for _, m := range rd.Matches {
		t := r.Types[m.Type.Name]
		f := t.Def.Fields.ForName(a.Name)
		switch {
		case f == nil || t.Attribute(a.Name) == nil:
			return NoCollectionFault
		case !r.isFilterOf(a, f):
			return TypeFault
		case f.Directives.ForName("allow") != nil:
			return RuleFault
		}
	}
	return r.collectionFault(rd)
}

// isFilterOf reports whether an argument has the type of a field, of its elements, or of a range of it.
func (r *Access) isFilterOf(a *ast.ArgumentDefinition, f *ast.FieldDefinition) bool {
	of := f.Type
	if of.Elem != nil {
		of = of.Elem
	}
	if end := r.RangeEnd(a.Type); end != nil {
		// A range of an enum, or a prefix, is one of keys.
		return f.Type.Elem == nil && end.Name() == of.Name() && !r.IsPrefix(a.Type) && r.Kind(end) != keys.Enum
	}
	return a.Type.Elem == nil && of.Elem == nil && a.Type.Name() == of.Name() && r.Kind(of) != keys.Other
}

func (r *Access) collectionFault(rd *Read) FilterFault {
	switch {
	case rd.PK.IsBucketed():
		return BucketFault
	case rd.AtMost <= 0:
		return BoundFault
	case rd.Index != "" && r.Names().Index(rd.Index).Projection != stored.All:
		return ProjectionFault
	case rd.LiveAs != "":
		return LiveFault
	}
	return NoFilterFault
}
