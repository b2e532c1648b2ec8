package exampletest

import (
	"bytes"
	"encoding/json"
	"strings"
)

// layoutWidth is how long a line of JSON is at most, if it can be broken.
const layoutWidth = 110

// layout returns JSON with values on one line that fit there.
func layout(text string) string {
	var b strings.Builder
	writeLayout(&b, json.RawMessage(text), 0, 0)
	return b.String()
}

// writeLayout writes a value behind some characters of a line with an indentation.
func writeLayout(b *strings.Builder, value json.RawMessage, indent, before int) {
	line := oneLine(value)
	if indent+before+len(line) <= layoutWidth || !strings.ContainsAny(line[:1], "{[") {
		b.WriteString(line)
		return
	}
	b.WriteString(line[:1] + "\n")
	inner := strings.Repeat(" ", indent+2)
	elements := elementsOf(value)
	for i, e := range elements {
		b.WriteString(inner + e.name)
		writeLayout(b, e.value, indent+2, len(e.name))
		if i < len(elements)-1 {
			b.WriteString(",")
		}
		b.WriteString("\n")
	}
	b.WriteString(strings.Repeat(" ", indent) + line[len(line)-1:])
}

// element is an element of a list, or a field of an object with its name and a colon.
type element struct {
	name  string
	value json.RawMessage
}

// elementsOf returns the elements of a list or of an object, in their order.
func elementsOf(value json.RawMessage) []element {
	var elements []element
	decoder := json.NewDecoder(bytes.NewReader(value))
	opening, _ := decoder.Token() // a valid value, as all below
	for decoder.More() {
		var e element
		if opening == json.Delim('{') {
			name, _ := decoder.Token()
			e.name = quote(name.(string)) + ": "
		}
		_ = decoder.Decode(&e.value)
		elements = append(elements, e)
	}
	return elements
}

// oneLine returns a value on one line, with spaces behind colons and commas.
func oneLine(value json.RawMessage) string {
	text := strings.TrimSpace(string(value))
	if text == "" || !strings.ContainsAny(text[:1], "{[") {
		return text
	}
	var parts []string
	for _, e := range elementsOf(value) {
		parts = append(parts, e.name+oneLine(e.value))
	}
	return text[:1] + strings.Join(parts, ", ") + text[len(text)-1:]
}

func quote(name string) string { return `"` + name + `"` }
