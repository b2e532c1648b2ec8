package plan

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// Bound is a plan with everything that a request adds to it.
type Bound struct {
	*Plan
	// Viewer is the caller; nil if it may be anyone.
	Viewer *viewer.Viewer
	// Consistent is set if reads are strongly consistent.
	Consistent bool

	variables map[string]any
	arguments []*Arguments
	// laterGets are the results of hasLaterGets by the index of the object; 0 if unknown.
	laterGets []known
}

// Arguments are the arguments of a field that reads.
type Arguments struct {
	// Err is the first argument whose value is not one of its type.
	Err *ArgumentError
	// Window is that of a connection, without its cursor; WindowErr is a keys.InputError.
	Window    Window
	WindowErr error
	// IDs are those of node and nodes.
	IDs []keys.ID

	paging Paging
	// values are those of the design's arguments, in their order.
	values []keys.Value
}

// ArgumentError is the value of an argument that its type does not have.
type ArgumentError struct {
	// Path leads from the argument's name to the value, such as ids, 2.
	Path ast.Path
	// Err is a keys.InputError.
	Err error
}

// Error returns the message for the caller.
func (e *ArgumentError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *ArgumentError) Unwrap() error { return e.Err }

// Bind returns the plan with the coerced variables of a request. v is nil if the viewer may be anyone.
func (p *Plan) Bind(variables map[string]any, v *viewer.Viewer, consistent bool) *Bound {
	b := &Bound{
		Plan: p, Viewer: v, Consistent: consistent, variables: variables,
		arguments: make([]*Arguments, len(p.fields)),
		laterGets: make([]known, p.objects),
	}
	for i, f := range p.fields {
		switch {
		case f.static != nil:
			b.arguments[i] = f.static
		case f.Read != nil:
			b.arguments[i] = p.Schema.arguments(f, variables)
		}
	}
	return b
}

// Arguments returns the arguments of a field that reads.
func (b *Bound) Arguments(f *Field) *Arguments { return b.arguments[f.index] }

// argumentsOf returns a field's arguments as gqlparser does, by name.
func (b *Bound) argumentsOf(f *Field) map[string]any { return f.ast.ArgumentMap(b.variables) }

// arguments reads the arguments of a field in the order of their definitions.
func (s *Schema) arguments(f *Field, variables map[string]any) *Arguments {
	a := &Arguments{}
	raw := f.ast.ArgumentMap(variables)
	for _, def := range f.Definition.Arguments {
		if value, given := raw[def.Name]; given && a.Err == nil {
			a.Err = s.checkArgument(def.Type, value, ast.Path{ast.PathName(def.Name)})
		}
	}
	switch f.Read.Kind {
	case keys.Node:
		a.IDs = idsOf(raw["id"])
		return a
	case keys.Nodes:
		ids, _ := raw["ids"].([]any)
		a.IDs = idsOf(ids...)
		return a
	}
	a.values = make([]keys.Value, len(f.Read.Arguments))
	for i, arg := range f.Read.Arguments {
		a.values[i] = keys.ArgumentValue(arg, raw[arg.Name])
	}
	if f.Read.Result == keys.Connection {
		a.paging = pagingOf(raw)
		a.Window, a.WindowErr = a.paging.size()
	}
	return a
}

func idsOf(raw ...any) []keys.ID {
	ids := make([]keys.ID, len(raw))
	for i, r := range raw {
		_ = ids[i].UnmarshalGQL(r) // checkArgument returns the error
	}
	return ids
}

// checkArgument returns an error for a value that a scalar of the engine does not have. Other values have been
// checked by the validation and the coercion of variables.
func (s *Schema) checkArgument(typ *ast.Type, value any, path ast.Path) *ArgumentError {
	if value == nil {
		return nil
	}
	if typ.Elem != nil {
		return s.checkList(typ.Elem, value, path)
	}
	var err error
	switch def := s.AST.Types[typ.NamedType]; def.Name {
	case "ID":
		var id keys.ID
		err = id.UnmarshalGQL(value)
	case "Time":
		text, _ := value.(string)
		_, err = keys.ParseTime(text)
	case "Date":
		var d keys.CalendarDate
		err = d.UnmarshalGQL(value)
	default:
		object, isObject := value.(map[string]any)
		if !isObject {
			return nil
		}
		for _, field := range def.Fields {
			within := append(path[:len(path):len(path)], ast.PathName(field.Name))
			if err := s.checkArgument(field.Type, object[field.Name], within); err != nil {
				return err
			}
		}
	}
	if err != nil {
		return &ArgumentError{path, err}
	}
	return nil
}

func (s *Schema) checkList(element *ast.Type, value any, path ast.Path) *ArgumentError {
	list, isList := value.([]any)
	if !isList {
		list = []any{value}
	}
	for i, v := range list {
		if err := s.checkArgument(element, v, append(path[:len(path):len(path)], ast.PathIndex(i))); err != nil {
			return err
		}
	}
	return nil
}

// Condition returns the key condition of a field of kind ReadField for a parent, which may be key-only, or nil at the root.
// The error is a keys.InputError. The condition is then empty but has its owner.
func (b *Bound) Condition(f *Field, parent item.Item) (keys.Condition, error) {
	return f.Read.Bind(b.values(f, parent)).Condition()
}

// values returns the values of the variables of a field's key condition.
func (b *Bound) values(f *Field, parent item.Item) func(string) keys.Value {
	return func(name string) keys.Value {
		for i := range f.Read.Arguments {
			if f.Read.Arguments[i].Name == name {
				return b.arguments[f.index].values[i]
			}
		}
		if name == keys.ViewerVariable && b.Viewer != nil {
			return keys.ViewerValue(b.Viewer.ID)
		}
		return keys.AttributeValue(parent, name)
	}
}

// NodeCondition returns the key condition of the object that a global ID names, for the fields node and nodes. The
// error is a keys.InputError.
func (b *Bound) NodeCondition(f *Field, id keys.ID) (keys.Condition, error) {
	return b.Schema.Design.BindNode(f.Read, id).Condition()
}

// Window returns the window of a connection with its cursor, which is checked against the collection. The error is a
// keys.InputError.
func (b *Bound) Window(f *Field, c keys.Condition) (Window, error) {
	a := b.arguments[f.index]
	return a.paging.window(c)
}

// HasPaging reports whether a connection has any argument for paging.
func (a *Arguments) HasPaging() bool { return a.paging != (Paging{}) }
