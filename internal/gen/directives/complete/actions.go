package complete

import (
	"cmp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

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
	Codes          string
	PayloadFields  []payloadField
}

// actions adds the inputs and the payloads of fields with @step, as far as the schema does not declare them. What
// cannot be added is left out: Read finds the reason.
func (c *mutationCompleter) actions() {
	for _, a := range reading.ActionsOf(c.types[cmp.Or(c.rootName(), "Mutation")]) {
		at := a.Field.Position
		c.findRoot(at)
		text := actionText{
			Action: a, Input: a.InputName(), Payload: a.Field.Type.Name(), Codes: codesOf(a),
			Fields: c.actionFields(a, at), PayloadFields: c.payloadFields(a),
		}
		builtIn := sdl.TypeNames()
		if text.Input != "" && !slices.Contains(builtIn, text.Input) {
			c.addText(at, "actionInput", text)
		}
		if !slices.Contains(builtIn, text.Payload) {
			c.addText(at, "actionPayload", text)
		}
	}
}

// actionFields returns the fields of the input of an action.
func (c *mutationCompleter) actionFields(a *reading.Action, at *ast.Position) []field {
	find := func(name string) *ast.Definition { return c.types[name] }
	var fields []field
	for _, in := range a.Inputs(find, c.identityOf) {
		f := field{Name: in.Name, Description: "The `id` of the " + in.Type + "."}
		if in.Def != nil {
			f.Description, f.Directives = in.Def.Description, deprecation(in.Def, in.FieldType)
		}
		if f.Type = c.inputType(in.FieldType, at); f.Type != nil {
			fields = append(fields, f)
		}
	}
	if a.HasIdempotencyKey(find, c.identityOf) {
		const description = "Makes this happen once: repeated with the same key and input within a day, it returns the " +
			"same objects."
		fields = append(fields, field{description, reading.IdempotencyKey, ast.NamedType("String", at), nil})
	}
	return fields
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
				"ID",
			})
			description = "The " + s.Type + " as it is stored now, if it was not deleted; otherwise null."
		}
		fields = append(fields, payloadField{description, s.Name, s.Type})
	}
	return fields
}
