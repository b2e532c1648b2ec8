package directives

import (
	"slices"
	"strings"
	"unicode"

	"github.com/vektah/gqlparser/v2/ast"
)

// prepositions end the part of a name that says what something is: OrdersByStatus are orders.
var prepositions = []string{"By", "Of", "In", "For", "From", "With", "To", "At", "On"}

// nodeOf returns the type whose objects the connection has, by its name without the suffix: an object type, union or
// interface of that name, or else the longest name of a stored type, union or interface that ends it before the first
// preposition, in the singular or plural. It is "" if there is none.
func (c *connectionCompleter) nodeOf(base string) string {
	longest := ""
	words := camelWords(base)
	if i := slices.IndexFunc(words, func(w string) bool { return slices.Contains(prepositions, w) }); i > 0 {
		words = words[:i]
	}
	head := strings.Join(words, "")
	for _, def := range declarations(c.all) {
		isStored := def.Kind == ast.Object && def.Directives.ForName("item") != nil
		isAbstract := def.Kind == ast.Union || def.Kind == ast.Interface
		if def.Name == base && (def.Kind == ast.Object || isAbstract) {
			return base
		}
		if !isStored && !isAbstract || len(def.Name) <= len(longest) {
			continue
		}
		if hasLastWords(head, def.Name) || hasLastWords(head, plural(def.Name)) {
			longest = def.Name
		}
	}
	return longest
}

// hasLastWords reports whether a name in camel case ends with the words of another one.
func hasLastWords(name, last string) bool {
	before, ends := strings.CutSuffix(name, last)
	return ends && (before == "" || unicode.IsUpper(rune(last[0])))
}

// camelWords returns the words of a name in camel case. Capital letters in a row are one word.
func camelWords(name string) []string {
	var words []string
	start := 0
	letters := []rune(name)
	for i := 1; i < len(letters); i++ {
		startsWord := unicode.IsUpper(letters[i]) &&
			(!unicode.IsUpper(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1]))
		if startsWord {
			words = append(words, string(letters[start:i]))
			start = i
		}
	}
	return append(words, string(letters[start:]))
}

// inPlainWords returns a name in camel case for a description: OrderLine is order line.
func inPlainWords(name string) string {
	words := camelWords(name)
	for i, w := range words {
		if strings.ToUpper(w) != w || len(w) == 1 {
			words[i] = strings.ToLower(w)
		}
	}
	return strings.Join(words, " ")
}

// plural returns the regular plural of an English word.
func plural(word string) string {
	hasEnd := func(ends ...string) bool {
		return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(word, end) })
	}
	switch {
	case hasEnd("ay", "ey", "oy", "uy"):
		return word + "s"
	case hasEnd("y"):
		return strings.TrimSuffix(word, "y") + "ies"
	case hasEnd("s", "x", "z", "ch", "sh"):
		return word + "es"
	default:
		return word + "s"
	}
}
