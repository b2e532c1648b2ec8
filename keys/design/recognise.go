package design

import (
	"slices"
	"strings"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

// TypeOf returns the type of the items with a primary key, or nil.
func (d *Design) TypeOf(key keys.Key) *Type {
	t, _ := d.shapeOf(key, nil)
	return t
}

// typeOf returns the type of an item, nil for one that the design does not have, and the text of its type.
func (s *translation) typeOf(it item.Item, key keys.Key) (t *Type, name string) {
	if s.layout.Type != "" {
		if value := it.Text(s.layout.Type); value != "" {
			if t = s.withConstants(it, s.types[value]); t != nil {
				return t, t.Name
			}
			if s.design.types[value] != nil {
				value = keys.ForeignMark + value // It is an item of another type that has the same name.
			}
			return nil, value
		}
	}
	// The type attribute may also be missing in an entry of an index.
	if t = s.design.TypeOf(key); t != nil && len(t.Constants) > 0 {
		holding := slices.DeleteFunc(slices.Clone(s.design.Types), func(other *Type) bool {
			_, shape := s.design.shapeOf(key, other)
			return shape == nil
		})
		t = s.withConstants(it, holding)
	}
	if t == nil {
		return nil, ""
	}
	return t, t.Name
}

// withConstants returns the first type whose constants an item has. Of an entry that lacks constants, it is the only
// type, if there is one.
func (s *translation) withConstants(it item.Item, types []*Type) *Type {
	for _, t := range types {
		if t.hasConstants(it) {
			return t
		}
	}
	if len(types) == 1 && s.isBare(it) {
		return types[0]
	}
	return nil
}

// complete adds the attributes that only keys have.
func (s *translation) complete(out item.Item, t *Type, key keys.Key) item.Item {
	for _, name := range t.stored.inKeys {
		if _, found := out.Find(name); !found {
			_, shape := s.design.shapeOf(key, t)
			out = t.appendValues(out, shape, key)
			for _, ix := range t.Indexes {
				at := keys.Key{PK: keys.PK(out.Text(keys.IndexPK(ix.Name))), SK: keys.SK(out.Text(keys.IndexSK(ix.Name)))}
				if ix.Shards > 1 && !ix.Holds(at) {
					at.PK = at.PK[:max(0, strings.LastIndex(string(at.PK), ix.PK.Delimiter()))]
				}
				out = t.appendValues(out, &ix.Shape, at)
			}
			return out
		}
	}
	return out
}

// appendValues appends the values that a key of the shape has and the item lacks.
func (t *Type) appendValues(it item.Item, shape *keys.Shape, key keys.Key) item.Item {
	if shape == nil {
		return it
	}
	for _, part := range [...]struct {
		template *keys.Template
		text     string
	}{{&shape.PK, string(key.PK)}, {&shape.SK, string(key.SK)}} {
		values, ok := part.template.Match(part.text)
		if !ok {
			if values, ok = part.template.MatchStored(part.text); !ok {
				continue
			}
		}
		i := 0
		for _, segment := range part.template.Segments() {
			if segment.Variable == "" {
				continue
			}
			text := values[i]
			i++
			if _, found := it.Find(segment.Variable); found || !segment.IsWhole() || text == "" {
				continue
			}
			if a := t.Attribute(segment.Variable); a != nil {
				known := t.known(segment.Variable, text)
				if a.Kind == keys.Date && a.As != keys.Plain {
					known.Value = item.StringValue(text[:len(time.DateOnly)])
				}
				it = append(it, known)
			}
		}
	}
	return it
}

// shapeOf returns the type, and the shape of its items, that holds a primary key: of any type, or only of one. A shape
// that holds it only with the delimiter in a value comes last.
func (d *Design) shapeOf(key keys.Key, only *Type) (*Type, *keys.Shape) {
	for _, holds := range [...]func(keys.Shape, keys.Key) bool{keys.Shape.Holds, keys.Shape.HoldsStored} {
		for _, t := range d.Types {
			if only != nil && t != only {
				continue
			}
			shapes := d.shapes[t.Name]
			for i := range shapes {
				if holds(shapes[i], key) && (only != nil || t.canHave(&shapes[i], key)) {
					return t, &shapes[i]
				}
			}
		}
	}
	return nil, nil
}

// isBare reports whether a stored item can be an entry of an index that lacks the constants of types.
func (s *translation) isBare(it item.Item) bool {
	return slices.ContainsFunc(s.indexes, func(ix stored.IndexLayout) bool {
		return ix.Projection != stored.All && !slices.ContainsFunc(it, func(a item.Attribute) bool {
			return !s.layout.IsKey(a.Name) && !ix.PK.Has(a.Name) && !ix.SK.Has(a.Name) &&
				!slices.Contains(ix.Include, a.Name)
		})
	})
}

// CanShareKey reports whether an item of one type and one of another type can have the same primary key, as far as
// Design.TypeOf distinguishes them: by the literals of their shapes, and by a number or a time where the other has a
// literal that no number and no time begins with.
func CanShareKey(a *Type, s keys.Shape, b *Type, other keys.Shape) bool {
	return canShareText(a, s.PK, b, other.PK) && canShareText(a, s.SK, b, other.SK)
}

func canShareText(a *Type, s keys.Template, b *Type, other keys.Template) bool {
	if !keys.SamePartition(s, other) {
		return false
	}
	if s.IsOpen() || other.IsOpen() {
		return true
	}
	for i, x := range s.Segments() {
		if y := other.Segments()[i]; !a.canContinue(x, y) || !b.canContinue(y, x) {
			return false
		}
	}
	return true
}

// isLimited reports whether a segment has a variable whose values begin with a digit or a sign.
func (t *Type) isLimited(s keys.Segment) bool {
	a := t.Attribute(s.Variable)
	return a != nil && (a.Kind == keys.Int || a.Kind == keys.Int64 || a.Kind == keys.Time || a.Kind == keys.Date)
}

// canContinue reports whether the value of a segment's variable can be what the literal of another segment has beyond
// its own.
func (t *Type) canContinue(s, other keys.Segment) bool {
	rest, longer := strings.CutPrefix(other.Literal, s.Literal)
	return !longer || rest == "" || !t.isLimited(s) || t.Attribute(s.Variable).Kind.CanBe(rest)
}

// canHave reports whether the values in a key that the shape holds can be values of their fields: {at} holds any text,
// but no Time begins with a letter.
func (t *Type) canHave(s *keys.Shape, key keys.Key) bool {
	return t.canHaveText(s.PK, string(key.PK)) && t.canHaveText(s.SK, string(key.SK))
}

func (t *Type) canHaveText(template keys.Template, text string) bool {
	if !slices.ContainsFunc(template.Segments(), t.isLimited) {
		return true
	}
	values, ok := template.Match(text)
	if !ok {
		if values, ok = template.MatchStored(text); !ok {
			return true
		}
	}
	for i, name := range template.Variables() {
		if a := t.Attribute(name); a != nil && values[i] != "" && !a.Kind.CanBe(values[i]) {
			return false
		}
	}
	return true
}
