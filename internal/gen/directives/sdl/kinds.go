package sdl

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// InWords returns a place of directives with the indefinite article.
func InWords(at ast.DirectiveLocation) string {
	words := strings.ToLower(strings.ReplaceAll(string(at), "_", " "))
	if strings.ContainsAny(words[:1], "aeiou") {
		return "an " + words
	}
	return "a " + words
}

// Keyword returns the word that a definition of the kind begins with.
func Keyword(kind ast.DefinitionKind) string {
	switch kind {
	case ast.Object:
		return "type"
	case ast.InputObject:
		return "input"
	case ast.Interface:
		return "interface"
	case ast.Union:
		return "union"
	case ast.Enum:
		return "enum"
	default:
		return "scalar"
	}
}

// KindInWords returns a kind of definitions with the indefinite article.
func KindInWords(kind ast.DefinitionKind) string { return InWords(ast.DirectiveLocation(kind)) }
