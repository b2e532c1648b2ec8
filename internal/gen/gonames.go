package gen

import (
	"go/types"

	"github.com/99designs/gqlgen/codegen/templates"

	"github.com/partita/partita/keys/design"
)

func keyFunc(typ string) string { return templates.ToGo(typ) + "Key" }

func storedFunc(typ string) string { return "Stored" + templates.ToGo(typ) }

func attributesFunc(typ string) string { return templates.ToGo(typ) + "Attributes" }

func bindFunc(f *design.Field) string { return templates.ToGo(f.Parent) + templates.ToGo(f.Name) }

func nodesFunc(connection string) string { return templates.ToGo(connection) + "Nodes" }

func rangeFunc(input string) string { return "rangeOf" + templates.ToGo(input) }

// paramName returns a name for a parameter that is not taken, and takes it.
func paramName(variable string, taken map[string]bool) string {
	name := templates.ToGoPrivate(variable)
	for taken[name] || name == "_" {
		name += "Value"
	}
	taken[name] = true
	return name
}

// goName returns the name of a generated Go type.
func goName(t types.Type) string {
	if named, ok := unpointed(t).(*types.Named); ok {
		return named.Obj().Name()
	}
	return t.String()
}

// goType returns the type's Go expression without package: for types of the file's own package and
// basic types.
func goType(t types.Type) string {
	return types.TypeString(t, func(*types.Package) string { return "" })
}

func isText(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.String
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}

func unpointed(t types.Type) types.Type {
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		return ptr.Elem()
	}
	return types.Unalias(t)
}

func elementOf(t types.Type) types.Type { return t.Underlying().(*types.Slice).Elem() }

func addressed(t types.Type, name string) string {
	if isPointer(t) {
		return name
	}
	return "&" + name
}
