package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/predicate"
)

// checkValue finds a value for an attribute that has none of this type. names are those of the attributes.
func (c *stepChecker) checkValue(argument string, v reading.StepValue, names []string) {
	at := v.Value.Position
	if !slices.Contains(names, v.Name) {
		what, fix := c.whyNot(v.Name), fmt.Sprintf("remove %s: %s", v.Name, v.Value)
		likely := finding.Likely(v.Name, names)
		switch isDeclared := c.t.Def.Fields.ForName(v.Name) != nil; {
		case !isDeclared && likely != "":
			what, fix = finding.IsLikely(likely, what), fmt.Sprintf("replace %s: with %s:", v.Name, likely)
		case !isDeclared && argument == "add":
			fix = fmt.Sprintf("add %s: Int! to type %s", v.Name, c.t.Name)
		case !isDeclared && argument == "set" && v.Err == nil:
			fix = fmt.Sprintf("add %s: %s to type %s", v.Name, c.typeFor(v.Operand), c.t.Name)
		}
		c.findIn(c.Step, c.namePosition(argument, v.Name), what, fix)
		return
	}
	f := c.t.Def.Fields.ForName(v.Name)
	if what, better := c.mismatch(f, v.Operand, v.Value, v.Err); what != "" {
		if better == "" && c.Kind.Creates() && f.Type.NonNull {
			better = fmt.Sprintf(`"{%s}"`, c.ownInput(f))
			if better == v.Value.String() {
				better = fmt.Sprintf(`"{%s%s}"`, c.Name, sdl.UpperFirst(f.Name))
			}
		}
		fix := fmt.Sprintf("replace %s with %s", v.Value, better)
		if strings.ContainsAny(v.Value.String(), " ,") || better == "" {
			at, fix = c.namePosition(argument, v.Name), fmt.Sprintf("remove %s: %s", v.Name, v.Value)
		}
		c.findIn(c.Step, at, fmt.Sprintf("%s of %s: %s", v.Name, sdl.Article(c.t.Name), what), fix)
	}
	if isInt := f.Type.Name() == "Int" && f.Type.Elem == nil; v.IsNegative && (argument != "set" || !isInt) {
		c.findIn(c.Step, at, "only what is added to, or set in, an Int can be negative",
			fmt.Sprintf("replace %s with %s", v.Value, strings.Replace(v.Value.String(), "-", "", 1)))
	}
}

// ownInput returns the name of a field that the input can have for values of a field.
func (c *stepChecker) ownInput(f *ast.FieldDefinition) string {
	for _, in := range c.InputsOf(c.Action) {
		if in.Name == f.Name && sdl.Nullable(in.FieldType) != sdl.Nullable(f.Type) {
			return c.Name + sdl.UpperFirst(f.Name)
		}
	}
	return f.Name
}

// namePosition returns the position of the name of a value.
func (c *stepChecker) namePosition(argument, name string) *ast.Position {
	for _, child := range c.Directive.Arguments.ForName(argument).Value.Children {
		if child.Name == name {
			return child.Position
		}
	}
	return c.Directive.Position
}

func (c *stepChecker) checkAddition(v reading.StepValue) {
	names := slices.DeleteFunc(c.settable(), func(name string) bool {
		f := c.t.Def.Fields.ForName(name)
		return f.Type.String() != "Int!"
	})
	if !slices.Contains(names, v.Name) && c.t.Def.Fields.ForName(v.Name) != nil && slices.Contains(c.settable(), v.Name) {
		c.findIn(c.Step, c.namePosition("add", v.Name),
			fmt.Sprintf("%s of %s is no Int!, so nothing can be added to it", v.Name, sdl.Article(c.t.Name)),
			c.retypeAdded(v))
		return
	}
	isSet := func(name string) bool {
		isIt := func(s reading.StepValue) bool { return s.Name == name }
		return slices.Contains(c.Take, name) || slices.ContainsFunc(c.Set, isIt)
	}
	if isSet(v.Name) {
		c.findIn(c.Step, c.namePosition("add", v.Name), v.Name+" has two values",
			fmt.Sprintf("remove %s: %s", v.Name, v.Value))
		return
	}
	v.IsNegative = false
	c.checkValue("add", v, names)
}

// retypeAdded returns the fix for a field to which nothing can be added: an Int that may be null can become one.
func (c *stepChecker) retypeAdded(v reading.StepValue) string {
	f := c.t.Def.Fields.ForName(v.Name)
	if f.Type.String() == "Int" {
		return sdl.Retype(c.t.Name, f, "Int!")
	}
	return fmt.Sprintf("remove %s: %s", v.Name, v.Value)
}

// typeFor returns the type of a field for values of an operand.
func (c *stepChecker) typeFor(o predicate.Operand) string {
	step, name, isStep := strings.Cut(o.Text, ".")
	for _, s := range c.Steps[:c.place] {
		if f := c.Types[s.Type].Def.Fields.ForName(name); isStep && s.Name == step && f != nil {
			return sdl.Nullable(f.Type)
		}
	}
	for _, in := range c.InputsOf(c.Action) {
		if o.Kind == predicate.Variable && in.Name == o.Text {
			return sdl.Nullable(in.FieldType)
		}
	}
	switch {
	case o.Kind == predicate.Number && !strings.Contains(o.Text, "."):
		return "Int"
	case o.Kind == predicate.Number:
		return "Float"
	case o.Kind == predicate.Bool:
		return "Boolean"
	case o.Kind == predicate.Variable && o.Text == predicate.Viewer:
		return "ID"
	case o.Kind == predicate.Variable && o.Text == predicate.Now:
		return "Time"
	case o.Kind == predicate.Name:
		return c.enumWith(o.Text)
	}
	return "String"
}

// enumWith returns an enum with a value.
func (c *stepChecker) enumWith(value string) string {
	for _, def := range c.Schema.Types {
		if def.Kind == ast.Enum && def.EnumValues.ForName(value) != nil && !strings.HasPrefix(def.Name, "__") {
			return def.Name
		}
	}
	return "String"
}

// mismatch returns why an operand is no value of a field, and a better one, "" for none.
func (c *stepChecker) mismatch(
	f *ast.FieldDefinition, o predicate.Operand, v *ast.Value, err error,
) (what, better string) {
	switch {
	case err != nil:
		return err.Error(), ""
	case o.Kind == predicate.Null && f.Type.NonNull:
		return "it must not be null", ""
	case o.Kind == predicate.Null:
		return "", ""
	case o.Kind == predicate.Variable:
		return c.wrongVariable(f, o)
	}
	if v == nil {
		v = valueOf(o)
	}
	if _, ok := c.DefaultOf(f.Type, keys.Plain, v); ok {
		return "", ""
	}
	if enum := c.Schema.Types[f.Type.Name()]; enum.Kind == ast.Enum && f.Type.Elem == nil {
		var names []string
		for _, value := range enum.EnumValues {
			names = append(names, value.Name)
		}
		what := fmt.Sprintf("%s is no value of %s", o.Text, enum.Name)
		if likely := finding.Likely(o.Text, names); likely != "" {
			return finding.IsLikely(likely, what), likely
		}
		return what, names[0]
	}
	return fmt.Sprintf("%s is no %s", v, sdl.Nullable(f.Type)), ""
}

// valueOf returns an operand as a value of GraphQL.
func valueOf(o predicate.Operand) *ast.Value {
	v := &ast.Value{Raw: o.Text, Kind: ast.StringValue}
	switch o.Kind {
	case predicate.Name:
		v.Kind = ast.EnumValue
	case predicate.Bool:
		v.Kind = ast.BooleanValue
	case predicate.Number:
		if v.Kind = ast.IntValue; strings.Contains(o.Text, ".") {
			v.Kind = ast.FloatValue
		}
	}
	return v
}

// wrongVariable returns why a variable is no value of a field, and a better one.
func (c *stepChecker) wrongVariable(f *ast.FieldDefinition, o predicate.Operand) (what, better string) {
	kind := c.actionChecker.Design.Kind(f.Type)
	step, name, isStep := strings.Cut(o.Text, ".")
	switch {
	case o.Text == predicate.Viewer && kind != keys.IDKind && kind != keys.String:
		return fmt.Sprintf("{viewer} is an ID, and the field is %s", f.Type), ""
	case o.Text == predicate.Now && kind != keys.Time && kind != keys.Date:
		return fmt.Sprintf("{now} is a Time, and the field is %s", f.Type), ""
	case o.Text == predicate.Viewer || o.Text == predicate.Now:
		return "", ""
	case isStep && !c.IsInput(o):
		return c.wrongReference(f, step, name)
	}
	for _, in := range c.InputsOf(c.Action) {
		if in.Name != o.Text {
			continue
		}
		if t := c.Types[in.Type]; in.Def == nil && !slices.Equal(t.Identity, []string{"id"}) {
			return fmt.Sprintf("{%s} is an id of several values", o.Text), ""
		}
		if typ := sdl.Nullable(in.FieldType); typ != sdl.Nullable(f.Type) {
			return fmt.Sprintf("{%s} is a value of type %s, and the field is %s", o.Text, typ, f.Type), ""
		}
	}
	return "", ""
}

// wrongReference returns why a field of the object of another step is no value of a field.
func (c *stepChecker) wrongReference(f *ast.FieldDefinition, step, name string) (what, better string) {
	var names []string
	for _, s := range c.Steps[:c.place] {
		names = append(names, s.Name)
		if s.Name != step {
			continue
		}
		if s.Each != "" && s.Each != c.Each {
			return fmt.Sprintf("step %s is for each element of %s, so that {%s.%s} is no single value", step, s.Each, step,
				name), ""
		}
		t := c.Types[s.Type]
		a := t.Attribute(name)
		if a == nil {
			what = fmt.Sprintf("%s has no stored field %s", sdl.Article(s.Type), name)
			if likely := finding.Likely(name, reading.AttributeNames(t.Type)); likely != "" {
				return finding.IsLikely(likely, what), fmt.Sprintf(`"{%s.%s}"`, step, likely)
			}
			return what, ""
		}
		if of := t.Def.Fields.ForName(name); sdl.Nullable(of.Type) != sdl.Nullable(f.Type) {
			return fmt.Sprintf("{%s.%s} is a value of type %s, and the field is %s", step, name, of.Type, f.Type), ""
		}
		return "", ""
	}
	what = fmt.Sprintf("no earlier step is named %s", step)
	if likely := finding.Likely(step, names); likely != "" {
		return finding.IsLikely(likely, what), fmt.Sprintf(`"{%s.%s}"`, likely, name)
	}
	return what, ""
}
