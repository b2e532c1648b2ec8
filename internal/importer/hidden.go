package importer

import (
	"maps"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// hiddenPart returns a variable for texts that no attribute has, and keeps its values in the entries.
func hiddenPart(t *layout, g group, texts []string, n *naming) keys.Segment {
	literal := ""
	if !t.numbers[n.attribute] {
		literal = softLiteral(t, g, texts)
	}
	rest := make([]string, len(texts))
	for i, text := range texts {
		rest[i] = text[len(literal):]
	}
	v := &hidden{scalar: scalarOf(rest), after: n.literal, key: n.attribute}
	if t.numbers[n.attribute] {
		if v.typ != "Time" || !timeName.MatchString(n.attribute) {
			v.scalar = numberOf(rest)
		}
		if slices.ContainsFunc(rest, isLong) {
			v.scalar = scalar{typ: "String", format: keys.Number}
		}
	} else if v.typ == "Int" {
		v.width = len(rest[0])
	}
	label := n.label(literal, v.typ)
	if name := labelledBy(t, g, literal); name != "" {
		label = n.unused(camel(name) + "Key")
		v.note = "The value of " + name + " as it is in keys: a number there is not in order."
	}
	n.hidden[label] = v
	for i, e := range g {
		e.hidden[label] = rest[i]
	}
	return keys.Segment{Literal: literal, Variable: hiddenPrefix + label, Width: v.width}
}

// labelled returns the attribute whose name a literal is, with a sign behind it, "" for none.
func labelledBy(t *layout, g group, literal string) string {
	for _, name := range candidates(t, g, "") {
		if literal != "" && labelIn(literal+"x", name) == literal {
			return name
		}
	}
	return ""
}

// softLiteral returns the literal that all texts begin with: signs, or letters and signs if another key has the value
// without them, as in E-1001; or the v of a version.
func softLiteral(t *layout, g group, texts []string) string {
	prefix := literalBefore(softPrefix, texts[0])
	if strings.HasPrefix(texts[0], "v") && isDigits(texts[0][1:]) {
		prefix = "v"
	}
	if prefix == "" || slices.ContainsFunc(texts, func(text string) bool {
		return !strings.HasPrefix(text, prefix) || len(text) == len(prefix) || prefix == "v" && !isDigits(text[1:])
	}) {
		return ""
	}
	if prefix == "v" || strings.Trim(prefix[:1], signs) == "" {
		return prefix
	}
	if labelledBy(t, g, prefix) != "" {
		return prefix
	}
	for i, e := range g {
		if !hasPart(t, e, texts[i][len(prefix):]) {
			return commonLiteral(t, texts)
		}
	}
	return prefix
}

// commonLiteral returns the word with which all keys begin in a table without a delimiter, such as device- and
// reading-, "" for none.
func commonLiteral(t *layout, texts []string) string {
	prefix := literalBefore(prefixed, texts[0])
	if prefix == "" || len(t.partitions) > 0 && slices.Contains(slices.Collect(maps.Values(t.partitions)), true) ||
		different(texts) <= few || slices.ContainsFunc(texts, func(text string) bool {
		return !strings.HasPrefix(text, prefix) || len(text) == len(prefix)
	}) {
		return ""
	}
	return prefix
}

// hasPart reports whether a key of an index has the text as a part.
func hasPart(t *layout, e *entry, text string) bool {
	for _, ix := range t.Indexes {
		for _, name := range slices.Concat(ix.PK.Names(), ix.SK.Names()) {
			if slices.Contains(strings.Split(e.Text(name), t.Delimiter), text) {
				return true
			}
		}
	}
	return false
}
