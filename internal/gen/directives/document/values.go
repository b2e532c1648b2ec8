package document

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/sdl"
)

func (c *Checker) checkDirective(d *ast.Directive, def *ast.DirectiveDefinition, coordinate string) {
	var names []string
	for _, a := range def.Arguments {
		if d.Arguments.ForName(a.Name) == nil {
			names = append(names, a.Name)
		}
	}
	renamed := map[string]bool{}
	for _, a := range d.Arguments {
		if declared := def.Arguments.ForName(a.Name); declared != nil {
			c.checkValue(a, declared, d, coordinate)
			continue
		}
		what, likely := fmt.Sprintf("@%s has no argument %s", d.Name, a.Name), finding.Likely(a.Name, names)
		switch {
		case likely != "":
			renamed[likely] = true
			c.find(a.Position, coordinate, finding.IsLikely(likely, what), fmt.Sprintf("replace %s: with %s:", a.Name, likely))
		default:
			c.find(a.Position, coordinate, what, fmt.Sprintf("remove %s from @%s", a.Name, d.Name))
		}
	}
	for _, a := range def.Arguments {
		given := d.Arguments.ForName(a.Name)
		if (a.Type.NonNull && a.DefaultValue == nil || c.isNeeded(a, d)) && given == nil && !renamed[a.Name] {
			c.find(d.Position, coordinate, fmt.Sprintf("@%s needs the argument %s", d.Name, a.Name),
				fmt.Sprintf("write %s: %s", a.Name, c.missingValue(a, d, coordinate)))
		}
	}
}

// isNeeded reports whether a directive needs the argument because the table has a sort key.
func (c *Checker) isNeeded(a *ast.ArgumentDefinition, d *ast.Directive) bool {
	return a.Name == "sk" && !c.noSortKey && slices.Contains([]string{"item", "copy", "get"}, d.Name)
}

// missingValue returns a value for an argument that a directive lacks: of two keys, that which others have beside the
// other, or that of the other.
func (c *Checker) missingValue(a *ast.ArgumentDefinition, d *ast.Directive, coordinate string) string {
	if text := c.missingKey(a.Name, d, coordinate); text != "" {
		return text
	}
	if d.Name == "copy" && a.Name == "sk" {
		return strconv.Quote(sdl.ConstantCase(coordinate) + "_COPY")
	}
	if d.Name == "index" && a.Name == "pk" && sdl.RawText(d, "sk") != "" {
		return strconv.Quote(sdl.ConstantCase(coordinate))
	}
	for _, other := range d.Arguments {
		if (a.Name == "pk" || a.Name == "sk") && (other.Name == "pk" || other.Name == "sk") &&
			c.isOf(other.Value, a.Type) {
			return other.Value.String()
		}
	}
	return c.example(a.Type, coordinate)
}

// checkValue finds a value that is not of its argument's type: gqlparser checks none in a schema.
func (c *Checker) checkValue(
	a *ast.Argument, def *ast.ArgumentDefinition, d *ast.Directive, coordinate string,
) {
	if c.isOf(a.Value, def.Type) {
		c.checkFields(a.Value, def.Type, coordinate)
		return
	}
	what := fmt.Sprintf("%s of @%s has type %s, but the value is %s", a.Name, d.Name, def.Type, a.Value)
	fix := fmt.Sprintf("write %s: %s", a.Name, c.example(def.Type, coordinate))
	if enum := c.types[def.Type.Name()]; enum != nil && enum.Kind == ast.Enum {
		likely, names := likelyValue(a.Value, enum)
		what = fmt.Sprintf("%s is not a value of %s", a.Value, enum.Name)
		fix = fmt.Sprintf("write %s: %s, or another of %s", a.Name, names[0], sdl.OneOf(names))
		if likely != "" {
			what, fix = finding.IsLikely(likely, what), fmt.Sprintf("write %s: %s", a.Name, likely)
		}
	}
	if text := inQuotes(a.Value); def.Type.Name() == "String" && text != "" {
		if def.Type.Elem != nil && a.Value.Kind != ast.ListValue {
			text = "[" + text + "]"
		}
		fix = fmt.Sprintf("write %s: %s", a.Name, text)
	}
	if _, err := strconv.Atoi(a.Value.Raw); err == nil && def.Type.Name() == "Int" && def.Type.Elem == nil {
		fix = fmt.Sprintf("write %s: %s", a.Name, a.Value.Raw)
	}
	c.find(d.Position, coordinate, what, fix)
}

// checkFields finds fields of objects in a value that their input type does not have, and values of other types.
func (c *Checker) checkFields(v *ast.Value, t *ast.Type, coordinate string) {
	def := c.types[t.Name()]
	for _, child := range v.Children {
		switch {
		case v.Kind == ast.ListValue:
			c.checkFields(child.Value, t, coordinate)
		case def != nil && def.Kind == ast.InputObject:
			c.checkField(v, child, def, coordinate)
		}
	}
}

func (c *Checker) checkField(of *ast.Value, child *ast.ChildValue, def *ast.Definition, coordinate string) {
	field := def.Fields.ForName(child.Name)
	if field == nil {
		var names []string
		for _, f := range def.Fields {
			if of.Children.ForName(f.Name) == nil {
				names = append(names, f.Name)
			}
		}
		what := fmt.Sprintf("%s has no field %s", def.Name, child.Name)
		likely := finding.Likely(child.Name, names)
		fits := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
			typ := def.Fields.ForName(name).Type
			return (typ.Elem != nil) != (child.Value.Kind == ast.ListValue) || !c.isOf(child.Value, typ)
		})
		if likely == "" && len(fits) == 1 {
			c.find(child.Position, coordinate, what, fmt.Sprintf("replace %s: with %s:", child.Name, fits[0]))
			return
		}
		if likely == "" {
			fix := fmt.Sprintf("remove %s: %s", child.Name, child.Value)
			if len(names) > 0 {
				fix += ", or write " + sdl.OneOf(names) + " instead"
			}
			c.find(child.Position, coordinate, what, fix)
			return
		}
		c.find(child.Position, coordinate, finding.IsLikely(likely, what),
			fmt.Sprintf("replace %s: with %s:", child.Name, likely))
		return
	}
	if c.isOf(child.Value, field.Type) {
		c.checkFields(child.Value, field.Type, coordinate)
		return
	}
	what := fmt.Sprintf("%s of %s has type %s, but the value is %s", child.Name, def.Name, field.Type, child.Value)
	to := c.example(field.Type, child.Name)
	if enum := c.types[field.Type.Name()]; enum != nil && enum.Kind == ast.Enum {
		what = fmt.Sprintf("%s is not a value of %s", child.Value, enum.Name)
		likely, names := likelyValue(child.Value, enum)
		if to = names[0]; likely != "" {
			to, what = likely, finding.IsLikely(likely, what)
		}
	} else if text := inQuotes(child.Value); field.Type.Name() == "String" && text != "" {
		to = text
	}
	c.find(child.Value.Position, coordinate, what, fmt.Sprintf("replace %s with %s", child.Value, to))
}

// likelyValue returns the value of an enum that another one is probably a misspelling of, "" for none, and all names.
func likelyValue(v *ast.Value, enum *ast.Definition) (likely string, names []string) {
	for _, value := range enum.EnumValues {
		names = append(names, value.Name)
	}
	return finding.Likely(v.Raw, names), names
}

// inQuotes returns a name, a number, or a list of them as texts; "" for other values.
func inQuotes(v *ast.Value) string {
	if v.Kind != ast.ListValue {
		if v.Raw == "" {
			return ""
		}
		return strconv.Quote(v.Raw)
	}
	parts := make([]string, len(v.Children))
	for i, child := range v.Children {
		if parts[i] = inQuotes(child.Value); parts[i] == "" {
			return ""
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// isOf reports whether a value is of a type.
func (c *Checker) isOf(v *ast.Value, t *ast.Type) bool {
	if v.Kind == ast.NullValue {
		return !t.NonNull
	}
	if t.Elem != nil {
		if v.Kind != ast.ListValue {
			return c.isOf(v, t.Elem)
		}
		return !slices.ContainsFunc(v.Children, func(child *ast.ChildValue) bool { return !c.isOf(child.Value, t.Elem) })
	}
	switch t.Name() {
	case "String":
		return v.Kind == ast.StringValue || v.Kind == ast.BlockValue
	case "Int":
		return v.Kind == ast.IntValue
	case "Float":
		return v.Kind == ast.IntValue || v.Kind == ast.FloatValue
	case "Boolean":
		return v.Kind == ast.BooleanValue
	}
	switch def := c.types[t.Name()]; {
	case def != nil && def.Kind == ast.Enum:
		return v.Kind == ast.EnumValue && def.EnumValues.ForName(v.Raw) != nil
	case def != nil && def.Kind == ast.InputObject:
		return v.Kind == ast.ObjectValue
	}
	return true
}

// example returns a value of a type.
func (c *Checker) example(t *ast.Type, coordinate string) string {
	switch def := c.types[t.Name()]; {
	case t.Elem != nil:
		return "[" + c.example(t.Elem, coordinate) + "]"
	case def != nil && def.Kind == ast.Enum:
		return def.EnumValues[0].Name
	case def != nil && def.Kind == ast.InputObject:
		var fields []string
		for _, f := range def.Fields {
			if f.Type.NonNull && f.DefaultValue == nil {
				fields = append(fields, f.Name+`: "`+f.Name+`"`)
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case t.Name() == "Int", t.Name() == "Float":
		return "1"
	case t.Name() == "Boolean":
		return "true"
	}
	name, _, _ := strings.Cut(coordinate, ".")
	return `"` + sdl.ConstantCase(name) + `#{id}"`
}
