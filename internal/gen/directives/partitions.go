package directives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// InPartition returns how many objects of a type the schema lets into one partition of a shape, spread over shards, in
// an index or in the table with "", as Markdown.
func (s *Schema) InPartition(t *design.Type, index string, shape keys.Shape, shards int) string {
	if s.isAlone(t, index, shape) {
		return "1"
	}
	text := s.boundOf(t, index, shape)
	switch names := shape.PK.Variables(); {
	case text != "":
	case !HasFewPartitions(t, shape.PK):
		text = "any number"
	case len(names) == 0:
		text = "any number: all objects"
	default:
		text = fmt.Sprintf("any number: all with one `%s`", strings.Join(names, "`, `"))
	}
	for _, segment := range shape.PK.Segments() {
		if segment.Bucket > 0 {
			text += fmt.Sprintf(" of one `%s`", segment)
		}
	}
	if shards > 1 {
		text += fmt.Sprintf(", in %d partitions", shards)
	}
	return text
}

// HasFewPartitions reports whether a partition key of a type has few values, for any number of objects: nothing but
// literals and variables with few values.
func HasFewPartitions(t *design.Type, pk keys.Template) bool {
	return !slices.ContainsFunc(pk.Variables(), func(name string) bool {
		a := t.Attribute(name)
		return a == nil || a.Kind != keys.Enum && a.Kind != keys.Boolean
	})
}

// isAlone reports whether a partition has at most one object of the shape: the partition key has all that identifies
// it, or a value that only one object has.
func (s *Schema) isAlone(t *design.Type, index string, shape keys.Shape) bool {
	if index == "" && shape.IsSingle() {
		return true
	}
	var whole []string
	for _, segment := range shape.PK.Segments() {
		if segment.Variable != "" && segment.Bucket == 0 && segment.Case == keys.AsIs {
			whole = append(whole, segment.Variable)
		}
	}
	has := func(names []string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(whole, name) })
	}
	return has(t.Identity) || slices.ContainsFunc(t.Uniques, func(u design.Unique) bool {
		return len(u.Where.Fields()) == 0 && has(u.Key.Variables())
	})
}

// boundOf returns the upper bound of a collection, "" if it has none: that of a field that reads it whole, or of a
// counter of all objects in it.
func (s *Schema) boundOf(t *design.Type, index string, shape keys.Shape) string {
	for _, f := range s.Fields {
		if f.Kind != design.Query || f.Index != index || len(f.SK.Variables()) > 0 || !reads(f, t, shape) {
			continue
		}
		for _, c := range s.Counters {
			switch {
			case c.Parent != f.Parent || c.Field != f.Name || c.Type != t.Name || c.Max == nil || !c.IsOfAll():
			case c.Max.Attribute != "":
				return fmt.Sprintf("at most `%s` (`%s.%s`)", c.Max.Attribute, c.Parent, c.Attribute)
			default:
				return fmt.Sprintf("at most %d (`%s.%s`)", c.Max.Number, c.Parent, c.Attribute)
			}
		}
		if f.AtMost > 0 {
			return fmt.Sprintf("at most %d (`%s`)", f.AtMost, f.Coordinate())
		}
	}
	return ""
}

// reads reports whether a field's condition selects items of the shape.
func reads(f *design.Field, t *design.Type, shape keys.Shape) bool {
	return slices.ContainsFunc(f.Matches(), func(m design.Match) bool {
		return m.Type.Name == t.Name && m.Shape.PK.String() == shape.PK.String() &&
			m.Shape.SK.String() == shape.SK.String()
	})
}
