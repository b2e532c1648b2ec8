package edits

import (
	"regexp"
	"strings"

	"github.com/partita/partita/internal/gen/directives/finding"
)

// place is in which files a line of a fix is carried out.
type place int

const (
	// here is in the file of the finding.
	here place = iota
	// named is in the file that has what the line names.
	named
	// everywhere is in all files.
	everywhere
)

// line is a kind of line of fixes: its words, after which text may follow that says why, or what else one could do; and
// how it is carried out in the text of a file. The edit reports false if it cannot be.
type line struct {
	where place
	words *regexp.Regexp
	edit  func(text string, f finding.Finding, words []string) (string, bool)
}

// lines are all kinds. The first whose words a line has is its kind.
var lines = []line{
	{named, regexp.MustCompile(`^add (@.+) to type (\w+)`), inType(2, func(text string, s span, w []string) string {
		return text[:s.body] + " " + w[1] + " " + text[s.body:]
	})},
	{named, regexp.MustCompile(`^add (@.+) to field (\w+)\.(\w+)`),
		inField(2, func(text string, s span, w []string) string { return text[:s.end] + " " + w[1] + text[s.end:] })},
	{named, regexp.MustCompile(`^add the arguments? (.+) to field (\w+)\.(\w+)`), inField(2, addArguments)},
	{here, regexp.MustCompile(`^add ((?:type|input|union|scalar) .+)$`),
		func(text string, _ finding.Finding, w []string) (string, bool) {
			return text + "\n" + w[1] + "\n", true
		}},
	{named, regexp.MustCompile(`^add (\w+: [^\s,]+) to type (\w+)`), inType(2, addToBody)},
	{named, regexp.MustCompile(`^add (\w+) to enum (\w+)$`), inType(2, addToBody)},
	{named, regexp.MustCompile(`^on type (\w+) replace (@.+) with (@.+)$`),
		inType(1, func(text string, s span, w []string) string {
			return replaceOnce(text, s, w[2], w[3])
		})},
	{named, regexp.MustCompile(`^on type (\w+) replace (\w+: \S+) with (\w+: \S+)$`),
		inType(1, func(text string, s span, w []string) string { return replaceDeclared(text, s, w[2], w[3]) })},
	{named, regexp.MustCompile(`^on field (\w+)\.(\w+) replace (\w+: \S+) with (\w+: \S+)$`),
		inField(1, func(text string, s span, w []string) string { return replaceDeclared(text, s, w[3], w[4]) })},
	{here, regexp.MustCompile(`^write extend (\w+) \w+ here`), atPlace(func(text string, at int, w []string) string {
		return regexp.MustCompile(`(extend )?\w+ $`).ReplaceAllString(text[:at], "extend "+w[1]+" ") + text[at:]
	})},
	{here, regexp.MustCompile(`^remove (\w+) from (?:enum|union) \w+, here`),
		atPlace(func(text string, at int, w []string) string {
			return strings.TrimRight(text[:at], " |") + strings.TrimPrefix(text[at:], w[1])
		})},
	{named, regexp.MustCompile(`^remove (\w+) from union (\w+)$`), removeFromUnion},
	{here, regexp.MustCompile(`^rename (\w+) to (\w+) in enum \w+$`),
		atPlace(func(text string, at int, w []string) string {
			return text[:at] + strings.Replace(text[at:], w[1], w[2], 1)
		})},
	{here, regexp.MustCompile(`^remove (@\w+),`), atDirective(func(text string, at int, _ []string) string {
		// Without a directive, nothing is left of an extension of the schema.
		return strings.TrimSuffix(text[:at], "extend schema ") + text[directiveEnd(text, at):]
	})},
	{here, regexp.MustCompile(`^replace (\S+) with ([^\s,]+)`), atPlace(func(text string, at int, w []string) string {
		at = max(0, at-1) // The place of a directive is behind its @.
		return text[:at] + strings.Replace(text[at:], w[1], w[2], 1)
	})},
	{named, regexp.MustCompile(`^remove ((?:directive @|type |input |enum |interface |scalar )\w+), which is built in`),
		removeDefinition},
	{named, regexp.MustCompile(`^remove (@\w+\(.*\)) from type (\w+)$`),
		inType(2, func(text string, s span, w []string) string { return replaceOnce(text, s, w[1], "") })},
	{named, regexp.MustCompile(`^remove (@\w+) from type (\w+)`), inType(2, removeDirective)},
	{named, regexp.MustCompile(`^remove (@\w+) from field (\w+)\.(\w+)`), inField(2, removeDirective)},
	{named, regexp.MustCompile(`^remove the argument (\w+) of (\w+)\.(\w+)`), inField(2, removeArgument)},
	{named, regexp.MustCompile(`^remove (\w+) from type (\w+)`), removeField},
	{here, regexp.MustCompile(`^remove (\w+) from @\w+`), removeOfDirective},
	{here, regexp.MustCompile(`^remove (\w+: (?:"[^"]*"|` + list + `|[^\s,]+))`),
		atPlace(func(text string, at int, w []string) string {
			before := strings.TrimSuffix(text[:at], ", ")
			value := regexp.MustCompile(`(, )?` + regexp.QuoteMeta(w[1]) + `(, )?`)
			return before + value.ReplaceAllString(text[len(before):], "")
		})},
	{named, regexp.MustCompile(`^rename (\w+) to (\w+) in type (\w+)`),
		inType(3, func(text string, s span, w []string) string { return renameWithin(text, s, w[1], w[2]) })},
	{named, regexp.MustCompile(`^rename (\w+) to (\w+) in field (\w+)\.(\w+)`),
		inField(3, func(text string, s span, w []string) string { return renameWithin(text, s, w[1], w[2]) })},
	{here, regexp.MustCompile(`^rename the (type|input|enum|interface|union|scalar) (\w+) to (\w+)$`),
		func(text string, _ finding.Finding, w []string) (string, bool) {
			declared := regexp.MustCompile(`\b` + w[1] + " " + w[2] + `\b`)
			return declared.ReplaceAllString(text, w[1]+" "+w[3]), true
		}},
	{everywhere, regexp.MustCompile(`^rename (\w+) to (\w+) in all files$`),
		func(text string, _ finding.Finding, w []string) (string, bool) {
			return regexp.MustCompile(`\b`+w[1]+`\b`).ReplaceAllString(text, w[2]), true
		}},
	{everywhere, regexp.MustCompile(`^write ("\S+") in place of ("\S+") in all files$`),
		func(text string, _ finding.Finding, w []string) (string, bool) {
			return strings.ReplaceAll(text, w[2], w[1]), true
		}},
	{named, regexp.MustCompile(`^return (\S+) in (\w+)\.(\w+)$`), inField(2, returnType)},
	{named, regexp.MustCompile(`^return (\S+?)(?:,|$)`), returnHere},
	{here, regexp.MustCompile(`^write (\w+: .+)$`),
		func(text string, f finding.Finding, w []string) (string, bool) { return write(text, f, w[1]) }},
}

// list is the pattern of a list, which may have lists, or of an object.
const list = `\[(?:"[^"]*"|[^"\[\]]|\[(?:"[^"]*"|[^"\]])*\])*\]|\{(?:"[^"]*"|[^"}])*\}`
