package prices

import (
	"errors"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// validate returns why an operation is not valid.
func validate(o Operation, schema *ast.Schema) (gqlerror.List, error) {
	document, err := o.document()
	if faults, is := errors.AsType[gqlerror.List](err); is {
		return faults, nil
	}
	if err != nil {
		return nil, err
	}
	return validator.ValidateWithRules(schema, document, rules.NewDefaultRules()), nil
}

// usedBy are the schema coordinates that an operation uses. A variable may have any value of its type.
type usedBy map[string]bool

// usesOf returns what an operation uses of a schema.
func usesOf(o Operation, schema *ast.Schema) usedBy {
	uses := usedBy{}
	document, err := o.document()
	if err != nil {
		return uses // it is not valid anywhere
	}
	var events core.Events
	events.OnVariable(func(_ *core.Walker, v *ast.VariableDefinition) { uses.input(schema, v.Type.Name()) })
	events.OnField(func(_ *core.Walker, f *ast.Field) {
		if f.ObjectDefinition == nil || f.Definition == nil {
			return
		}
		types := []*ast.Definition{f.ObjectDefinition}
		if f.ObjectDefinition.IsAbstractType() {
			types = append(types, schema.GetPossibleTypes(f.ObjectDefinition)...)
		}
		for _, t := range types {
			path := t.Name + "." + f.Name
			uses[t.Name], uses[path], uses[f.Definition.Type.Name()] = true, true, true
			for _, a := range f.Arguments {
				uses[path+"("+a.Name+":)"] = true
			}
		}
	})
	events.OnInlineFragment(func(_ *core.Walker, f *ast.InlineFragment) { uses[f.TypeCondition] = true })
	events.OnFragment(func(_ *core.Walker, f *ast.FragmentDefinition) { uses[f.TypeCondition] = true })
	events.OnDirective(func(_ *core.Walker, d *ast.Directive) {
		uses["@"+d.Name] = true
		for _, a := range d.Arguments {
			uses["@"+d.Name+"("+a.Name+":)"] = true
		}
	})
	events.OnValue(func(_ *core.Walker, v *ast.Value) {
		if v.Definition == nil {
			return
		}
		switch v.Kind {
		case ast.EnumValue:
			uses[v.Definition.Name], uses[v.Definition.Name+"."+v.Raw] = true, true
		case ast.ObjectValue:
			uses[v.Definition.Name] = true
			for _, child := range v.Children {
				uses[v.Definition.Name+"."+child.Name] = true
			}
		}
	})
	core.Walk(schema, document, &events)
	return uses
}

// input adds an input type and all that a value of it may have.
func (u usedBy) input(schema *ast.Schema, name string) {
	def := schema.Types[name]
	if u[name] || def == nil {
		return
	}
	u[name] = true
	for _, v := range def.EnumValues {
		u[name+"."+v.Name] = true
	}
	for _, f := range def.Fields {
		u[name+"."+f.Name] = true
		u.input(schema, f.Type.Name())
	}
}

// exists reports whether a schema has an argument or an input field. All else that breaks clients was there before.
func exists(schema *ast.Schema, path string) bool {
	element, argument, isArgument := strings.Cut(strings.TrimSuffix(path, ":)"), "(")
	name, field, isField := strings.Cut(element, ".")
	if directive := schema.Directives[strings.TrimPrefix(name, "@")]; name != strings.TrimPrefix(name, "@") {
		return directive != nil && (!isArgument || directive.Arguments.ForName(argument) != nil)
	}
	def := schema.Types[name]
	switch {
	case def == nil || !isField || def.Kind == ast.Enum:
		return true
	case def.Fields.ForName(field) == nil:
		return false
	}
	return !isArgument || def.Fields.ForName(field).Arguments.ForName(argument) != nil
}

// owner returns the coordinate of the field, the directive or the input type that has an element.
func owner(path string) string {
	if element, _, isArgument := strings.Cut(path, "("); isArgument {
		return element
	}
	name, _, _ := strings.Cut(path, ".")
	return name
}
