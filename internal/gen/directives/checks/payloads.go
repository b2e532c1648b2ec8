package checks

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys/design"
)

// checkPayload finds fields of a declared payload that nothing resolves.
func checkPayload(r *checker, d *reading.DeclaredMutation) {
	def := d.PayloadDef
	if def.Kind != ast.Object || r.Types[def.Name] != nil {
		findKind(r, d, def, "a type")
		return
	}
	if f := def.Fields.ForName(sdl.UserErrorsField); f == nil {
		r.find(def.Position, def.Name, fmt.Sprintf("%s returns what a person can correct", d.Name),
			fmt.Sprintf("add %s: %s to type %s", sdl.UserErrorsField, sdl.UserErrorsType, def.Name))
	}
	for _, f := range def.Fields {
		switch f.Name {
		case sdl.UserErrorsField:
			checkPayloadType(r, d, f, sdl.UserErrorsType)
		case d.Object():
			checkPayloadType(r, d, f, d.Of.Name)
		case d.Deleted():
			if d.Kind == design.DeleteMutation {
				checkPayloadType(r, d, f, "ID")
				continue
			}
			fallthrough
		default:
			checkPayloadRead(r, d, f)
		}
	}
}

// checkPayloadType finds a field of a payload with another type than the one it needs.
func checkPayloadType(r *checker, d *reading.DeclaredMutation, f *ast.FieldDefinition, want string) {
	if f.Type.String() != want {
		r.find(f.Position, d.PayloadDef.Name+"."+f.Name, fmt.Sprintf("%s returns %s: %s", d.Name, f.Name, want),
			sdl.Retype(d.PayloadDef.Name, f, want))
	}
}

// checkPayloadRead finds a field of a payload that is no field of the object that its identity is enough for.
func checkPayloadRead(r *checker, d *reading.DeclaredMutation, f *ast.FieldDefinition) {
	of := r.ReadBy(d.Of.Name, f.Name)
	what, fix := unknownRead(r, d, f)
	if of != nil {
		what, fix = wrongRead(d, f, of)
	}
	if what != "" {
		r.find(f.Position, d.PayloadDef.Name+"."+f.Name, what, fix)
	}
}

// unknownRead returns what is wrong with a field of a payload that is no field of the object, and the fix.
func unknownRead(r *checker, d *reading.DeclaredMutation, f *ast.FieldDefinition) (what, fix string) {
	var names []string
	for _, rd := range r.Reads {
		if rd.Parent == d.Of.Name && d.PayloadDef.Fields.ForName(rd.Name) == nil {
			names = append(names, rd.Name)
		}
	}
	what = fmt.Sprintf("%s has no field %s with @get or @query", d.Of.Name, f.Name)
	if likely := finding.Likely(f.Name, names); likely != "" {
		return finding.IsLikely(likely, what), fmt.Sprintf("rename %s to %s in type %s", f.Name, likely, d.PayloadDef.Name)
	}
	return what, fmt.Sprintf("remove %s from type %s", f.Name, d.PayloadDef.Name)
}

// checkUserErrors finds a declared UserError, or codes of it, that mutations cannot return.
func checkUserErrors(r *checker) {
	def, codes := r.Schema.Types[sdl.UserErrorType], r.Schema.Types[sdl.UserErrorCodeType]
	if len(r.Mutations)+len(r.Actions) == 0 || def == nil || codes == nil {
		return
	}
	standard := sdl.UserErrors().Definitions
	for _, want := range standard.ForName(sdl.UserErrorType).Fields {
		switch f := def.Fields.ForName(want.Name); {
		case f == nil:
			r.find(def.Position, def.Name, "a user error has "+want.Name,
				fmt.Sprintf("add %s: %s to type %s", want.Name, want.Type, def.Name))
		case f.Type.String() != want.Type.String():
			r.find(f.Position, def.Name+"."+f.Name, fmt.Sprintf("a user error has %s: %s", want.Name, want.Type),
				sdl.Retype(def.Name, f, want.Type.String()))
		}
	}
	for _, f := range def.Fields {
		if standard.ForName(sdl.UserErrorType).Fields.ForName(f.Name) == nil {
			r.find(f.Position, def.Name+"."+f.Name, "nothing sets "+f.Name+" of a user error",
				fmt.Sprintf("remove %s from type %s", f.Name, def.Name))
		}
	}
	for _, code := range standard.ForName(sdl.UserErrorCodeType).EnumValues {
		if codes.EnumValues.ForName(code.Name) == nil {
			r.find(codes.Position, codes.Name, "mutations return the code "+code.Name,
				fmt.Sprintf("add %s to enum %s", code.Name, codes.Name))
		}
	}
}

// wrongRead returns what is wrong with a field of a payload that is also a field of the object, and the fix; "" if
// nothing is.
func wrongRead(d *reading.DeclaredMutation, f *ast.FieldDefinition, of *reading.Read) (what, fix string) {
	fix = fmt.Sprintf("remove %s from type %s, and select it of %s", f.Name, d.PayloadDef.Name, d.Object())
	switch d.PayloadFault(f, of) {
	case reading.OtherArguments:
		return fmt.Sprintf("%s.%s has other arguments", d.Of.Name, f.Name), fix
	case reading.OtherType:
		return fmt.Sprintf("%s.%s has another type", d.Of.Name, f.Name),
			sdl.Retype(d.PayloadDef.Name, f, of.Def.Type.String())
	case reading.OwnCount:
		return fmt.Sprintf("totalCount of %s is %s, which a payload does not have", f.Type.Name(), of.Count), fix
	case reading.UnknownVariable:
		return fmt.Sprintf("%s.%s is read by more than the id of the %s", d.Of.Name, f.Name, d.Of.Name), fix
	}
	return "", ""
}
