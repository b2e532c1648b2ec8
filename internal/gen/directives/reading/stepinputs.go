package reading

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

// IsInput reports whether an operand is a field of the input, or of the element that the step is for.
func (s *Step) IsInput(o predicate.Operand) bool {
	of, _, isNamed := strings.Cut(o.Text, ".")
	return o.Kind == predicate.Variable && o.Text != predicate.Viewer && o.Text != predicate.Now &&
		(!isNamed || s.Each != "" && of == s.Each)
}

// InputOf returns the name of the field of the input, or of the element that the step is for, with a value that it
// takes.
func (s *Step) InputOf(taken string) string {
	if s.Each == "" {
		return taken
	}
	return s.Each + "." + taken
}

// ActionInput is a field of the input of an action, or of the elements of a list in it: it has a value of a field of a
// stored type.
type ActionInput struct {
	design.ActionInput
	// Type is that of the value, in a type that is read.
	FieldType *ast.Type
	// Def is the field of the stored type; nil for the id of an object.
	Def *ast.FieldDefinition
}

// Inputs returns the fields of the input, in the order in which the steps need them. find returns the definition of a
// type, or nil, and identity the names of the attributes of its identity. What has a fault is left out.
func (a *Action) Inputs(find func(string) *ast.Definition, identity func(*ast.Definition) []string) []ActionInput {
	c := inputCollector{}
	for _, s := range a.Steps {
		def := find(s.Type)
		if def == nil {
			continue
		}
		if s.ID != "" {
			c.add(s.ID, def.Name, nil, ast.NonNullNamedType("ID", s.Directive.Position))
		}
		for _, name := range s.Take {
			if f := def.Fields.ForName(name); f != nil {
				c.add(s.InputOf(name), def.Name, f, withNull(f.Type, f.Type.NonNull && s.Kind.Creates()))
			}
		}
		for _, v := range slices.Concat(s.Key, s.Set) {
			isKey := slices.Contains(identity(def), v.Name)
			if f := def.Fields.ForName(v.Name); f != nil && v.Err == nil && s.IsInput(v.Operand) {
				c.add(v.Operand.Text, def.Name, f, withNull(f.Type, f.Type.NonNull || isKey))
			}
		}
		for _, v := range s.Add {
			if f := def.Fields.ForName(v.Name); f != nil && v.Err == nil && s.IsInput(v.Operand) {
				c.add(v.Operand.Text, def.Name, f, withNull(f.Type, true))
			}
		}
	}
	for _, s := range a.Steps {
		def := find(s.Type)
		for _, compared := range s.If.Comparisons {
			if def == nil || def.Fields.ForName(compared.Field) == nil {
				continue
			}
			f := def.Fields.ForName(compared.Field)
			for _, o := range compared.Values {
				isOwn := def.Fields.ForName(o.Text) != nil && o.Text != compared.Field && !c.has(o.Text)
				if s.IsInput(o) && !isOwn {
					c.add(o.Text, def.Name, f, withNull(f.Type, true))
				}
			}
		}
	}
	return c.withElements()
}

// withElements returns the inputs: those of a list of which each element has nothing but the id of an object are that
// id.
func (c *inputCollector) withElements() []ActionInput {
	fields := map[string]int{}
	for _, in := range c.inputs {
		fields[in.List]++
	}
	for i := range c.inputs {
		in := &c.inputs[i]
		in.IsElement = in.List != "" && in.Def == nil && fields[in.List] == 1
	}
	return c.inputs
}

// withNull returns a type that is never null or may be.
func withNull(t *ast.Type, nonNull bool) *ast.Type {
	other := *t
	other.NonNull = nonNull
	return &other
}

// inputCollector has the fields of an input, each once. The first use of a field decides its type.
type inputCollector struct{ inputs []ActionInput }

func (c *inputCollector) has(name string) bool {
	return slices.ContainsFunc(c.inputs, func(in ActionInput) bool { return in.Name == name })
}

func (c *inputCollector) add(name, typ string, f *ast.FieldDefinition, t *ast.Type) {
	for i, in := range c.inputs {
		if in.Name == name {
			c.inputs[i].FieldType = withNull(in.FieldType, in.FieldType.NonNull || t.NonNull)
			return
		}
	}
	in := design.ActionInput{Name: name, Type: typ, Attribute: "id"}
	if f != nil {
		in.Attribute = f.Name
	}
	if list, _, isElement := strings.Cut(name, "."); isElement {
		in.List = list
	}
	c.inputs = append(c.inputs, ActionInput{in, t, f})
}

// HasIdempotencyKey reports whether the action must not happen twice although nothing prevents it: it creates an object
// with a new id, or adds to a number. An input without other fields has the key, too.
func (a *Action) HasIdempotencyKey(find func(string) *ast.Definition, identity func(*ast.Definition) []string) bool {
	return len(a.Inputs(find, identity)) == 0 || slices.ContainsFunc(a.Steps, func(s *Step) bool {
		def := find(s.Type)
		return len(s.Add) > 0 || def != nil && s.GeneratesID(def, identity(def))
	})
}

// IsListName reports whether a field of the input can have the name of a list beside others.
func IsListName(list string, others []ActionInput) bool {
	isOther := func(in ActionInput) bool { return in.Name == list }
	return FieldName.MatchString(list) && list != IdempotencyKey && !slices.ContainsFunc(others, isOther)
}

// ElementName returns the name of the input for the elements of a list.
func (a *Action) ElementName(list string) string {
	i := slices.IndexFunc(a.Steps, func(s *Step) bool { return s.Each == list })
	return sdl.UpperFirst(a.Name) + a.Steps[i].Type + "Input"
}

// InputName returns the name of the type of the input, "" if the field has no such argument.
func (a *Action) InputName() string {
	if in := a.Field.Arguments.ForName("input"); in != nil {
		return in.Type.Name()
	}
	return ""
}
