package sdl

import (
	"slices"
	"strings"
	"unicode"
)

// PagingArguments are the arguments of a connection and their types.
//
// https://relay.dev/graphql/connections.htm#sec-Arguments
var PagingArguments = [...]struct{ Name, Type string }{
	{"first", "Int"}, {"after", "String"}, {"last", "Int"}, {"before", "String"},
}

// IsPaging reports whether a name is that of an argument of connections.
func IsPaging(name string) bool {
	for _, p := range PagingArguments {
		if p.Name == name {
			return true
		}
	}
	return false
}

// BoolInt returns 1 for true.
func BoolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Unreserved returns a similar name that is not taken.
func Unreserved(name string, isTaken func(string) bool) string {
	for name = strings.TrimPrefix(name, "_"); isTaken(name); {
		name += "1"
	}
	return name
}

// ConnectionSuffix ends the names of connections.
const ConnectionSuffix = "Connection"

// Article returns a name with the indefinite article: that of User and Unit for all that begin with a U.
func Article(name string) string {
	if strings.IndexByte("AEIOaeio", name[0]) >= 0 {
		return "an " + name
	}
	return "a " + name
}

// HasLastWords reports whether a name in camel case ends with the words of another one.
func HasLastWords(name, last string) bool {
	before, ends := strings.CutSuffix(name, last)
	return ends && (before == "" || unicode.IsUpper(rune(last[0])))
}

// CamelWords returns the words of a name in camel case. Capital letters in a row are one word.
func CamelWords(name string) []string {
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

// InPlainWords returns a name in camel case for a description: OrderLine is order line.
func InPlainWords(name string) string {
	words := CamelWords(name)
	for i, w := range words {
		if strings.ToUpper(w) != w || len(w) == 1 {
			words[i] = strings.ToLower(w)
		}
	}
	return strings.Join(words, " ")
}

// Plural returns the regular plural of an English word.
func Plural(word string) string {
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

// OneOf returns a list of names: A, B or C.
func OneOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// LowerFirst returns a name that begins with a small letter.
func LowerFirst(name string) string {
	if name == "" {
		return ""
	}
	return strings.ToLower(name[:1]) + name[1:]
}

// ConstantCase returns the name as a literal of a key: OrderLine is ORDER_LINE.
func ConstantCase(name string) string {
	var b strings.Builder
	for i, c := range name {
		if i > 0 && unicode.IsUpper(c) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToUpper(c))
	}
	return b.String()
}

// UpperFirst returns a name that begins with a capital letter.
func UpperFirst(name string) string {
	if name == "" {
		return ""
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// prepositions end the part of a name that says what something is: OrdersByStatus are orders.
var prepositions = []string{"By", "Of", "In", "For", "From", "With", "To", "At", "On"}

// IsPreposition reports whether a word of a name, as CamelWords returns it, is a preposition.
func IsPreposition(word string) bool { return slices.Contains(prepositions, word) }
