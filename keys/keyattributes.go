package keys

import (
	"slices"
	"strings"

	"github.com/partita/partita/item"
)

// MaxKeyAttributes is how many attributes the partition key of an index, and its sort key, may have.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html
const MaxKeyAttributes = 4

// KeyAttribute is an attribute that is a key of the table or of an index, or one of several that are the key together.
type KeyAttribute struct {
	Name string
	// Number is set by NewDesign for an attribute that is a Number: that of a field that is stored as one. In a Design it
	// is a text: see KeyNumber.
	Number bool
}

// KeyAttributes are the attributes of a partition key, or of a sort key: usually one, up to MaxKeyAttributes in an
// index, and none for the sort key of a table or an index without one.
//
// In a Design a key is one text, also that of several attributes: see Text.
type KeyAttributes []KeyAttribute

// Named returns key attributes with these names.
func Named(names ...string) KeyAttributes {
	var k KeyAttributes
	for _, name := range names {
		if name != "" {
			k = append(k, KeyAttribute{Name: name})
		}
	}
	return k
}

// Text returns the text of the key of a stored item, "" if an attribute is missing or has another type: the item is
// then not in the index.
func (k KeyAttributes) Text(stored item.Item) string {
	if len(k) == 1 {
		return keyText(stored, k[0].Name, k[0].Number)
	}
	texts := make([]string, len(k))
	for i, a := range k {
		if texts[i] = keyText(stored, a.Name, a.Number); texts[i] == "" {
			return ""
		}
	}
	return k.Join(texts)
}

// AppendStored appends the attributes of a key with this text, as the table has them: Strings, or Numbers for those
// that are.
func (k KeyAttributes) AppendStored(to item.Item, text string) item.Item {
	for _, a := range k {
		var first string
		first, text = k.Cut(text)
		to = append(to, item.Attribute{Name: a.Name, Value: a.Stored(first)})
	}
	return to
}

// Stored returns the value of the attribute in the table, for its text in a Design.
func (a *KeyAttribute) Stored(text string) item.Value {
	if a.Number {
		return item.Value{Kind: item.Number, Text: KeyNumber(text)}
	}
	return item.StringValue(text)
}

// HasNumber reports whether one of the attributes is a Number.
func (k KeyAttributes) HasNumber() bool {
	return slices.ContainsFunc(k, func(a KeyAttribute) bool { return a.Number })
}

// Join returns the text of the key whose attributes have these texts. It is the inverse of Cut.
func (k KeyAttributes) Join(texts []string) string {
	if len(k) == 1 {
		return texts[0]
	}
	for i, text := range texts {
		texts[i] = escaped(text)
	}
	return strings.Join(texts, separator)
}

// Cut returns the text of the first attribute in the text of the key, and the rest, in which the next one is the first.
func (k KeyAttributes) Cut(text string) (first, rest string) {
	if len(k) == 1 {
		return text, ""
	}
	first, rest, _ = strings.Cut(text, separator)
	return restored(first), rest
}

// Range returns what inclusive bounds of the texts of keys are for the attributes, as a Query needs it: the first ones,
// as many as equal, have the texts that are in both bounds, and the next one is between low and high. An end that is
// open is "".
func (k KeyAttributes) Range(from, to SK) (equal int, low, high string) {
	if len(k) <= 1 {
		return 0, string(from), string(to)
	}
	a, b := string(from), string(to)
	for equal < len(k) {
		first, restA, moreA := strings.Cut(a, separator)
		last, restB, moreB := strings.Cut(b, separator)
		if first != last || moreA != moreB {
			if SK(first) == Lowest("") {
				first = ""
			}
			if last == EndOfText {
				last = ""
			}
			return equal, restored(first), restored(last)
		}
		if first == "" {
			break
		}
		equal++
		a, b = restA, restB
	}
	return equal, "", ""
}

// Show returns the text of a key, or of a bound of keys, as people know it: a Number without its place in the order,
// and "␟" between attributes.
func (k KeyAttributes) Show(text string) string {
	if len(k) == 1 {
		return show(text, k[0].Number)
	}
	var parts []string
	for _, a := range k {
		first, rest, more := strings.Cut(text, separator)
		if first == "" {
			break
		}
		parts = append(parts, show(restored(first), a.Number))
		if text = rest; !more {
			break
		}
	}
	return strings.Join(parts, shownSeparator)
}

// Describe returns the condition that a key is, or with several attributes begins with, what Show or Template.Describe
// has returned, as people write it.
func (k KeyAttributes) Describe(shown string) string {
	parts := []string{shown}
	if len(k) > 1 {
		parts = strings.SplitN(shown, shownSeparator, len(k))
	}
	for i, part := range parts {
		parts[i] = k[i].Name + " = " + part
	}
	return strings.Join(parts, ", ")
}

// DescribeRange is Describe for bounds of a key of several attributes: see Range. It is "" if they include all keys.
func (k KeyAttributes) DescribeRange(from, to SK) string {
	equal, low, high := k.Range(from, to)
	var parts []string
	text := string(from)
	for _, a := range k[:equal] {
		var first string
		first, text = k.Cut(text)
		parts = append(parts, a.Name+" = "+show(first, a.Number))
	}
	if low != "" || high != "" {
		a := k[equal]
		switch {
		case high == "":
			parts = append(parts, a.Name+" >= "+show(low, a.Number))
		case low == "":
			parts = append(parts, a.Name+" <= "+show(high, a.Number))
		default:
			parts = append(parts, a.Name+" BETWEEN "+show(low, a.Number)+" AND "+show(high, a.Number))
		}
	}
	return strings.Join(parts, ", ")
}

// Parse returns the text of a key from that which Show returns. With whole, it has all attributes. The error is an
// InputError.
func (k KeyAttributes) Parse(text string, whole bool) (string, error) {
	if len(k) == 1 {
		return parseKey(text, k[0].Number)
	}
	parts := strings.Split(text, shownSeparator)
	if len(parts) > len(k) || whole && len(parts) < len(k) {
		return "", InputErrorf("", "this key has %d attributes, with '%s' between them", len(k), shownSeparator)
	}
	for i, part := range parts {
		key, err := parseKey(part, k[i].Number)
		if err != nil {
			return "", err
		}
		parts[i] = escaped(key)
	}
	return strings.Join(parts, separator), nil
}

func parseKey(text string, number bool) (string, error) {
	if !number {
		return text, nil
	}
	text, ok := TextOfNumber(text)
	if !ok {
		return "", InputErrorf("", "this key is a Number of at most %d digits", item.MaxDigits)
	}
	return text, nil
}

func show(text string, number bool) string {
	if number {
		return KeyNumber(text)
	}
	return strings.ReplaceAll(text, "\U0010FFFF", `\U0010FFFF`)
}

// Names returns the names of the attributes.
func (k KeyAttributes) Names() []string {
	names := make([]string, len(k))
	for i, a := range k {
		names[i] = a.Name
	}
	return names
}

// Has reports whether an attribute with the name is one of them.
func (k KeyAttributes) Has(name string) bool {
	for i := range k {
		if k[i].Name == name {
			return true
		}
	}
	return false
}

// String returns the names, with "␟" between them.
func (k KeyAttributes) String() string { return strings.Join(k.Names(), shownSeparator) }

// GoString returns the attributes as a Go expression.
func (k KeyAttributes) GoString() string {
	if len(k) == 0 {
		return "nil"
	}
	return `keys.Named("` + strings.Join(k.Names(), `", "`) + `")`
}
