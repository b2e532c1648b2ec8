package reading

import (
	"fmt"
	"regexp"
	"slices"

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
			if !s.Kind.Creates() && s.Key == nil {
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

// GeneratesID reports whether the step creates an object with a new id. identity are the attributes of its identity.
func (s *Step) GeneratesID(def *ast.Definition, identity []string) bool {
	id := def.Fields.ForName("id")
	isIt := func(v StepValue) bool { return v.Name == "id" }
	return s.Kind == design.CreateStep && id != nil && id.Type.Name() == "ID" && slices.Contains(identity, "id") &&
		!isNumber(id) && !slices.Contains(s.Take, "id") && !slices.ContainsFunc(s.Set, isIt)
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
