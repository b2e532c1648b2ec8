package directives_test

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/partita/partita/internal/gen/directives"
)

// apply applies the fix of a finding to the schema's text, literally: each of its lines is one of edits.
// An edit that is done already, for another finding, is not done again.
func apply(text string, f directives.Finding, done map[string]bool) (string, error) {
	fix := strings.ReplaceAll(f.Fix, "\nwith ", " with ")
	edited := text
	for i, line := range strings.Split(fix, "\n") {
		at := f
		at.Fix = line
		if done[line] {
			continue
		}
		after, ok := applyLine(edited, at)
		if strings.HasPrefix(line, "add ") || strings.HasPrefix(line, "on ") {
			done[line] = true
		}
		if !ok || after == edited {
			return "", fmt.Errorf("line %d of the fix cannot be applied:\n%w\nto\n%s", i+1, f, edited)
		}
		edited = after
	}
	return edited, nil
}

type (
	finding = directives.Finding
	match   = []string
)

// A fix may add after the edit why, or what else one could do. That is not read.
var edits = []struct {
	line *regexp.Regexp
	edit func(text string, f directives.Finding, m []string) (string, bool)
}{
	{regexp.MustCompile(`^add (@.+) to type (\w+)`), func(text string, _ finding, m match) (string, bool) {
		s, ok := typeSpan(text, m[2])
		return text[:s.body] + " " + m[1] + " " + text[s.body:], ok
	}},
	{regexp.MustCompile(`^add (@.+) to field (\w+)\.(\w+)`),
		func(text string, _ finding, m match) (string, bool) {
			s, ok := fieldSpan(text, m[2], m[3])
			return text[:s.end] + " " + m[1] + text[s.end:], ok
		}},
	{regexp.MustCompile(`^add the arguments? (.+) to field (\w+)\.(\w+)`),
		func(text string, _ finding, m match) (string, bool) {
			s, ok := fieldSpan(text, m[2], m[3])
			if text[s.body] == '(' {
				return text[:s.body+1] + m[1] + ", " + text[s.body+1:], ok
			}
			return text[:s.body] + "(" + m[1] + ")" + text[s.body:], ok
		}},
	{regexp.MustCompile(`^add ((?:type|input|union|scalar) .+)$`),
		func(text string, _ finding, m match) (string, bool) {
			return text + "\n" + m[1] + "\n", true
		}},
	{regexp.MustCompile(`^add (\w+: [^\s,]+) to type (\w+)`),
		func(text string, _ finding, m match) (string, bool) {
			if bare := regexp.MustCompile(`(?m)^\w+ ` + m[2] + `$`); bare.MatchString(text) {
				return bare.ReplaceAllString(text, "$0 { "+m[1]+" }"), true
			}
			s, ok := typeSpan(text, m[2])
			return text[:s.body+1] + " " + m[1] + " " + text[s.body+1:], ok
		}},
	{regexp.MustCompile(`^add (\w+) to enum (\w+)$`),
		func(text string, _ finding, m match) (string, bool) {
			if bare := regexp.MustCompile(`(?m)^enum ` + m[2] + `$`); bare.MatchString(text) {
				return bare.ReplaceAllString(text, "$0 { "+m[1]+" }"), true
			}
			s, ok := typeSpan(text, m[2])
			return text[:s.body+1] + " " + m[1] + " " + text[s.body+1:], ok
		}},
	{regexp.MustCompile(`^on type (\w+) replace (@.+) with (@.+)$`),
		func(text string, _ finding, m match) (string, bool) {
			s, ok := typeSpan(text, m[1])
			return text[:s.start] + strings.Replace(text[s.start:s.end], m[2], m[3], 1) + text[s.end:], ok
		}},
	{regexp.MustCompile(`^on (type|field) (\w+)\.?(\w*) replace (\w+: \S+) with (\w+: \S+)$`),
		func(text string, _ finding, m match) (string, bool) {
			s, ok := typeSpan(text, m[2])
			if m[1] == "field" {
				s, ok = fieldSpan(text, m[2], m[3])
			}
			declared := regexp.MustCompile(`\b` + regexp.QuoteMeta(m[4]) + `([\s),}])`)
			within := declared.ReplaceAllString(text[s.start:s.end]+" ", m[5]+"$1")
			return text[:s.start] + within[:len(within)-1] + text[s.end:], ok
		}},
	{regexp.MustCompile(`^write extend (\w+) \w+ here`), func(text string, f finding, m match) (string, bool) {
		at := offset(text, f)
		before := regexp.MustCompile(`(extend )?\w+ $`).ReplaceAllString(text[:at], "extend "+m[1]+" ")
		return before + text[at:], true
	}},
	{regexp.MustCompile(`^remove (\w+) from (?:enum|union) \w+, here`),
		func(text string, f finding, m match) (string, bool) {
			at := offset(text, f)
			return strings.TrimRight(text[:at], " |") + text[at+len(m[1]):], true
		}},
	{regexp.MustCompile(`^rename (\w+) to (\w+) in enum \w+$`), func(text string, f finding, m match) (string, bool) {
		at := offset(text, f)
		return text[:at] + strings.Replace(text[at:], m[1], m[2], 1), true
	}},
	{regexp.MustCompile(`^remove (@\w+),`), func(text string, f finding, m match) (string, bool) {
		at := directiveAt(text, f)
		// Without a directive, nothing is left of an extension of the schema.
		return strings.TrimSuffix(text[:at], "extend schema ") + text[directiveEnd(text, at):], true
	}},
	{regexp.MustCompile(`^replace (\S+) with ([^\s,]+)`), func(text string, f finding, m match) (string, bool) {
		at := offset(text, f)
		at = max(0, at-1) // The position of a directive is behind its @.
		return text[:at] + strings.Replace(text[at:], m[1], m[2], 1), true
	}},
	{regexp.MustCompile(`^remove ((?:directive @|type |input |enum |interface |scalar )\w+), which is built in`),
		func(text string, _ finding, m match) (string, bool) {
			at := regexp.MustCompile(m[1] + `\b`).FindStringIndex(text)
			if at == nil {
				return text, false
			}
			end := strings.Index(text[at[0]:], "\n") // A test has such a definition on one line.
			return text[:at[0]] + text[at[0]+end:], true
		}},
	{regexp.MustCompile(`^remove (@\w+\(.*\)) from type (\w+)$`), func(text string, _ finding, m match) (string, bool) {
		s, ok := typeSpan(text, m[2])
		return text[:s.start] + strings.Replace(text[s.start:s.end], m[1], "", 1) + text[s.end:], ok
	}},
	{regexp.MustCompile(`^remove (@\w+) from (type|field) (\w+)\.?(\w*)`),
		func(text string, _ finding, m match) (string, bool) {
			s, ok := typeSpan(text, m[3])
			if m[2] == "field" {
				s, ok = fieldSpan(text, m[3], m[4])
			}
			at := s.start + strings.Index(text[s.start:], m[1])
			return text[:at] + text[directiveEnd(text, at):], ok
		}},
	{regexp.MustCompile(`^remove the argument (\w+) of (\w+)\.(\w+)`),
		func(text string, _ finding, m match) (string, bool) {
			s, ok := fieldSpan(text, m[2], m[3])
			declared := regexp.MustCompile(`\b` + m[1] + `: [^\s,)]+,? ?`)
			without := declared.ReplaceAllString(text[s.start:s.end], "")
			return text[:s.start] + strings.Replace(strings.Replace(without, "()", "", 1), ", )", ")", 1) + text[s.end:], ok
		}},
	{regexp.MustCompile(`^remove (\w+) from type (\w+)`), func(text string, _ finding, m match) (string, bool) {
		s, ok := fieldSpan(text, m[2], m[1])
		return text[:s.start] + text[s.end:], ok
	}},
	{regexp.MustCompile(`^remove (\w+) from @\w+`), func(text string, f finding, m match) (string, bool) {
		at := offset(text, f)
		if strings.HasPrefix(text[at:], m[1]+":") {
			at = strings.LastIndex(text[:at], "@")
		} else {
			at = directiveAt(text, f)
		}
		end := directiveEnd(text, at)
		argument := regexp.MustCompile(`(, )?\b` + m[1] + `: ("[^"]*"|` + list + `|[^\s,)]+)`)
		return text[:at] + argument.ReplaceAllString(text[at:end], "") + text[end:], true
	}},
	{regexp.MustCompile(`^remove (\w+: (?:"[^"]*"|` + list + `|[^\s,]+))`),
		func(text string, f finding, m match) (string, bool) {
			at := offset(text, f)
			field := regexp.MustCompile(`(, )?` + regexp.QuoteMeta(m[1]) + `(, )?`)
			before := strings.TrimSuffix(text[:at], ", ")
			return before + field.ReplaceAllString(text[len(before):], ""), true
		}},
	{regexp.MustCompile(`^rename (\w+) to (\w+) in (type|field) (\w+)\.?(\w*)`),
		func(text string, _ finding, m match) (string, bool) {
			s, ok := typeSpan(text, m[4])
			if m[3] == "field" {
				s, ok = fieldSpan(text, m[4], m[5])
			}
			name := regexp.MustCompile(`([\s({])` + m[1] + `([:(}])`)
			return text[:s.start] + name.ReplaceAllString(text[s.start:s.end], "${1}"+m[2]+"$2") + text[s.end:], ok
		}},
	{regexp.MustCompile(`^rename the (type|input|enum|interface|union|scalar) (\w+) to (\w+)$`),
		func(text string, _ finding, m match) (string, bool) {
			declared := regexp.MustCompile(`\b` + m[1] + " " + m[2] + `\b`)
			return declared.ReplaceAllString(text, m[1]+" "+m[3]), true
		}},
	{regexp.MustCompile(`^rename (\w+) to (\w+) in all files$`),
		func(text string, _ finding, m match) (string, bool) {
			return regexp.MustCompile(`\b`+m[1]+`\b`).ReplaceAllString(text, m[2]), true
		}},
	{regexp.MustCompile(`^write ("\S+") in place of ("\S+") in all files$`),
		func(text string, _ finding, m match) (string, bool) {
			return strings.ReplaceAll(text, m[2], m[1]), strings.Contains(text, m[2])
		}},
	{regexp.MustCompile(`^return (\S+) in (\w+)\.(\w+)$`), func(text string, _ finding, m match) (string, bool) {
		s, ok := fieldSpan(text, m[2], m[3])
		return text[:s.typ] + m[1] + text[s.typEnd:], ok
	}},
	{regexp.MustCompile(`^return (\S+?)(?:,|$)`), func(text string, f finding, m match) (string, bool) {
		names := strings.Split(f.Coordinate, ".")
		s, ok := fieldSpan(text, names[0], names[1])
		return text[:s.typ] + m[1] + text[s.typEnd:], ok
	}},
	{regexp.MustCompile(`^write (\w+: .+)$`), func(text string, f finding, m match) (string, bool) {
		return write(text, f, m[1])
	}},
}

func applyLine(text string, f directives.Finding) (string, bool) {
	for _, e := range edits {
		if m := e.line.FindStringSubmatch(f.Fix); m != nil {
			return e.edit(text, f, m)
		}
	}
	return text, false
}

// list is the pattern of a list, which may have lists, or of an object.
const list = `\[(?:"[^"]*"|[^"\[\]]|\[(?:"[^"]*"|[^"\]])*\])*\]|\{(?:"[^"]*"|[^"}])*\}`

var written = regexp.MustCompile(`^(?:, )?(\w+): ("[^"]*"|(?:` + list + `)!?|[^\s,]+)`)

// write sets the type of the field or argument at the finding, or arguments of its directive.
func write(text string, f directives.Finding, values string) (string, bool) {
	for values != "" {
		m := written.FindStringSubmatch(values)
		if m == nil {
			break
		}
		values = values[len(m[0]):]
		at := offset(text, f)
		definition := regexp.MustCompile(`^` + m[1] + `(\([^)]*\))?: ([^\s,)]+)`)
		if declared := definition.FindStringSubmatchIndex(text[at:]); declared != nil {
			text = text[:at+declared[4]] + m[2] + text[at+declared[5]:]
			continue
		}
		at = directiveAt(text, f)
		end := directiveEnd(text, at)
		directive := text[at:end]
		argument := regexp.MustCompile(`\b` + m[1] + `: ("[^"]*"|` + list + `|[^\s,)]+)`)
		switch {
		case argument.MatchString(directive):
			at := argument.FindStringIndex(directive) // Another one with the same name is inside of an object.
			directive = directive[:at[0]] + m[1] + ": " + m[2] + directive[at[1]:]
		case strings.HasSuffix(directive, ")"):
			directive = fmt.Sprintf("%s, %s: %s)", directive[:len(directive)-1], m[1], m[2])
		default:
			directive += fmt.Sprintf("(%s: %s)", m[1], m[2])
		}
		text = text[:at] + directive + text[end:]
	}
	return text, true
}

func offset(text string, f directives.Finding) int {
	at := 0
	for range f.Line - 1 {
		at += strings.Index(text[at:], "\n") + 1
	}
	return at + f.Column - 1
}

var readOf = regexp.MustCompile(`@(get|query)\b`)

// directiveAt returns where the directive at the finding begins, or that of the field at the finding.
func directiveAt(text string, f directives.Finding) int {
	at := offset(text, f)
	if text[at-1] == '@' {
		return at - 1
	}
	return at + readOf.FindStringIndex(text[at:])[0]
}

func directiveEnd(text string, at int) int {
	end := at + len(regexp.MustCompile(`^@\w+`).FindString(text[at:]))
	if end < len(text) && text[end] == '(' {
		end = closing(text, end) + 1
	}
	return end
}

// span is a definition. body is where its fields or arguments begin, typ and typEnd are around a field's type.
type span struct{ start, body, typ, typEnd, end int }

func typeSpan(text, name string) (span, bool) {
	at := regexp.MustCompile(`\b(?:type|interface|input|enum) ` + name + `\b`).FindStringIndex(text)
	if at == nil {
		return span{}, false
	}
	body := at[1]
	for text[body] != '{' {
		if text[body] == '(' {
			body = closing(text, body)
		}
		body++
	}
	return span{start: at[0], body: body, end: closing(text, body) + 1}, true
}

var nextDirective = regexp.MustCompile(`^\s*@`)

func fieldSpan(text, typ, name string) (span, bool) {
	t, ok := typeSpan(text, typ)
	if !ok {
		return span{}, false
	}
	isField := regexp.MustCompile(`^` + name + `\s*[(:]`)
	for at := t.body + 1; at < t.end; at++ {
		if text[at] == '(' {
			at = closing(text, at)
			continue
		}
		if !isField.MatchString(text[at:]) || regexp.MustCompile(`\w`).MatchString(text[at-1:at]) {
			continue
		}
		s := span{start: at, body: at + len(name)}
		s.typ = s.body
		if text[s.body] == '(' {
			s.typ = closing(text, s.body) + 1
		}
		s.typ += len(regexp.MustCompile(`^\s*:\s*`).FindString(text[s.typ:]))
		s.typEnd = s.typ + len(regexp.MustCompile(`^[\w\[\]!]+`).FindString(text[s.typ:]))
		s.end = s.typEnd
		for {
			next := nextDirective.FindString(text[s.end:])
			if next == "" {
				return s, true
			}
			s.end = directiveEnd(text, s.end+len(next)-1)
		}
	}
	return span{}, false
}

// closing returns where the bracket is closed that text has at a position. Brackets in texts do not count.
func closing(text string, at int) int {
	depth := 0
	quoted := false
	for i := at; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.IndexByte("({[", c) >= 0:
			depth++
		case strings.IndexByte(")}]", c) >= 0:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(text) - 1
}
