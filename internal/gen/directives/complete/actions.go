package complete

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// actionText is what the template of an action needs.
type actionText struct {
	*reading.Action
	Input, Payload string
	Fields         []field
	Elements       []elementText
	Codes          string
	PayloadFields  []payloadField
}

// elementText is the input for the elements of a list in the input of an action.
type elementText struct {
	List, Input string
	Fields      []field
}

// actions adds the inputs and the payloads of fields with @step, as far as the schema does not declare them. What
// cannot be added is left out: Read finds the reason.
func (c *mutationCompleter) actions() {
	for _, a := range reading.ActionsOf(c.types[cmp.Or(c.rootName(), "Mutation")]) {
		at := a.Field.Position
		c.findRoot(at)
		c.findLists(a)
		text := actionText{
			Action: a, Input: a.InputName(), Payload: a.Field.Type.Name(), Codes: codesOf(a),
			PayloadFields: c.payloadFields(a),
		}
		text.Fields, text.Elements = c.actionFields(a, at)
		builtIn := sdl.TypeNames()
		if text.Input != "" && !slices.Contains(builtIn, text.Input) {
			declared := c.types[text.Input]
			c.addText(at, "actionInput", text)
			for _, of := range text.Elements {
				if f := fieldOf(declared, of.List); f == nil || f.Type.Name() == of.Input {
					c.addText(at, "actionElement", of)
				}
			}
		}
		if !slices.Contains(builtIn, text.Payload) {
			c.addText(at, "actionPayload", text)
		}
	}
}

// actionFields returns the fields of the input of an action, and those of the elements of its lists.
func (c *mutationCompleter) actionFields(a *reading.Action, at *ast.Position) (fields []field, lists []elementText) {
	find := func(name string) *ast.Definition { return c.types[name] }
	inputs := a.Inputs(find, c.identityOf)
	for _, in := range inputs {
		if in.List != "" && !reading.IsListName(in.List, inputs) {
			continue // It is found.
		}
		f := field{Name: in.Name, Description: "The `id` of the " + in.Type + "."}
		if in.Def != nil {
			f.Description, f.Directives = in.Def.Description, deprecation(in.Def, in.FieldType)
		}
		if f.Type = c.inputType(in.FieldType, at); f.Type == nil {
			continue
		}
		if in.List == "" {
			fields = append(fields, f)
			continue
		}
		f.Name = strings.TrimPrefix(f.Name, in.List+".")
		n := slices.IndexFunc(lists, func(of elementText) bool { return of.List == in.List })
		if n < 0 {
			n = len(lists)
			lists = append(lists, elementText{List: in.List, Input: a.ElementName(in.List)})
			fields = append(fields, listField(a, in, at))
		}
		if lists[n].Fields = append(lists[n].Fields, f); in.IsElement {
			lists[n].Fields = nil
		}
	}
	lists = slices.DeleteFunc(lists, func(of elementText) bool { return of.Fields == nil })
	if a.HasIdempotencyKey(find, c.identityOf) {
		const description = "Makes this happen once: repeated with the same key and input within a day, it returns the " +
			"same objects."
		fields = append(fields, field{description, reading.IdempotencyKey, ast.NamedType("String", at), nil})
	}
	return fields, lists
}

// findLists finds lists with a name that no field of the input can have.
func (c *mutationCompleter) findLists(a *reading.Action) {
	inputs := a.Inputs(func(name string) *ast.Definition { return c.types[name] }, c.identityOf)
	for _, s := range a.Steps {
		if s.Directive.Arguments.ForName("each") == nil || reading.IsListName(s.Each, inputs) {
			continue
		}
		name := "all"
		isIt := func(in reading.ActionInput) bool { return in.Name == name || in.List == name }
		for n := 2; slices.ContainsFunc(inputs, isIt); n++ {
			name = fmt.Sprintf("all%d", n)
		}
		c.findings = append(c.findings, finding.At(s.Directive.Position, c.root.Name+"."+a.Name,
			fmt.Sprintf("%q cannot be the name of a list in the input: each field has a name of its own", s.Each),
			fmt.Sprintf("write each: %q, or another name", name)))
	}
}

// fieldOf returns the field with a name, or nil. The definition may be nil.
func fieldOf(def *ast.Definition, name string) *ast.FieldDefinition {
	if def == nil {
		return nil
	}
	return def.Fields.ForName(name)
}

// listField returns the field of the input of an action with a list of which an input is the first one.
func listField(a *reading.Action, in reading.ActionInput, at *ast.Position) field {
	element := a.ElementName(in.List)
	description := "One element for each object. All are written, or none."
	if in.IsElement {
		element, description = "ID", "The `id` of each "+in.Type+". All are written, or none."
	}
	list := ast.NonNullListType(ast.NonNullNamedType(element, at), at)
	return field{Name: in.List, Description: description, Type: list}
}

// identityOf returns the identity of the items of a type, nil if it is not stored.
func (c *mutationCompleter) identityOf(def *ast.Definition) []string {
	if item := def.Directives.ForName("item"); item != nil {
		return c.identity(item)
	}
	return nil
}

// codesOf lists the codes of an action's own user errors.
func codesOf(a *reading.Action) string {
	var codes []string
	for _, s := range a.Steps {
		if s.Code != "" {
			codes = append(codes, "`"+s.Code+"`")
		}
	}
	return sdl.OneOf(codes)
}

// codes adds the codes of actions to those of user errors.
func (c *mutationCompleter) codes() {
	def := c.types[sdl.UserErrorCodeType]
	for _, a := range reading.ActionsOf(c.types[c.root.Name]) {
		for _, s := range a.Steps {
			if s.Code == "" || def == nil || def.Kind != ast.Enum || def.EnumValues.ForName(s.Code) != nil ||
				!reading.FieldName.MatchString(s.Code) {
				continue
			}
			at := s.Directive.Position
			c.addCode(def, s.Code, s.Message, at)
		}
	}
	illegal := string(write.CodeIllegalTransition)
	for _, enum := range c.types {
		if def != nil && reading.TransitionsOf(enum) != nil && def.EnumValues.ForName(illegal) == nil {
			c.addCode(def, illegal, "The value cannot become that one; the message says what it can become.", def.Position)
		}
	}
}

func (c *mutationCompleter) addCode(def *ast.Definition, name, description string, at *ast.Position) {
	value := &ast.EnumValueDefinition{Name: name, Description: description, Position: at}
	def.EnumValues = append(def.EnumValues, value)
	c.all.Extensions = append(c.all.Extensions, &ast.Definition{
		Kind: ast.Enum, Name: def.Name, EnumValues: ast.EnumValueList{value}, Position: at,
	})
}

// payloadField is a field of the payload of an action.
type payloadField struct{ Description, Name, Type string }

// payloadFields returns the fields of the payload beside userErrors.
func (c *mutationCompleter) payloadFields(a *reading.Action) []payloadField {
	var fields []payloadField
	for i, s := range a.Steps {
		isSame := func(other *reading.Step) bool { return other.Name == s.Name }
		def := c.types[s.Type]
		if def == nil || def.Kind != ast.Object || s.Kind == design.CheckStep || slices.ContainsFunc(a.Steps[:i], isSame) ||
			!reading.FieldName.MatchString(s.Name) || s.Name == sdl.UserErrorsField {
			continue // Read finds it.
		}
		description := "The " + s.Type + " as it is stored now; null when there is none."
		switch s.Kind {
		case design.CreateStep:
			description = "The new " + s.Type + "; null when there are errors."
		case design.DeleteStep:
			fields = append(fields, payloadField{
				"The global id of the deleted " + s.Type + ", for clients to forget; null when there are errors.", s.DeletedID(),
				s.Deleted(),
			})
			description = "The " + s.Type + " as it is stored now, if it was not deleted; otherwise null."
		}
		if s.Each != "" {
			description = "For each element of `" + s.Each + "`: " + sdl.LowerFirst(description)
		}
		fields = append(fields, payloadField{description, s.Name, s.Object()})
	}
	return fields
}
