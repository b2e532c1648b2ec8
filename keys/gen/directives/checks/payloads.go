package directives

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkPayload finds fields of a declared payload that nothing resolves.
func (r *checker) checkPayload(d *declaredMutation) {
	def := d.payloadDef
	if def.Kind != ast.Object || r.types[def.Name] != nil {
		r.findKind(d, def, "a type")
		return
	}
	errs := userErrorsType(nil).String()
	if f := def.Fields.ForName(userErrorsField); f == nil {
		r.find(def.Position, def.Name, fmt.Sprintf("%s returns what a person can correct", d.name),
			fmt.Sprintf("add %s: %s to type %s", userErrorsField, errs, def.Name))
	}
	for _, f := range def.Fields {
		switch f.Name {
		case userErrorsField:
			r.checkPayloadType(d, f, errs)
		case d.object():
			r.checkPayloadType(d, f, d.of.Name)
		case d.deleted():
			if d.kind == keys.DeleteMutation {
				r.checkPayloadType(d, f, "ID")
				continue
			}
			fallthrough
		default:
			r.checkPayloadRead(d, f)
		}
	}
}

// checkPayloadType finds a field of a payload with another type than the one it needs.
func (r *checker) checkPayloadType(d *declaredMutation, f *ast.FieldDefinition, want string) {
	if f.Type.String() != want {
		r.find(f.Position, d.payloadDef.Name+"."+f.Name, fmt.Sprintf("%s returns %s: %s", d.name, f.Name, want),
			retype(d.payloadDef.Name, f, want))
	}
}

// checkPayloadRead finds a field of a payload that is no field of the object that its identity is enough for.
func (r *checker) checkPayloadRead(d *declaredMutation, f *ast.FieldDefinition) {
	of := r.readBy(d.of.Name, f.Name)
	what, fix := r.unknownRead(d, f)
	if of != nil {
		what, fix = wrongRead(d, f, of)
	}
	if what != "" {
		r.find(f.Position, d.payloadDef.Name+"."+f.Name, what, fix)
	}
}

// unknownRead returns what is wrong with a field of a payload that is no field of the object, and the fix.
func (r *checker) unknownRead(d *declaredMutation, f *ast.FieldDefinition) (what, fix string) {
	var names []string
	for _, rd := range r.reads {
		if rd.Parent == d.of.Name && d.payloadDef.Fields.ForName(rd.Name) == nil {
			names = append(names, rd.Name)
		}
	}
	what = fmt.Sprintf("%s has no field %s with @get or @query", d.of.Name, f.Name)
	if likely := Likely(f.Name, names); likely != "" {
		return isLikely(likely, what), fmt.Sprintf("rename %s to %s in type %s", f.Name, likely, d.payloadDef.Name)
	}
	return what, fmt.Sprintf("remove %s from type %s", f.Name, d.payloadDef.Name)
}

// checkUserErrors finds a declared UserError, or codes of it, that mutations cannot return.
func (r *checker) checkUserErrors() {
	def, codes := r.schema.Types[userErrorType], r.schema.Types[userErrorCodeType]
	if len(r.mutations) == 0 || def == nil || codes == nil {
		return
	}
	var names []string
	for _, want := range userErrorFields {
		names = append(names, want.name)
		typ := (&ast.Type{NamedType: want.typ, NonNull: want.nonNull}).String()
		f := def.Fields.ForName(want.name)
		switch {
		case f == nil:
			r.find(def.Position, def.Name, "a user error has "+want.name,
				fmt.Sprintf("add %s: %s to type %s", want.name, typ, def.Name))
		case f.Type.String() != typ:
			r.find(f.Position, def.Name+"."+f.Name, fmt.Sprintf("a user error has %s: %s", want.name, typ),
				retype(def.Name, f, typ))
		}
	}
	for _, f := range def.Fields {
		if !slices.Contains(names, f.Name) {
			r.find(f.Position, def.Name+"."+f.Name, "nothing sets "+f.Name+" of a user error",
				fmt.Sprintf("remove %s from type %s", f.Name, def.Name))
		}
	}
	for _, code := range userErrorCodes {
		if codes.EnumValues.ForName(code.name) == nil {
			r.find(codes.Position, codes.Name, "mutations return the code "+code.name,
				fmt.Sprintf("add %s to enum %s", code.name, codes.Name))
		}
	}
}

// wrongRead returns what is wrong with a field of a payload that is also a field of the object, and the fix; "" if
// nothing is.
func wrongRead(d *declaredMutation, f *ast.FieldDefinition, of *read) (what, fix string) {
	fix = fmt.Sprintf("remove %s from type %s, and select it of %s", f.Name, d.payloadDef.Name, d.object())
	switch d.payloadFault(f, of) {
	case otherArguments:
		return fmt.Sprintf("%s.%s has other arguments", d.of.Name, f.Name), fix
	case otherType:
		return fmt.Sprintf("%s.%s has another type", d.of.Name, f.Name),
			retype(d.payloadDef.Name, f, of.def.Type.String())
	case ownCount:
		return fmt.Sprintf("totalCount of %s is %s, which a payload does not have", f.Type.Name(), of.Count), fix
	case unknownVariable:
		return fmt.Sprintf("%s.%s is read by more than the id of the %s", d.of.Name, f.Name, d.of.Name), fix
	}
	return "", ""
}
