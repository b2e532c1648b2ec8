package checks

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys/design"
)

// inputField is a field that an input may have, or must have.
type inputField struct {
	name string
	typ  *ast.Type
	// required is set if an input without the field could not be written.
	required bool
}

// inputFields returns the fields of a mutation's input.
func inputFields(d *reading.DeclaredMutation) []inputField {
	var fields []inputField
	if d.HasID() {
		fields = append(fields, inputField{"id", ast.NonNullNamedType("ID", nil), true})
	}
	for _, name := range d.KeyNames() {
		if f := d.Def.Fields.ForName(name); f != nil {
			fields = append(fields, inputField{name, f.Type, true})
		}
	}
	if v := sdl.VersionOf(d.Def); v != nil && d.Kind != design.CreateMutation {
		fields = append(fields, inputField{v.Name, ast.NonNullNamedType("Int", nil), true})
	}
	for _, f := range d.Inputs() {
		typ := *f.Type
		typ.NonNull = d.IsRequired(f)
		fields = append(fields, inputField{f.Name, &typ, typ.NonNull})
	}
	if d.GeneratesID() {
		fields = append(fields, inputField{reading.IdempotencyKey, ast.NamedType("String", nil), false})
	}
	return fields
}

// checkInput finds what a declared input lacks, and what it has in excess.
func checkInput(r *checker, d *reading.DeclaredMutation) {
	if d.InputDef.Kind != ast.InputObject {
		findKind(r, d, d.InputDef, "an input")
		return
	}
	checkInputObject(r, d, d.InputDef, inputFields(d), "the "+d.Of.Name, map[string]bool{})
}

// findKind finds a definition that is of another kind than the one that a mutation needs.
func findKind(r *checker, d *reading.DeclaredMutation, def *ast.Definition, kind string) {
	r.find(d.Directive.Position, d.Of.Name,
		fmt.Sprintf("%s needs %s %s, but that is declared as something else (%s)",
			d.Name, kind, def.Name, finding.PlaceOf(def.Position)),
		nameFix(r, d))
}

// checkInputObject compares an input with the fields that it should have, and the inputs within it.
func checkInputObject(r *checker,
	d *reading.DeclaredMutation, def *ast.Definition, wanted []inputField, of string, seen map[string]bool,
) {
	if seen[def.Name] {
		return
	}
	seen[def.Name] = true
	var missing []string
	for _, w := range wanted {
		if def.Fields.ForName(w.name) == nil {
			missing = append(missing, w.name)
		}
	}
	var misspelt []string
	for _, f := range def.Fields {
		if slices.ContainsFunc(wanted, func(w inputField) bool { return w.name == f.Name }) {
			continue
		}
		what, fix := fmt.Sprintf("%s does not set %s of %s", d.Name, f.Name, of),
			fmt.Sprintf("remove %s from type %s", f.Name, def.Name)
		if likely := finding.Likely(f.Name, missing); likely != "" {
			what, fix = finding.IsLikely(likely, what), fmt.Sprintf("rename %s to %s in type %s", f.Name, likely, def.Name)
			misspelt = append(misspelt, likely)
		}
		r.find(f.Position, def.Name+"."+f.Name, what, fix)
	}
	for _, w := range wanted {
		if !slices.Contains(misspelt, w.name) {
			checkInputField(r, d, def, w, seen)
		}
	}
}

func checkInputField(r *checker, d *reading.DeclaredMutation, def *ast.Definition, w inputField, seen map[string]bool) {
	f := def.Fields.ForName(w.name)
	want := inputTypeOf(r, w.typ)
	switch {
	case want == nil && w.required:
		fix := fmt.Sprintf("remove @mutable from type %s, and write its mutations in Go", d.Of.Name)
		if d.Directive.Name == "step" {
			fix = fmt.Sprintf("remove %s from type %s, or give %s another type", d.Name, r.Schema.Mutation.Name, w.name)
		}
		r.find(d.Directive.Position, d.Of.Name, fmt.Sprintf(
			"%s must set %s, but an input cannot have a value of type %s", d.Name, w.name, w.typ.Name()), fix)
		return
	case want == nil:
		return
	case f == nil && w.required:
		r.find(def.Position, def.Name, fmt.Sprintf("%s needs %s", d.Name, w.name),
			fmt.Sprintf("add %s: %s to type %s", w.name, want, def.Name))
		return
	case f == nil:
		return
	case !fitsInput(f, want):
		r.find(f.Position, def.Name+"."+f.Name, fmt.Sprintf("%s needs %s: %s", d.Name, w.name, want),
			sdl.Retype(def.Name, f, want.String()))
		return
	}
	object, input := r.Schema.Types[w.typ.Name()], r.Schema.Types[want.Name()]
	if object.Kind != ast.Object || input.Kind != ast.InputObject {
		return
	}
	var fields []inputField
	for _, part := range object.Fields {
		if sdl.IsAttribute(part) {
			fields = append(fields, inputField{part.Name, part.Type, part.Type.NonNull})
		}
	}
	checkInputObject(r, d, input, fields, object.Name, seen)
}

// inputTypeOf returns the type of an input for values of a type, nil if there is none.
func inputTypeOf(r *checker, t *ast.Type) *ast.Type {
	other := *t
	if t.Elem != nil {
		if other.Elem = inputTypeOf(r, t.Elem); other.Elem == nil {
			return nil
		}
		return &other
	}
	def := r.Schema.Types[t.NamedType]
	switch {
	case def.IsInputType():
		return &other
	case def.Kind != ast.Object || r.Types[def.Name] != nil:
		return nil
	}
	other.NamedType = reading.NestedInput(def.Name)
	if input := r.Schema.Types[other.NamedType]; input == nil || input.Kind != ast.InputObject {
		return nil
	}
	return &other
}

// fitsInput reports whether a field of an input has a value of the wanted type, whatever is given. It may be stricter.
func fitsInput(f *ast.FieldDefinition, want *ast.Type) bool {
	got := *f.Type
	if got.NonNull = got.NonNull && want.NonNull; f.DefaultValue != nil {
		got.NonNull = want.NonNull
	}
	return got.String() == want.String()
}
