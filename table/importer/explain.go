package importer

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/partita/partita/item"
)

// value returns an attribute or a hidden value of the entry.
func (e *entry) value(name string) (item.Value, bool) {
	if label, hidden := strings.CutPrefix(name, hiddenPrefix); hidden {
		text, ok := e.hidden[label]
		return item.StringValue(text), ok
	}
	v, ok := e.Get(name)
	return v, ok && v.Text != "" && (v.Kind == item.String || v.Kind == item.Number || v.Kind == item.Bool)
}

// candidates returns the names of the values that nearly all entries have, except one. Where one is missing, it is read
// from the key.
func (t *layout) candidates(g group, except string) []string {
	count := map[string]int{}
	for _, e := range g {
		for _, a := range e.Item {
			if _, ok := e.value(a.Name); ok && a.Name != t.PK && a.Name != t.SK && a.Name != t.Type && a.Name != except {
				count[a.Name]++
			}
		}
		for label := range e.hidden {
			count[hiddenPrefix+label]++
		}
	}
	maps.DeleteFunc(count, func(_ string, n int) bool { return !isMost(n, len(g)) })
	return slices.Sorted(maps.Keys(count))
}

// templateOf returns the parts of keys whose texts are given by part and entry.
func (t *layout) templateOf(g group, texts [][]string, n *naming) []part {
	var parts []part
	for i := range texts {
		p := t.partOf(g, texts[i], n, i > 0 && parts[i-1].variable == nil && texts[i-1][0] != "")
		parts = append(parts, p)
		if isWord(p.literal) {
			n.literal = p.literal
		}
	}
	return parts
}

// partOf returns the literal or the variable that the texts are. afterLiteral is set if a value is expected, because
// the part before is a literal alone.
func (t *layout) partOf(g group, texts []string, n *naming, afterLiteral bool) part {
	isOne := areEqual(texts)
	if isOne && (texts[0] == "" || isWord(texts[0]) && !afterLiteral || isEntity(g, texts[0])) {
		return part{literal: texts[0]}
	}
	p, ok := t.explain(g, texts, n)
	switch {
	case ok:
		if label, hidden := strings.CutPrefix(p.variable.attribute, hiddenPrefix); hidden {
			known := *n.hidden[label]
			known.bucket = p.variable.bucket
			p.variable = &known
		}
		return p
	case isOne && isConstant(texts[0]) && isWord(texts[0]):
		return part{literal: texts[0]}
	}
	return t.hiddenPart(g, texts, n)
}

// isEntity reports whether a text is the name of the items' type and a version, as in task_1 of ElectroDB.
func isEntity(g group, text string) bool {
	version, ok := strings.CutPrefix(text, strings.ToLower(g[0].typ)+"_")
	return g[0].typ != "" && ok && isDigits(version)
}

// explain returns the variable that all texts are the value of, by an attribute that nearly all entries have. The
// attribute that has the texts themselves is excepted.
func (t *layout) explain(g group, texts []string, n *naming) (part, bool) {
	var best part
	bestScore := 0
	for _, name := range t.candidates(g, n.attribute) {
		var having []string
		var values []item.Value
		for i, e := range g {
			if v, ok := e.value(name); ok {
				having, values = append(having, texts[i]), append(values, v)
			}
		}
		p, score := fit(having, values)
		if score == 0 || isUnfit(p, values, n.sort) {
			continue
		}
		score = score*1000 - len(name)
		if name == "id" || strings.HasSuffix(strings.ToLower(name), "id") {
			score += 50
		}
		if t.isIndexKey(name) {
			score -= 100
		}
		if bestScore == 0 || score > bestScore {
			p.variable.attribute = name
			best, bestScore = p, score
		}
	}
	return best, bestScore != 0
}

// isUnfit reports whether numbers in a key cannot be those of a field: they have more than 64 bits, or they are not
// padded in a sort key, so that 10 sorts before 9. Times have one width.
func isUnfit(p part, values []item.Value, sort bool) bool {
	if values[0].Kind != item.Number || p.variable.bucket != "" {
		return false
	}
	texts := textsOf(values)
	return scalarOf(texts).typ != "Time" && (numberOf(texts).typ == "Float" || sort && p.variable.width == 0)
}

// beforeVariable matches a literal that may be directly before a variable.
var beforeVariable = regexp.MustCompile(`^(v|[\pL_]*[^\pL\pN{}]+)$`)

// fit returns the part that makes each text from the value at the same place. The score is 0 if there is none, and
// higher the closer text and value are.
func fit(texts []string, values []item.Value) (part, int) {
	all := func(match func(text string, v item.Value) bool) bool {
		for i := range texts {
			if !match(texts[i], values[i]) {
				return false
			}
		}
		return true
	}
	if all(func(text string, v item.Value) bool { return text == v.Text }) {
		return part{variable: &variable{}}, 4
	}
	if width := padding(texts, values, 0); width > 0 {
		return part{variable: &variable{width: width}}, 3
	}
	literal, ok := strings.CutSuffix(texts[0], values[0].Text)
	if ok && beforeVariable.MatchString(literal) &&
		all(func(text string, v item.Value) bool { return text == literal+v.Text }) {
		return part{literal: literal, variable: &variable{}}, 2
	}
	literal = strings.TrimRight(texts[0], "0123456789")
	if width := padding(texts, values, len(literal)); width > 0 && beforeVariable.MatchString(literal) &&
		all(func(text string, _ item.Value) bool { return strings.HasPrefix(text, literal) }) {
		return part{literal: literal, variable: &variable{width: width}}, 2
	}
	for _, b := range buckets {
		if all(func(text string, v item.Value) bool { return len(text) == len(b.layout) && text == cut(v, b.layout) }) {
			return part{variable: &variable{bucket: b.name}}, 1
		}
	}
	return part{}, 0
}

// padding returns the width to which the numbers are padded with zeros after skip bytes, 0 if they are not.
func padding(texts []string, values []item.Value, skip int) int {
	padded := false
	for i, text := range texts {
		if len(text) != len(texts[0]) || len(text) <= skip {
			return 0
		}
		digits := text[skip:]
		if strings.Trim(digits, "0123456789") != "" || trimZeros(digits) != values[i].Text {
			return 0
		}
		padded = padded || digits != values[i].Text
	}
	if width := len(texts[0]) - skip; padded && width <= 19 {
		return width
	}
	return 0
}

func trimZeros(digits string) string {
	if digits = strings.TrimLeft(digits, "0"); digits == "" {
		return "0"
	}
	return digits
}

// buckets are the time buckets of templates.
var buckets = []struct{ name, layout string }{
	{"month", "2006-01"}, {"day", "2006-01-02"}, {"hour", "2006-01-02T15"}, {"year", "2006"},
}

// cut returns the bucket of a time, "" if the value is none.
func cut(v item.Value, layout string) string {
	if v.Kind == item.String {
		if at, err := time.Parse(time.RFC3339, v.Text); err == nil {
			return at.UTC().Format(layout)
		}
		return ""
	}
	n, err := strconv.ParseInt(v.Text, 10, 64)
	switch {
	case err == nil && isEpoch(n):
		return time.Unix(n, 0).UTC().Format(layout)
	case err == nil && isEpoch(n/1000):
		return time.UnixMilli(n).UTC().Format(layout)
	}
	return ""
}

// isEpoch reports whether a number can be a time in seconds since 1970, from 2000 to 2100.
func isEpoch(n int64) bool { return n >= 946684800 && n < 4102444800 }

// builds reports whether the values of an entry make the key in the attribute, even if they contain the delimiter. It
// keeps the hidden values, which cannot contain it.
func (t *layout) builds(template []part, e *entry, attribute string) bool {
	rest := e.Text(attribute)
	for i, p := range template {
		ok := true
		if i > 0 {
			rest, ok = strings.CutPrefix(rest, t.Delimiter)
		}
		if ok {
			rest, ok = strings.CutPrefix(rest, p.literal)
		}
		if !ok {
			return false
		}
		switch v := p.variable; {
		case v == nil:
		case v.attribute == "":
			text, _, _ := strings.Cut(rest, t.Delimiter)
			if known, is := e.hidden[v.label]; text == "" || is && known != text {
				return false
			}
			e.hidden[v.label] = text
			rest = rest[len(text):]
		default:
			text, is := e.value(v.attribute)
			if rest, ok = strings.CutPrefix(rest, text.Text); !is || !ok || v.bucket != "" || v.width > 0 {
				return false
			}
		}
	}
	return rest == ""
}
