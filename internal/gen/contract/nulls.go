package contract

import "github.com/vektah/gqlparser/v2/ast"

// isSafeResult reports whether a client that expects a value of one type can read one of the other: a type may become
// non-null, but not nullable.
//
// https://github.com/graphql/graphql-js/blob/16.x.x/src/utilities/findBreakingChanges.ts
func isSafeResult(was, is *ast.Type) bool {
	switch {
	case was.NonNull && !is.NonNull:
		return false
	case was.Elem != nil:
		return is.Elem != nil && isSafeResult(was.Elem, is.Elem)
	}
	return is.Elem == nil && was.NamedType == is.NamedType
}

// isSafeInput reports whether a value for one type is one for the other: a type may become nullable, but not non-null.
// A variable of type T is not valid where [T] is expected, although a literal is.
//
// https://spec.graphql.org/September2025/#sec-All-Variable-Usages-Are-Allowed
func isSafeInput(was, is *ast.Type) bool {
	switch {
	case is.NonNull && !was.NonNull:
		return false
	case was.Elem != nil:
		return is.Elem != nil && isSafeInput(was.Elem, is.Elem)
	}
	return is.Elem == nil && was.NamedType == is.NamedType
}

// sameShape reports whether two types differ in null alone.
func sameShape(a, b *ast.Type) bool {
	if a.Elem != nil && b.Elem != nil {
		return sameShape(a.Elem, b.Elem)
	}
	return a.Elem == nil && b.Elem == nil && a.NamedType == b.NamedType
}

func nullable(t *ast.Type) string {
	bare := *t
	bare.NonNull = false
	return bare.String()
}
