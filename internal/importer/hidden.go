package importer

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// scalar is the type of a value and how it is stored.
type scalar struct {
	// typ is the GraphQL type, such as String or Time.
	typ    string
	format keys.Format
}

// hidden is what is known of a value that is only in keys.
type hidden struct {
	scalar
	// after is the literal before the value.
	after string
	// key is the attribute with the key that has the value first.
	key string
	// width is to how many digits a number is padded.
	width int
	// note is a comment for the person who reads the schema.
	note string
}

// naming is what the name of a hidden value can follow from.
type naming struct {
	// attribute has the key.
	attribute string
	// literal is the last one before the value.
	literal string
	// prefixes are the literals that the parts of the key begin with, nil for none.
	prefixes []string
	// used are the literals before the attributes that the keys have already.
	used map[string]string
	// hidden are the variables that the items have already.
	hidden map[string]*hidden
}

// softPrefix matches the beginning of a text that may be a literal.
var softPrefix = regexp.MustCompile(`^\pL*[^\pL\pN{}]+`)

// hiddenPart returns a variable for texts that no attribute has, and keeps its values in the entries.
func (t *layout) hiddenPart(g group, texts []string, n *naming) keys.Segment {
	literal := ""
	if !t.numbers[n.attribute] {
		literal = t.softLiteral(g, texts)
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
	if name := t.labelled(g, literal); name != "" {
		label = n.unused(camel(name) + "Key")
		v.note = "The value of " + name + " as it is in keys: a number there is not in order."
	}
	n.hidden[label] = v
	for i, e := range g {
		e.hidden[label] = rest[i]
	}
	return keys.Segment{Literal: literal, Variable: hiddenPrefix + label, Width: v.width}
}

// labelIn returns the name of an attribute, in whatever case, and the sign behind it if the text begins with both.
func labelIn(text, name string) string {
	n := len(name)
	if n >= len(text)-1 || !strings.EqualFold(text[:n], name) || !strings.ContainsRune(signs, rune(text[n])) {
		return ""
	}
	return text[:n+1]
}

// labelled returns the attribute whose name a literal is, with a sign behind it, "" for none.
func (t *layout) labelled(g group, literal string) string {
	for _, name := range t.candidates(g, "") {
		if literal != "" && labelIn(literal+"x", name) == literal {
			return name
		}
	}
	return ""
}

// signs may be between a literal and a variable.
const signs = "-_.:@$~"

// softLiteral returns the literal that all texts begin with: signs, or letters and signs if another key has the value
// without them, as in E-1001; or the v of a version.
func (t *layout) softLiteral(g group, texts []string) string {
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
	if t.labelled(g, prefix) != "" {
		return prefix
	}
	for i, e := range g {
		if !t.hasPart(e, texts[i][len(prefix):]) {
			return t.commonLiteral(texts)
		}
	}
	return prefix
}

// commonLiteral returns the word with which all keys begin in a table without a delimiter, such as device- and
// reading-, "" for none.
func (t *layout) commonLiteral(texts []string) string {
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
func (t *layout) hasPart(e *entry, text string) bool {
	for _, ix := range t.Indexes {
		for _, name := range slices.Concat(ix.PK.Names(), ix.SK.Names()) {
			if slices.Contains(strings.Split(e.Text(name), t.Delimiter), text) {
				return true
			}
		}
	}
	return false
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// layouts are the formats of times as texts.
var layouts = []struct {
	layout string
	scalar
}{
	{item.TimeLayout, scalar{typ: "Time"}},
	{keys.Seconds.Layout(), scalar{typ: "Time", format: keys.Seconds}},
	{keys.SecondsNoZone.Layout(), scalar{typ: "Time", format: keys.SecondsNoZone}},
	{time.DateOnly, scalar{typ: "Date"}},
}

// scalarOf returns the type of the texts in a key: a time if all are one in the same format, an Int if they are padded
// with zeros, or else a String.
func scalarOf(texts []string) scalar {
	all := func(match func(string) bool) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !match(text) })
	}
	for _, l := range layouts {
		if all(func(text string) bool {
			at, err := time.Parse(l.layout, text)
			return err == nil && at.Format(l.layout) == text
		}) {
			return l.scalar
		}
	}
	if !all(isDigits) || !all(func(text string) bool { return len(text) == len(texts[0]) }) {
		return scalar{typ: "String"}
	}
	for _, format := range [...]keys.Format{keys.EpochSeconds, keys.EpochMillis} {
		if len(texts[0]) == format.Digits() && all(func(text string) bool {
			n, err := strconv.ParseInt(text[:10], 10, 64)
			return err == nil && isEpoch(n)
		}) {
			return scalar{"Time", format}
		}
	}
	isPadded := func(text string) bool { return text[0] == '0' && len(text) > 1 }
	if len(texts[0]) <= 9 && slices.ContainsFunc(texts, isPadded) {
		return scalar{typ: "Int"}
	}
	return scalar{typ: "String"}
}

// label returns the name for a hidden value behind a literal, which no other one has.
func (n *naming) label(literal, typ string) string {
	base := n.literal
	if word := strings.TrimRight(literal, signs); base == "" && len(word) > 2 {
		base = word
	} else if base == "" && word == "v" {
		return n.unused("version")
	}
	if base == "" && !slices.Contains(usualPK, n.attribute) && !slices.Contains(usualSK, n.attribute) {
		base = n.attribute
	}
	if base = camel(base); base == "" && n.hidden["id"] != nil || base == "id" {
		base = "part" // Not id, which is that of the object.
	}
	suffix := map[string]string{"Time": "At", "Date": "On", "Int": "Number", "Int64": "Number"}[typ]
	if suffix == "" && !isIDName(base) {
		suffix = "Id"
	}
	return n.unused(lowerFirst(base + suffix))
}

// unused returns a label, with a number if another hidden value has it.
func (n *naming) unused(name string) string {
	label := name
	for i := 2; n.hidden[label] != nil; i++ {
		label = name + strconv.Itoa(i)
	}
	return label
}

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

func upperFirst(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
