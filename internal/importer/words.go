package importer

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// signs may be between a literal and a variable.
const signs = "-_.:@$~"

// word matches what can be a literal: letters, and signs between them; behind a $ also digits, as in $task_1.
var word = regexp.MustCompile(`^(_*\pL[\pL_.\-]*|\$\pL[\pL\pN_.\-]*)$`)

func isWord(text string) bool { return word.MatchString(text) }

// isTypeName reports whether a text can be the value of a type attribute: a word that is no long text.
func isTypeName(text string) bool { return len(text) <= 64 && isWord(text) }

// numbered matches a word in capitals and a number, such as F0: a literal or an id.
var numbered = regexp.MustCompile(`^[A-Z]{1,8}[0-9]{1,2}$`)

func isNumbered(text string) bool { return numbered.MatchString(text) }

func isCapitals(literal string) bool {
	return literal != "" && strings.Trim(literal, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_-") == ""
}

// isConstant reports whether a word is in capitals, as literals of keys often are.
func isConstant(w string) bool { return len(w) != 1 && w == strings.ToUpper(w) }

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// isIDName reports whether an attribute is an id by its name.
func isIDName(name string) bool { return strings.HasSuffix(strings.ToLower(name), "id") }

// abbreviates reports whether the letters of a short name are in a word, in this order and from its beginning: EVT is
// short for EVENT.
func abbreviates(short, word string) bool {
	short, word = strings.ToUpper(short), strings.ToUpper(word)
	if word == "" || short[0] != word[0] || len(short) > maxAbbreviation {
		return false
	}
	for _, r := range short {
		_, rest, found := strings.Cut(word, string(r))
		if !found {
			return false
		}
		word = rest
	}
	return true
}

// maxAbbreviation is how long a short name is at most.
const maxAbbreviation = 4

// camel returns a name in camel case: user_id and USER-ID are userId.
func camel(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !isNameRune(r) })
	var b strings.Builder
	for i, w := range words {
		if w == strings.ToUpper(w) {
			w = strings.ToLower(w)
		}
		if i == 0 {
			b.WriteString(lowerFirst(w))
			continue
		}
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	text := b.String()
	if text != "" && text[0] >= '0' && text[0] <= '9' {
		return "n" + text
	}
	return text
}

// isNameRune reports whether a character can be in a word of a GraphQL name. The sign _ separates words.
func isNameRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

func lowerFirst(text string) string {
	if text == "" {
		return ""
	}
	n := 1
	for n+1 < len(text) && isUpper(text[n]) && isUpper(text[n+1]) {
		n++ // PRNumber is prNumber.
	}
	return strings.ToLower(text[:n]) + text[n:]
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// singular returns the singular of an English noun.
func singular(name string) string {
	switch {
	case strings.HasSuffix(name, "series"), strings.HasSuffix(name, "Series"):
		return name
	case strings.HasSuffix(name, "ies") && !strings.HasSuffix(strings.ToLower(name), "movies"):
		return name[:len(name)-len("ies")] + "y"
	case strings.HasSuffix(name, "ss"), strings.HasSuffix(name, "us"), strings.HasSuffix(name, "is"):
		return name
	case strings.HasSuffix(name, "sses"), strings.HasSuffix(name, "xes"), strings.HasSuffix(name, "ches"),
		strings.HasSuffix(name, "shes"):
		return name[:len(name)-len("es")]
	}
	return strings.TrimSuffix(name, "s")
}

// plural returns the plural of an English noun.
func plural(name string) string {
	switch {
	case name == "":
		return ""
	case strings.HasSuffix(name, "By"), strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss"):
		return name
	case strings.HasSuffix(name, "y") && len(name) > 1 && !strings.ContainsAny(name[len(name)-2:len(name)-1], "aeiou"):
		return name[:len(name)-1] + "ies"
	case strings.HasSuffix(name, "ss"), strings.HasSuffix(name, "x"), strings.HasSuffix(name, "ch"),
		strings.HasSuffix(name, "sh"):
		return name + "es"
	}
	return name + "s"
}

// unused returns a name, with a number if it is taken.
func unused(name string, isTaken func(string) bool) string {
	free := name
	for i := 2; isTaken(free); i++ {
		free = name + strconv.Itoa(i)
	}
	return free
}

// every reports whether all values are what is reports.
func every[T any](values []T, is func(T) bool) bool {
	return !slices.ContainsFunc(values, func(v T) bool { return !is(v) })
}

// find returns the first value that is one, nil for none.
func find[T any](values []*T, is func(*T) bool) *T {
	if i := slices.IndexFunc(values, is); i >= 0 {
		return values[i]
	}
	return nil
}

// groupBy returns the values by their keys, in order.
func groupBy[S ~[]T, T any, K comparable](values S, key func(T) K) map[K]S {
	groups := map[K]S{}
	for _, v := range values {
		groups[key(v)] = append(groups[key(v)], v)
	}
	return groups
}

// labelIn returns the name of an attribute, in whatever case, and the sign behind it if the text begins with both.
func labelIn(text, name string) string {
	n := len(name)
	if n >= len(text)-1 || !strings.EqualFold(text[:n], name) || !strings.ContainsRune(signs, rune(text[n])) {
		return ""
	}
	return text[:n+1]
}

// literalBefore returns what the expression finds in a text, "" if it has a space: a literal has none.
func literalBefore(expression *regexp.Regexp, text string) string {
	found := expression.FindString(text)
	if strings.ContainsFunc(found, unicode.IsSpace) {
		return ""
	}
	return found
}

// prefixed matches the beginning of a text that may be a literal before a value: the cus_ of cus_17.
var prefixed = regexp.MustCompile(`^\pL+[^\pL\pN{}]+`)

// softPrefix matches the beginning of a text that may be a literal.
var softPrefix = regexp.MustCompile(`^\pL*[^\pL\pN{}]+`)

// beforeVariable matches a literal that may be directly before a variable.
var beforeVariable = regexp.MustCompile(`^(v|[\pL_]*[^\pL\pN{}]+)$`)
