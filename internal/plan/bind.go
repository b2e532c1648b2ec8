package plan

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/viewer"
)

// Bind returns the plan with the coerced variables of a request. v is nil if the viewer may be anyone.
func (p *Plan) Bind(variables map[string]any, v *viewer.Viewer, consistent bool) *Bound {
	b := &Bound{
		Plan: p, Viewer: v, Consistent: consistent, variables: variables,
		arguments: make([]*Arguments, len(p.fields)),
		laterGets: make([]known, p.objects),
	}
	slab := newArgumentSlab(p.fields...)
	for i, f := range p.fields {
		switch {
		case f.of != nil:
			b.arguments[i] = b.arguments[f.of.index]
		case f.static != nil:
			b.arguments[i] = f.static
		case f.condition() != nil:
			b.arguments[i] = p.Schema.arguments(slab, f, variables)
		case f.Mutation != nil:
			b.arguments[i] = p.Schema.mutationArguments(f, variables)
		}
	}
	if len(p.introspects) > 0 {
		b.introspected = b.countIntrospected().fields
	}
	return b
}

// argumentSlab has the arguments of all fields of an operation.
type argumentSlab struct {
	arguments []Arguments
	values    []keys.Value
}

// newArgumentSlab returns the slab for those of the fields whose arguments depend on variables.
func newArgumentSlab(fields ...*Field) *argumentSlab {
	arguments, values := 0, 0
	for _, f := range fields {
		if f.of == nil && f.static == nil && f.condition() != nil {
			arguments++
			values += len(f.condition().Arguments)
		}
	}
	return &argumentSlab{make([]Arguments, arguments), make([]keys.Value, values)}
}

// next returns the arguments of the next field, with n values.
func (s *argumentSlab) next(n int) *Arguments {
	a := &s.arguments[0]
	s.arguments = s.arguments[1:]
	if n > 0 {
		a.values, s.values = s.values[:n:n], s.values[n:]
	}
	return a
}

// arguments reads the arguments of a field in the order of their definitions.
func (s *Schema) arguments(slab *argumentSlab, f *Field, variables map[string]any) *Arguments {
	read := f.condition()
	a := slab.next(len(read.Arguments))
	for _, def := range f.Definition.Arguments {
		raw := valueOf(f.ast, def, variables)
		if raw == nil {
			continue
		}
		if a.Err == nil {
			a.Err = s.checkArgument(def.Type, raw, def.Name)
		}
		a.set(s.Design, read, def.Name, raw)
	}
	if read.Result == design.Connection {
		a.Window, a.WindowErr = a.Paging.size()
	}
	return a
}

// valueOf returns the value of an argument, nil if it has none.
func valueOf(f *ast.Field, def *ast.ArgumentDefinition, variables map[string]any) any {
	given, value := f.Arguments.ForName(def.Name), def.DefaultValue
	if given != nil {
		value = given.Value
		if value.Kind == ast.Variable {
			if raw, isGiven := variables[value.Raw]; isGiven {
				return raw
			}
			value = def.DefaultValue
		}
	}
	if value == nil {
		return nil
	}
	raw, _ := value.Value(variables) // a valid document has no value that cannot be read
	return raw
}

// set sets an argument that is not null.
func (a *Arguments) set(d *design.Design, f *design.Field, name string, raw any) {
	switch {
	case f.Kind == design.Node:
		a.IDs = idsOf(d, raw)
		return
	case f.Kind == design.Nodes:
		ids, isList := raw.([]any)
		if !isList {
			ids = []any{raw}
		}
		a.IDs = idsOf(d, ids...)
		return
	case f.Kind == design.Entities:
		a.setRepresentations(d, f, raw)
		return
	}
	for i := range f.Arguments {
		if f.Arguments[i].Name == name {
			if text, isText := raw.(string); isText && f.Arguments[i].Kind == keys.IDKind {
				if current := d.CurrentIDText(text); current != text {
					raw = current
				}
			}
			a.values[i] = keys.ArgumentValue(f.Arguments[i], raw)
			return
		}
	}
	switch name {
	case "first":
		a.Paging.First = intArgument(raw)
	case "after":
		a.Paging.After = textArgument(raw)
	case "last":
		a.Paging.Last = intArgument(raw)
	case "before":
		a.Paging.Before = textArgument(raw)
	}
}

func idsOf(d *design.Design, raw ...any) []keys.ID {
	ids := make([]keys.ID, len(raw))
	for i, r := range raw {
		_ = ids[i].UnmarshalGQL(r) // checkArgument returns the error
		ids[i] = d.CurrentID(ids[i])
	}
	return ids
}
