package reading

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
	"github.com/partita/partita/write"
)

// Action is a field of Mutation with @step, before the schema is validated.
type Action struct {
	Name  string
	Field *ast.FieldDefinition
	Steps []*Step
}

// Step is what one @step declares.
type Step struct {
	Kind design.StepKind
	// Name is that of the step, and Type that of the object; "" if the directive does not say what it does.
	Name, Type string
	// Each is the list of the input whose elements the step is for; "" for none.
	Each      string
	Directive *ast.Directive
	Take      []string
	// Key, Set and Add are the values by the names of fields.
	Key, Set, Add []StepValue
	If            predicate.Predicate
	// IfErr is why If cannot be read.
	IfErr         error
	Code, Message string
	// CoversMissing is set if both are also returned when there is no object.
	CoversMissing bool
	// ID is the field of the input with the id of the object, or "".
	ID string
}

// StepValue is one value of a @step.
type StepValue struct {
	Name  string
	Value *ast.Value
	// Operand is the value. IsNegative is set for "-{field}" in add and set.
	Operand    predicate.Operand
	IsNegative bool
	// Err is why it cannot be read.
	Err error
}

// StepKinds are the arguments of @step that name the type of the object.
var StepKinds = [...]string{
	design.CreateStep: "create", design.UpdateStep: "update", design.DeleteStep: "delete", design.CheckStep: "check",
	design.UpsertStep: "upsert",
}

// ActionsOf returns the actions among the fields of the root type of mutations.
func ActionsOf(root *ast.Definition) []*Action {
	var all []*Action
	if root == nil {
		return nil
	}
	for _, f := range root.Fields {
		a := &Action{Name: f.Name, Field: f}
		for _, d := range f.Directives {
			if d.Name == "step" {
				a.Steps = append(a.Steps, stepOf(d))
			}
		}
		if len(a.Steps) == 0 {
			continue
		}
		for _, s := range a.Steps {
			if !s.Creates() && s.Key == nil {
				s.ID = a.idOf(s)
			}
		}
		all = append(all, a)
	}
	return all
}

// idOf returns the name of the field of the input, or of the elements of a list, with the id of the object of a step.
func (a *Action) idOf(s *Step) string {
	isOther := func(other *Step) bool { return other != s && other.Each == s.Each }
	isNamed := s.Directive.Arguments.ForName("as") != nil
	switch {
	case !slices.ContainsFunc(a.Steps, isOther) && s.Each != "":
		return s.Each + ".id"
	case s.Each != "" && !isNamed:
		return s.Each + "." + sdl.LowerFirst(s.Type) + "Id"
	case s.Each != "":
		return s.Each + "." + s.Name + "Id"
	case len(a.Steps) > 1 || isNamed:
		return s.Name + "Id"
	}
	return "id"
}

func stepOf(d *ast.Directive) *Step {
	s := &Step{
		Directive: d, Code: sdl.RawText(d, "error"), Message: sdl.RawText(d, "message"),
		Each: sdl.RawText(d, "each"), Key: valuesOf(d, "key"), Set: valuesOf(d, "set"), Add: valuesOf(d, "add"),
	}
	for kind, name := range StepKinds {
		if typ := sdl.RawText(d, name); typ != "" && s.Type == "" {
			s.Kind, s.Type = design.StepKind(kind), typ
		}
	}
	for _, name := range sdl.ListOf(sdl.Raw(d, "take")) {
		text, _ := name.(string)
		s.Take = append(s.Take, text)
	}
	if s.Name = sdl.RawText(d, "as"); s.Name == "" {
		if s.Name = sdl.LowerFirst(s.Type); s.Each != "" {
			s.Name = sdl.Plural(s.Name)
		}
	}
	s.CoversMissing = s.IsCheckByKey() && s.Code+s.Message != ""
	if text := sdl.RawText(d, "if"); text != "" || s.CoversMissing {
		if text != "" {
			s.If, s.IfErr = predicate.Parse(text)
		}
		if s.Code == "" {
			s.Code = string(write.CodeConflict)
		}
		if s.Message == "" {
			s.Message = fmt.Sprintf("This %s is not in the state that this needs.", sdl.InPlainWords(s.Type))
		}
	}
	return s
}

// Creates reports whether the step creates its object, or may do so: the input has its values and not its id.
func (s *Step) Creates() bool { return s.Kind == design.CreateStep || s.Kind == design.UpsertStep }

// IsCheckByKey reports whether the step requires an object whose id is not in the input.
func (s *Step) IsCheckByKey() bool { return s.Kind == design.CheckStep && len(s.Key) > 0 }

// valuesOf returns the values of an argument of a @step.
func valuesOf(d *ast.Directive, name string) []StepValue {
	argument := d.Arguments.ForName(name)
	if argument == nil || argument.Value.Kind != ast.ObjectValue {
		return nil
	}
	values := []StepValue{}
	for _, child := range argument.Value.Children {
		v := StepValue{Name: child.Name, Value: child.Value}
		v.read()
		values = append(values, v)
	}
	return values
}

var braced = regexp.MustCompile(`^(-?)\{([^{}]*)\}$`)

func (v *StepValue) read() {
	raw := v.Value.Raw
	switch v.Value.Kind {
	case ast.IntValue, ast.FloatValue:
		v.Operand = predicate.Operand{Kind: predicate.Number, Text: raw}
	case ast.BooleanValue:
		v.Operand = predicate.Operand{Kind: predicate.Bool, Text: raw}
	case ast.EnumValue:
		v.Operand = predicate.Operand{Kind: predicate.Name, Text: raw}
	case ast.NullValue:
	case ast.StringValue, ast.BlockValue:
		m := braced.FindStringSubmatch(raw)
		if m == nil {
			v.Operand = predicate.Operand{Kind: predicate.Text, Text: raw}
			return
		}
		v.IsNegative = m[1] != ""
		v.Operand, v.Err = predicate.ParseVariable(m[2])
	default:
		v.Err = fmt.Errorf("%s is no constant and no variable", v.Value)
	}
}

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
				c.add(s.InputOf(name), def.Name, f, withNull(f.Type, f.Type.NonNull && s.Creates()))
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

// inputCollector collects the fields of an input, each once: the first use says what it is.
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

// GeneratesID reports whether the step creates an object with a new id. identity are the attributes of its identity.
func (s *Step) GeneratesID(def *ast.Definition, identity []string) bool {
	id := def.Fields.ForName("id")
	isIt := func(v StepValue) bool { return v.Name == "id" }
	return s.Kind == design.CreateStep && id != nil && id.Type.Name() == "ID" && slices.Contains(identity, "id") &&
		!isNumber(id) && !slices.Contains(s.Take, "id") && !slices.ContainsFunc(s.Set, isIt)
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

// DeletedID returns the name of the payload's field with the id of the object that the step deletes.
func (s *Step) DeletedID() string {
	switch {
	case s.Each == "":
		return "deleted" + sdl.UpperFirst(s.Name) + "Id"
	case s.Directive.Arguments.ForName("as") == nil:
		return "deleted" + s.Type + "Ids"
	}
	return "deleted" + sdl.UpperFirst(s.Name) + "Ids"
}

// Object returns the type of the payload's field with the object, and Deleted that of the one with the id of a deleted
// one.
func (s *Step) Object() string {
	if s.Each != "" {
		return "[" + s.Type + "]"
	}
	return s.Type
}

// Deleted is described at Object.
func (s *Step) Deleted() string {
	if s.Each != "" {
		return "[ID!]"
	}
	return "ID"
}
