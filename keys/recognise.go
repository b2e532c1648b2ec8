package keys

import (
	"strings"
	"time"

	"github.com/partita/partita/item"
)

// TypeOf returns the type of the items with a primary key, or nil.
func (d *Design) TypeOf(key Key) *Type {
	t, _ := d.shapeOf(key, nil)
	return t
}

// typeOf returns the type of an item, nil for one that the design does not have, and the text of its type.
func (s *stored) typeOf(it item.Item, key Key) (t *Type, name string) {
	if s.layout.Type != "" {
		if value := it.Text(s.layout.Type); value != "" {
			if t = s.types[value]; t == nil {
				return nil, value
			}
			return t, t.Name
		}
	}
	// The type attribute may also be missing in an entry of an index.
	if t = s.design.TypeOf(key); t == nil {
		return nil, ""
	}
	return t, t.Name
}

// complete adds the attributes that only keys have.
func (s *stored) complete(out item.Item, t *Type, key Key) item.Item {
	for _, name := range t.stored.inKeys {
		if _, found := out.Find(name); !found {
			_, shape := s.design.shapeOf(key, t)
			out = t.appendValues(out, shape, key)
			for _, ix := range t.Indexes {
				at := Key{PK: PK(out.Text(IndexPK(ix.Name))), SK: SK(out.Text(IndexSK(ix.Name)))}
				if (ix.Shards > 1 || len(ix.Was) > 0) && !ix.Holds(at) {
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
func (t *Type) appendValues(it item.Item, shape *Shape, key Key) item.Item {
	if shape == nil {
		return it
	}
	for _, part := range [...]struct {
		template *Template
		text     string
	}{{&shape.PK, string(key.PK)}, {&shape.SK, string(key.SK)}} {
		values, ok := part.template.Match(part.text)
		if !ok {
			if values, ok = part.template.matchStored(part.text); !ok {
				continue
			}
		}
		i := 0
		for _, segment := range part.template.segments {
			if segment.Variable == "" {
				continue
			}
			text := values[i]
			i++
			if _, found := it.Find(segment.Variable); found || segment.Bucket > 0 {
				continue
			}
			if a := t.Attribute(segment.Variable); a != nil {
				known := t.known(segment.Variable, text)
				if a.Kind == Date && a.As != Plain {
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
func (d *Design) shapeOf(key Key, only *Type) (*Type, *Shape) {
	for _, holds := range [...]func(*Shape, Key) bool{(*Shape).holdsStrictly, (*Shape).holdsStored} {
		for _, t := range d.Types {
			if only != nil && t != only {
				continue
			}
			shapes := d.shapes[t.Name]
			for i := range shapes {
				if holds(&shapes[i], key) {
					return t, &shapes[i]
				}
			}
		}
	}
	return nil, nil
}

func (s *Shape) holdsStrictly(key Key) bool { return s.canHold(key) && s.Holds(key) }

func (s *Shape) holdsStored(key Key) bool {
	return s.canHold(key) && s.holds(key, Template.matchStored)
}

// canHold reports whether the key begins with the literals of the shape. It allocates nothing.
func (s *Shape) canHold(key Key) bool {
	return s.PK.begins(string(key.PK)) && s.SK.begins(string(key.SK))
}

func (t *Template) begins(text string) bool {
	return len(t.segments) == 0 || strings.HasPrefix(text, t.segments[0].Literal)
}
