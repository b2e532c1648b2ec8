package reading

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Twice returns a type, if a field selects two stored items of each of its objects, or nil.
func (rd *Read) Twice() *design.Type {
	seen := map[*design.Type]bool{}
	for _, m := range rd.Matches {
		if seen[m.Type] {
			return m.Type
		}
		seen[m.Type] = true
	}
	return nil
}

// MayReturn reports whether the field can return objects of the type.
func (r *Access) MayReturn(rd *Read, t *Type) bool {
	return rd.EdgeNode || slices.Contains(rd.Possible, t.Name)
}

// WouldMatch reports whether the read with other templates and another index selects items that it can return.
func (r *Access) WouldMatch(rd *Read, pk, sk, index string) bool {
	parsedPK, err := r.Parse(pk)
	parsedSK, err2 := r.Parse(sk)
	if err != nil || err2 != nil {
		return false
	}
	f := *rd.Field
	f.PK, f.SK, f.Index = parsedPK, parsedSK, index
	return slices.ContainsFunc(design.FindMatches(r.KeyTypes(), &f), func(m design.Match) bool {
		return r.misfit(m) == "" && r.MayReturn(rd, r.Types[m.Type.Name])
	})
}

// MatchOf returns the match of a stored key, nil if the read does not select it.
func (rd *Read) MatchOf(f *Key) *design.Match {
	for i := range rd.Matches {
		m := &rd.Matches[i]
		if m.Type.Name == f.Of.Name && m.Shape.PK.String() == f.PK.String() && m.Shape.SK.String() == f.SK.String() {
			return m
		}
	}
	return nil
}

// IsMatch reports whether the read selects a stored key.
func (rd *Read) IsMatch(f *Key) bool { return rd.MatchOf(f) != nil }

// IsNarrow reports whether the last literal of the read is a value of a variable of the stored key: the Query of a Text
// also selects values that only begin with it.
func (rd *Read) IsNarrow(f *Key) bool {
	m, n := rd.MatchOf(f), len(rd.SK.Segments())
	if m == nil || n == 0 {
		return false
	}
	last, stored := rd.SK.Segments()[n-1], f.SK.Segments()[n-1]
	return last.Variable == "" && stored.Variable != "" && len(last.Literal) > len(stored.Literal)
}

// ResultOf returns the type that the field would have with objects of another type.
func (rd *Read) ResultOf(name string) string {
	switch {
	case rd.Def.Type.Elem != nil:
		return "[" + name + "!]"
	case rd.Connection != nil:
		return name + sdl.ConnectionSuffix
	}
	return name
}

// IsInKey reports whether a key of a type names a variable.
func (r *Access) IsInKey(t *Type, name string) bool {
	return slices.ContainsFunc(t.StoredKeys, func(k *Key) bool {
		return slices.Contains(append(k.PK.Variables(), k.SK.Variables()...), name)
	})
}

// IsReadScalar reports whether a field is a scalar with a directive that reads objects: checkResults finds it.
func (r *Access) IsReadScalar(f *ast.FieldDefinition) bool {
	return f != nil && sdl.ReadDirective(f) != nil && HasText(r.Kind(f.Type))
}

// MaybeBroken reports whether a type that the read returns has a template that
// could not be read.
func (r *Access) MaybeBroken(rd *Read) bool {
	names := rd.Possible
	if rd.EdgeNode {
		for _, t := range r.SortedTypes() {
			names = append(names, t.Name)
		}
	}
	for _, name := range names {
		if t := r.Types[name]; t == nil || t.Broken {
			return true
		}
	}
	return false
}

// ReturnsIncomplete reports whether a type that the read returns has a key that names no field.
func (r *Access) ReturnsIncomplete(rd *Read) bool {
	return slices.ContainsFunc(rd.Possible, func(name string) bool {
		return r.Types[name] != nil && r.Types[name].HasUnknownVariable()
	})
}

// NamesUnknown reports whether a variable of the read is neither an argument nor an attribute of the parent.
func (r *Access) NamesUnknown(rd *Read) bool {
	for _, name := range rd.Variables() {
		if argument, attr := rd.Source(name); argument == nil && attr == nil && name != keys.ViewerVariable {
			return true
		}
	}
	return false
}

// HasUnknownAttribute reports whether a stored key that the read selects names no field: checkVariables finds this.
func (r *Access) HasUnknownAttribute(rd *Read) bool {
	return slices.ContainsFunc(rd.Matches, func(m design.Match) bool {
		return slices.ContainsFunc(slices.Concat(m.Shape.PK.Variables(), m.Shape.SK.Variables()),
			func(name string) bool {
				return r.Types[m.Type.Name].Def.Fields.ForName(name) == nil
			})
	})
}

// ReturnsScalar reports whether the field of a read returns no objects.
func (r *Access) ReturnsScalar(rd *Read) bool {
	return len(r.Possible(rd.Def.Type.Name())) == 0
}

// ReturnsStored reports whether a field returns stored objects, or a connection.
func (r *Access) ReturnsStored(f *ast.FieldDefinition) bool {
	return r.Connections[f.Type.Name()] != nil ||
		slices.ContainsFunc(r.Possible(f.Type.Name()), func(name string) bool { return r.Types[name] != nil })
}

// ValueFor returns the argument, or the parent's attribute, with the value of a stored attribute.
func (r *Access) ValueFor(rd *Read, t *Type, attribute string) (string, bool) {
	candidates := []string{attribute}
	if attribute == "id" {
		candidates = []string{sdl.LowerFirst(t.Name) + "Id", rd.Name + "Id"}
		if rd.ParentType == nil {
			candidates = append(candidates, "id")
		}
	}
	if rd.ParentType != nil && attribute == sdl.LowerFirst(rd.ParentType.Name)+"Id" {
		candidates = append(candidates, "id")
	}
	for _, name := range candidates {
		if argument, attr := rd.Source(name); argument != nil || attr != nil {
			return name, true
		}
	}
	return "", false
}

// Targets returns the stored types that the read should return. If the nodes of a connection are
// read by their own keys, it is the one type with all attributes that the edge needs.
func (r *Access) Targets(rd *Read) []*Type {
	var targets []*Type
	if !rd.EdgeNode {
		for _, name := range rd.Possible {
			if t := r.Types[name]; t != nil {
				targets = append(targets, t)
			}
		}
		return targets
	}
	wanted := slices.Clone(rd.Connection.Attributes)
	if node := rd.Connection.EdgeDef.Fields.ForName("node"); sdl.ReadDirective(node) != nil {
		for _, name := range [...]string{"pk", "sk"} {
			if t, err := r.Parse(sdl.Text(sdl.ReadDirective(node), name)); err == nil {
				wanted = append(wanted, t.Variables()...)
			}
		}
	}
	for _, t := range r.SortedTypes() {
		if !slices.ContainsFunc(wanted, func(name string) bool { return t.Attribute(name) == nil }) {
			targets = append(targets, t)
		}
	}
	if len(targets) != 1 {
		return nil
	}
	return targets
}

// SourceType returns the GraphQL type of the value that a read has for a variable.
func (r *Access) SourceType(rd *Read, variable string) string {
	argument, attr := rd.Source(variable)
	switch {
	case argument != nil && r.RangeEnd(argument.Type) != nil:
		return r.RangeEnd(argument.Type).Name()
	case argument != nil:
		return argument.Type.Name()
	case attr != nil:
		return rd.ParentType.Def.Fields.ForName(variable).Type.Name()
	default:
		return "ID"
	}
}

// IsUsed reports whether a read selects a stored key.
func (r *Access) IsUsed(k *Key) bool {
	return slices.ContainsFunc(r.Reads, func(rd *Read) bool { return rd.Index == k.Index && rd.IsMatch(k) })
}
