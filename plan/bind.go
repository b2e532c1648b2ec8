package plan

import (
	"slices"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/viewer"
)

// Bound is a plan with everything that a request adds to it. Its methods may be called concurrently.
type Bound struct {
	*Plan
	// Viewer is the caller; nil if it may be anyone.
	Viewer *viewer.Viewer
	// Consistent is set if reads are strongly consistent.
	Consistent bool
	// Now is the time of the operation: a range over time buckets ends with its bucket unless it has an upper end.
	// Without it, such a range is an error.
	Now time.Time
	// Measured is set if what the Reads of the operation consume is compared with its explanation.
	Measured bool

	variables map[string]any
	arguments []*Arguments
	// introspected is the number of fields of introspection types in the result, at most one object's beyond the limit.
	introspected int
	// laterGets are the results of HasLaterGets by the index of the object.
	laterGets []known
	// event is set for an event of a subscription, whose item is given. Otherwise its first state is read.
	event bool
}

// Arguments are the arguments of a field that reads, or of a MutationField.
type Arguments struct {
	// Err is the first argument whose value is not one of its type.
	Err *ArgumentError
	// Window is that of a connection, without its cursor; WindowErr is a keys.InputError.
	Window    Window
	WindowErr error
	// IDs are those of node and nodes, or of the entities that representations name. IDErrs are keys.InputErrors about
	// these representations, nil for those that name an entity.
	IDs    []keys.ID
	IDErrs []error

	// Paging are those of a connection.
	Paging Paging
	// input is that of a mutation.
	input *mutationInput
	// values are those of the design's arguments, in their order.
	values []keys.Value
}

// Answered returns the ids of the list that a field by global id returns: none if nodes has too many. The number of
// representations has no other limit than lists in arguments have: a router sends those of a whole response at once.
func (a *Arguments) Answered(f *design.Field) []keys.ID {
	if f.Kind == design.Nodes && len(a.IDs) > MaxPage {
		return nil
	}
	return a.IDs
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
		case f.of != nil:
			b.arguments[i] = b.arguments[f.of.index]
		case f.static != nil:
			b.arguments[i] = f.static
		case f.condition() != nil:
			b.arguments[i] = p.Schema.arguments(f, variables)
		case f.Mutation != nil:
			b.arguments[i] = p.Schema.mutationArguments(f, variables)
		}
	}
	if len(p.introspects) > 0 {
		b.introspected = b.countIntrospected().fields
	}
	return b
}

// ForAnyone returns the plan for any viewer.
func (b *Bound) ForAnyone() *Bound {
	anyone := *b
	anyone.Viewer, anyone.laterGets = nil, make([]known, len(b.laterGets))
	return &anyone
}

// Tenant returns the viewer's tenant, "" if there is none.
func (b *Bound) Tenant() string {
	if b.Viewer == nil {
		return ""
	}
	return b.Viewer.Tenant
}

// Arguments returns the arguments of a field that reads, or of a MutationField.
func (b *Bound) Arguments(f *Field) *Arguments { return b.arguments[f.index] }

// arguments reads the arguments of a field in the order of their definitions.
func (s *Schema) arguments(f *Field, variables map[string]any) *Arguments {
	a, read := &Arguments{}, f.condition()
	if n := len(read.Arguments); n > 0 {
		a.values = make([]keys.Value, n)
	}
	for _, def := range f.Definition.Arguments {
		raw := valueOf(f.ast, def, variables)
		if raw == nil {
			continue
		}
		if a.Err == nil {
			a.Err = s.checkArgument(def.Type, raw, def.Name)
		}
		a.set(read, def.Name, raw)
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
func (a *Arguments) set(f *design.Field, name string, raw any) {
	switch {
	case f.Kind == design.Node:
		a.IDs = idsOf(raw)
		return
	case f.Kind == design.Nodes:
		ids, isList := raw.([]any)
		if !isList {
			ids = []any{raw}
		}
		a.IDs = idsOf(ids...)
		return
	case f.Kind == design.Entities:
		a.setRepresentations(f, raw)
		return
	}
	for i := range f.Arguments {
		if f.Arguments[i].Name == name {
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

func idsOf(raw ...any) []keys.ID {
	ids := make([]keys.ID, len(raw))
	for i, r := range raw {
		_ = ids[i].UnmarshalGQL(r) // checkArgument returns the error
	}
	return ids
}

// checkArgument returns an error for a value that a scalar of the engine does not have. Other values have been
// checked by the validation and the coercion of variables.
func (s *Schema) checkArgument(typ *ast.Type, value any, name string) *ArgumentError {
	path, err := s.checkValue(typ, value)
	if err == nil {
		return nil
	}
	path = append(path, ast.PathName(name))
	slices.Reverse(path)
	return &ArgumentError{path, err}
}

// checkValue returns the first error in a value, and the path to it from the inside.
func (s *Schema) checkValue(typ *ast.Type, value any) (ast.Path, error) {
	if value == nil {
		return nil, nil
	}
	if typ.Elem != nil {
		return s.checkList(typ.Elem, value)
	}
	switch typ.NamedType {
	case "Int", "String", "Boolean", "Float":
		return nil, nil
	case "ID":
		text, _ := value.(string)
		return nil, keys.CheckIDText(text)
	case "Time":
		text, _ := value.(string)
		_, err := keys.ParseTime(text)
		return nil, err
	case "Int64":
		_, err := keys.ParseInt64(value)
		return nil, err
	case "Date":
		var d keys.CalendarDate
		return nil, d.UnmarshalGQL(value)
	}
	object, isObject := value.(map[string]any)
	if !isObject {
		return nil, nil
	}
	for _, field := range s.AST.Types[typ.NamedType].Fields {
		if path, err := s.checkValue(field.Type, object[field.Name]); err != nil {
			return append(path, ast.PathName(field.Name)), err
		}
	}
	return nil, nil
}

func (s *Schema) checkList(element *ast.Type, value any) (ast.Path, error) {
	list, isList := value.([]any)
	if !isList {
		list = []any{value}
	}
	for i, v := range list {
		if path, err := s.checkValue(element, v); err != nil {
			return append(path, ast.PathIndex(i)), err
		}
	}
	return nil, nil
}

// Condition returns the key condition of a field of kind ReadField for a parent, which may be key-only, or nil at the
// root. The error is a keys.InputError. The condition is then empty but has its owner.
func (b *Bound) Condition(f *Field, parent item.Item) (*design.Condition, error) {
	c, err := f.condition().Bind(b.Values(f, parent)).At(b.Now).Condition()
	c.Cursors, c.Tenant = b.Schema.Cursors, b.Tenant()
	return &c, err
}

// Values returns the values of the variables of a field's key condition.
func (b *Bound) Values(f *Field, parent item.Item) func(string) keys.Value {
	return func(name string) keys.Value {
		arguments := f.condition().Arguments
		for i := range arguments {
			if arguments[i].Name == name {
				return b.arguments[f.index].values[i]
			}
		}
		if name == keys.ViewerVariable && b.Viewer != nil {
			return keys.ViewerValue(b.Viewer.ID)
		}
		return keys.AttributeValue(parent, name)
	}
}

// IDCondition returns the key condition of the object that a global ID names, for a field by global ID. The error is a
// keys.InputError.
func (b *Bound) IDCondition(f *Field, id keys.ID) (*design.Condition, error) {
	c, err := b.Schema.Design.BindNode(f.Read, id).Condition()
	return &c, err
}

// NodeCondition returns the key condition of an edge's node for the item of the edge. The error is a keys.InputError.
func NodeCondition(node *design.Field, edge item.Item) (*design.Condition, error) {
	c, err := node.Bind(func(name string) keys.Value { return keys.AttributeValue(edge, name) }).Condition()
	return &c, err
}
