package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

// checkStep finds what is wrong with one step of an action whose types are stored.
func (a *actionChecker) checkStep(i int, s *reading.Step) {
	c := &stepChecker{actionChecker: a, Step: s, t: a.Types[s.Type], place: i}
	c.checkArguments()
	c.checkEach()
	c.checkTake()
	for _, v := range s.Key {
		c.checkValue("key", v, c.t.Identity)
	}
	c.checkKey()
	for _, v := range s.Set {
		c.checkValue("set", v, c.settable())
	}
	for _, v := range s.Add {
		c.checkAddition(v)
	}
	c.checkCondition()
	c.checkRequired()
}

// stepChecker checks one step.
type stepChecker struct {
	*actionChecker
	*reading.Step
	t     *reading.Type
	place int
}

func (c *stepChecker) wrong(what, fix string) { c.at(c.Step, what, fix) }

// checkArguments finds arguments that a step of its kind does not have.
func (c *stepChecker) checkArguments() {
	verb := reading.StepKinds[c.Kind]
	for _, one := range []struct {
		name string
		fits bool
	}{
		{"key", !c.Creates()},
		{"take", c.Creates() || c.Kind == design.UpdateStep},
		{"set", c.Creates() || c.Kind == design.UpdateStep},
		{"add", c.Kind == design.UpdateStep || c.Kind == design.UpsertStep},
		{"if", c.Kind != design.CreateStep},
		{"error", c.Directive.Arguments.ForName("if") != nil || c.IsCheckByKey()},
		{"message", c.Directive.Arguments.ForName("if") != nil || c.IsCheckByKey()},
	} {
		switch {
		case one.fits || c.Directive.Arguments.ForName(one.name) == nil:
		case one.name == "error" || one.name == "message":
			c.wrong(one.name+" without if: it is never returned", fmt.Sprintf("remove %s from @step", one.name))
		default:
			c.wrong(fmt.Sprintf("a step with %s has no %s", verb, one.name), fmt.Sprintf("remove %s from @step", one.name))
		}
	}
	if c.Kind == design.UpdateStep && len(c.Take)+len(c.Set)+len(c.Add) == 0 {
		fix := "replace update: with check:"
		if names := c.settable(); len(names) > 0 {
			fix = fmt.Sprintf("write take: [%q], or set or add something", names[0])
		}
		c.wrong("the update changes nothing", fix)
	}
	if id := c.t.Def.Fields.ForName("id"); c.ID != "" && (id == nil || id.Type.Name() != "ID") {
		fix := fmt.Sprintf("add id: ID! to type %s", c.t.Name)
		if id != nil {
			fix = sdl.Retype(c.t.Name, id, "ID!")
		}
		c.wrong("the input names the object by its id, which the type does not have", fix)
	}
	if code := sdl.RawText(c.Directive, "error"); code != "" && !reading.IsRole(code) {
		c.wrong(fmt.Sprintf("%q is no code", code), fmt.Sprintf("write error: %q", reading.RoleFrom(code)))
	}
}

// settable returns the attributes that a step can set.
func (c *stepChecker) settable() []string {
	var names []string
	for _, a := range c.t.Attributes {
		f := c.t.Def.Fields.ForName(a.Name)
		isKey := !c.Creates() && slices.Contains(c.t.Identity, a.Name)
		if !isKey && !slices.ContainsFunc(f.Directives, reading.IsWritten) {
			names = append(names, a.Name)
		}
	}
	return names
}

// whyNot returns why a name is not one of those that can be set.
func (c *stepChecker) whyNot(name string) string {
	f := c.t.Def.Fields.ForName(name)
	switch {
	case f == nil:
		return fmt.Sprintf("%s has no field %s", c.t.Name, name)
	case slices.ContainsFunc(f.Directives, reading.IsWritten):
		return fmt.Sprintf("%s of %s is set by each write", name, sdl.Article(c.t.Name))
	case slices.Contains(c.t.Identity, name):
		return fmt.Sprintf("%s is part of the key of %s, which cannot change", name, sdl.Article(c.t.Name))
	case !sdl.IsAttribute(f) || c.t.Attribute(name) == nil:
		return fmt.Sprintf("%s of %s is not stored", name, sdl.Article(c.t.Name))
	}
	return fmt.Sprintf("%s is not part of the key of %s", name, sdl.Article(c.t.Name))
}

func (c *stepChecker) checkTake() {
	names := c.settable()
	var left []string
	var what string
	for i, name := range c.Take {
		isSet := func(v reading.StepValue) bool { return v.Name == name }
		switch {
		case slices.ContainsFunc(c.Set, isSet) || slices.Contains(c.Take[:i], name):
			what = fmt.Sprintf("%s has two values", name)
		case slices.Contains(names, name):
			left = append(left, name)
		default:
			what = c.whyNot(name)
			if likely := finding.Likely(name, names); likely != "" && c.t.Def.Fields.ForName(name) == nil &&
				!slices.Contains(c.Take, likely) {
				what = finding.IsLikely(likely, what)
				left = append(left, likely)
			}
		}
	}
	switch {
	case what == "":
	case len(left) == 0:
		c.wrong(what, "remove take from @step")
	default:
		c.wrong(what, "write take: "+sdl.QuotedList(left))
	}
}

// checkKey finds a key that does not have exactly the values of the identity.
func (c *stepChecker) checkKey() {
	if c.Key == nil {
		return
	}
	for _, name := range c.t.Identity {
		if !slices.ContainsFunc(c.Key, func(v reading.StepValue) bool { return v.Name == name }) {
			c.wrong(fmt.Sprintf("the key of %s has {%s}, too", sdl.Article(c.t.Name), name),
				"remove key from @step, so that the input has the id of the object, or add "+name+" to it")
			return
		}
	}
}

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
		if better == "" && c.Creates() && f.Type.NonNull {
			better = fmt.Sprintf(`"{%s}"`, c.ownInput(f))
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

// checkRequired finds attributes that a new object must have and that the step does not set.
func (c *stepChecker) checkRequired() {
	if !c.Creates() {
		return
	}
	take := slices.Clone(c.Take)
	for _, name := range c.settable() {
		a := c.t.Attribute(name)
		isSet := func(v reading.StepValue) bool { return v.Name == name }
		isMade := name == "id" && c.GeneratesID(c.t.Def, c.t.Identity)
		isNeeded := a.NonNull && a.Default.Kind == item.Null || slices.Contains(c.t.Identity, name)
		if !isNeeded || isMade || slices.Contains(take, name) ||
			slices.ContainsFunc(c.Set, isSet) || slices.ContainsFunc(c.Add, isSet) {
			continue
		}
		if slices.ContainsFunc(c.Sequences(), isLast(c.t.Name, name)) {
			c.wrong(fmt.Sprintf("a new %s must have %s", c.t.Name, name), fixOfLast(c.t, name))
			continue
		}
		take = append(take, name)
	}
	if missing := take[len(c.Take):]; len(missing) > 0 {
		c.wrong(fmt.Sprintf("a new %s must have %s", c.t.Name, strings.Join(missing, ", ")),
			fmt.Sprintf("write take: %s, or set it", sdl.QuotedList(take)))
	}
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

// checkCondition finds a condition that cannot be read, or that never holds.
func (c *stepChecker) checkCondition() {
	if c.IfErr != nil {
		c.wrong(fmt.Sprintf("if cannot be read: %v", c.IfErr), c.withoutIf())
		return
	}
	text := sdl.RawText(c.Directive, "if")
	parts := strings.Split(text, " and ")
	for i, compared := range c.If.Comparisons {
		what, wrong, better := c.wrongComparison(compared)
		if what == "" {
			continue
		}
		if len(parts) == len(c.If.Comparisons) && better != "" {
			parts[i] = strings.Replace(parts[i], wrong, better, 1)
		} else if len(parts) == len(c.If.Comparisons) {
			parts = slices.Delete(parts, i, i+1)
		}
		if c.t.Def.Fields.ForName(compared.Field) == nil && better == "" {
			c.wrong("if: "+what, fmt.Sprintf("add %s: %s to type %s", compared.Field, c.typeFor(compared.Values[0]), c.t.Name))
			continue
		}
		fix := fmt.Sprintf("write if: %q", strings.Join(parts, " and "))
		if len(parts) == 0 || strings.Contains(text, `"`) {
			fix = c.withoutIf()
		}
		c.wrong("if: "+what, fix)
		return
	}
}

// withoutIf returns the fix that removes the condition, and with it its error.
func (c *stepChecker) withoutIf() string {
	var lines []string
	for _, name := range []string{"if", "error", "message"} {
		if c.Directive.Arguments.ForName(name) != nil {
			lines = append(lines, fmt.Sprintf("remove %s from @step", name))
		}
	}
	return strings.Join(lines, "\n")
}

// wrongComparison returns what is wrong with a comparison, and a part of it with a better one.
func (c *stepChecker) wrongComparison(compared predicate.Comparison) (what, wrong, better string) {
	f, a := c.t.Def.Fields.ForName(compared.Field), c.t.Attribute(compared.Field)
	if a == nil {
		what = fmt.Sprintf("%s has no stored field %s", c.t.Name, compared.Field)
		if likely := finding.Likely(compared.Field, reading.AttributeNames(c.t.Type)); likely != "" {
			return finding.IsLikely(likely, what), compared.Field, likely
		}
		return what, "", ""
	}
	if a.Kind == keys.Other || f.Type.Elem != nil {
		return fmt.Sprintf("%s is a %s, which cannot be compared", compared.Field, f.Type), "", ""
	}
	isOrder := compared.Op != predicate.Equal && compared.Op != predicate.NotEqual && compared.Op != predicate.In
	if isOrder && (a.Kind == keys.Boolean || a.Kind == keys.IDKind || a.Kind == keys.Enum) {
		return fmt.Sprintf("values of %s have no order", f.Type.Name()), "", ""
	}
	for _, o := range compared.Values {
		if other := c.t.Def.Fields.ForName(o.Text); o.Kind == predicate.Variable && c.Built.IsFieldOf(c.t.Type, o.Text) {
			if sdl.Nullable(other.Type) != sdl.Nullable(f.Type) {
				return fmt.Sprintf("%s is a %s, and %s a %s", compared.Field, f.Type, o.Text, other.Type), "", ""
			}
			continue
		}
		if o.Kind == predicate.Null && f.Type.NonNull {
			return fmt.Sprintf("%s is never null", compared.Field), "", ""
		}
		if what, better := c.mismatch(f, o, nil, nil); what != "" {
			return what, o.Text, better
		}
	}
	return "", "", ""
}
