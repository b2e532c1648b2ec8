package edits

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/partita/partita/internal/gen/directives/finding"
)

type (
	edit   = func(text string, f finding.Finding, words []string) (string, bool)
	inSpan = func(text string, s span, words []string) string
	atByte = func(text string, at int, words []string) string
)

// inType edits the definition whose name is that word of the line.
func inType(name int, in inSpan) edit {
	return func(text string, _ finding.Finding, w []string) (string, bool) {
		s, ok := typeSpan(text, w[name])
		if !ok {
			return "", false
		}
		return in(text, s, w), true
	}
}

// inField edits the field whose type and name are that word of the line and the next one.
func inField(typ int, in inSpan) edit {
	return func(text string, _ finding.Finding, w []string) (string, bool) {
		s, ok := fieldSpan(text, w[typ], w[typ+1])
		if !ok {
			return "", false
		}
		return in(text, s, w), true
	}
}

// atPlace edits what is at the finding.
func atPlace(at atByte) edit {
	return func(text string, f finding.Finding, w []string) (string, bool) {
		return at(text, f.Offset(text), w), true
	}
}

// atDirective edits the directive at the finding, or that of the field there.
func atDirective(at atByte) edit {
	return func(text string, f finding.Finding, w []string) (string, bool) {
		place := directiveAt(text, f)
		if place < 0 {
			return "", false
		}
		return at(text, place, w), true
	}
}

func addArguments(text string, s span, w []string) string {
	if text[s.body] == '(' {
		return text[:s.body+1] + w[1] + ", " + text[s.body+1:]
	}
	return text[:s.body] + "(" + w[1] + ")" + text[s.body:]
}

// addToBody adds a field or a value in front of the others. A definition may have none yet.
func addToBody(text string, s span, w []string) string {
	if s.body == s.end {
		return text[:s.body] + " { " + w[1] + " }" + text[s.body:]
	}
	return text[:s.body+1] + " " + w[1] + " " + text[s.body+1:]
}

// replaceOnce replaces a directive, whatever is between its arguments and the elements of its lists.
func replaceOnce(text string, s span, from, to string) string {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(from), ", ", ",")
	at := regexp.MustCompile(strings.ReplaceAll(pattern, ",", `[\s,]+`)).FindStringIndex(text[s.start:s.end])
	if at == nil {
		return text
	}
	return text[:s.start+at[0]] + to + text[s.start+at[1]:]
}

// replaceDeclared replaces a name with a type by another one, wherever the definition has it.
func replaceDeclared(text string, s span, from, to string) string {
	declared := regexp.MustCompile(`\b` + regexp.QuoteMeta(from) + `([\s),}])`)
	within := declared.ReplaceAllString(text[s.start:s.end]+" ", to+"$1")
	return text[:s.start] + within[:len(within)-1] + text[s.end:]
}

func removeDirective(text string, s span, w []string) string {
	at := regexp.MustCompile(w[1] + `\b`).FindStringIndex(masked(text)[s.start:s.end])
	if at == nil {
		return text
	}
	return text[:s.start+at[0]] + text[directiveEnd(text, s.start+at[0]):]
}

func removeArgument(text string, s span, w []string) string {
	declared := regexp.MustCompile(`\b` + w[1] + `: [^\s,)]+,? ?`)
	without := declared.ReplaceAllString(text[s.start:s.end], "")
	return text[:s.start] + strings.Replace(strings.Replace(without, "()", "", 1), ", )", ")", 1) + text[s.end:]
}

// removeFromUnion removes a type from a union that has others.
func removeFromUnion(text string, _ finding.Finding, w []string) (string, bool) {
	union := regexp.MustCompile(`\bunion ` + w[2] + `\b[^=]*=(\s*\|?\s*\w+)+`).FindStringIndex(masked(text))
	if union == nil {
		return "", false
	}
	types := text[union[0]:union[1]]
	without := regexp.MustCompile(`(=[\s|]*)\b`+w[1]+`\s*\|\s*`).ReplaceAllString(types, "$1")
	if without == types {
		without = regexp.MustCompile(`\s*\|\s*`+w[1]+`\b`).ReplaceAllString(types, "")
	}
	return text[:union[0]] + without + text[union[1]:], true
}

func removeField(text string, _ finding.Finding, w []string) (string, bool) {
	s, ok := fieldSpan(text, w[2], w[1])
	if !ok {
		return "", false
	}
	return text[:described(text, s.start)] + text[s.end:], true
}

// removeDefinition removes a type or directive with its description.
func removeDefinition(text string, _ finding.Finding, w []string) (string, bool) {
	at := regexp.MustCompile(w[1] + `\b`).FindStringIndex(masked(text))
	if at == nil {
		return "", false
	}
	end := len(text)
	if next := definition.FindStringIndex(masked(text)[at[1]:]); next != nil {
		end = described(text, at[1]+next[0])
	}
	return text[:described(text, at[0])] + text[end:], true
}

func removeOfDirective(text string, f finding.Finding, w []string) (string, bool) {
	at := f.Offset(text)
	if strings.HasPrefix(text[at:], w[1]+":") {
		at = strings.LastIndex(text[:at], "@")
	} else {
		at = directiveAt(text, f)
	}
	if at < 0 {
		return "", false
	}
	end := directiveEnd(text, at)
	argument := regexp.MustCompile(`(, )?\b` + w[1] + `: ("[^"]*"|` + list + `|[^\s,)]+)`)
	without := strings.Replace(argument.ReplaceAllString(text[at:end], ""), "(, ", "(", 1)
	return text[:at] + without + text[end:], true
}

func renameWithin(text string, s span, from, to string) string {
	name := regexp.MustCompile(`([\s({])` + from + `([:(}])`)
	return text[:s.start] + name.ReplaceAllString(text[s.start:s.end], "${1}"+to+"$2") + text[s.end:]
}

func returnType(text string, s span, w []string) string { return text[:s.typ] + w[1] + text[s.typEnd:] }

// returnHere sets the type of the field that the finding is about.
func returnHere(text string, f finding.Finding, w []string) (string, bool) {
	parent, name, _ := strings.Cut(f.Coordinate, ".")
	s, ok := fieldSpan(text, parent, name)
	if !ok {
		return "", false
	}
	return returnType(text, s, w), true
}

var value = regexp.MustCompile(`^(?:, )?(\w+): ("[^"]*"|(?:` + list + `)!?|[^\s,]+)`)

// write sets the type of the field or argument at the finding, or arguments of its directive.
func write(text string, f finding.Finding, values string) (string, bool) {
	for values != "" {
		m := value.FindStringSubmatch(values)
		if m == nil {
			break
		}
		values = values[len(m[0]):]
		at := f.Offset(text)
		declaration := regexp.MustCompile(`^` + m[1] + `(\([^)]*\))?: ([^\s,)]+)`)
		if declared := declaration.FindStringSubmatchIndex(text[at:]); declared != nil {
			text = text[:at+declared[4]] + m[2] + text[at+declared[5]:]
			continue
		}
		if at = directiveAt(text, f); at < 0 {
			return "", false
		}
		end := directiveEnd(text, at)
		text = text[:at] + withArgument(text[at:end], m[1], m[2]) + text[end:]
	}
	return text, true
}

// withArgument sets an argument of a directive.
func withArgument(directive, name, to string) string {
	argument := regexp.MustCompile(`\b` + name + `: ("[^"]*"|` + list + `|[^\s,)]+)`)
	if at := argument.FindStringIndex(directive); at != nil { // Another one with the same name is inside of an object.
		return directive[:at[0]] + name + ": " + to + directive[at[1]:]
	}
	if bare, has := strings.CutSuffix(directive, ")"); has {
		return fmt.Sprintf("%s, %s: %s)", bare, name, to)
	}
	return fmt.Sprintf("%s(%s: %s)", directive, name, to)
}
