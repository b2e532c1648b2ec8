package edits

import "regexp"

var token = regexp.MustCompile(`(?s)"""(?:\\"""|.)*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*|[^\s,]`)

// masked returns the text with spaces in place of comments and descriptions, which may look like what they describe.
// All else has its place.
func masked(text string) string {
	without := []byte(text)
	var last byte
	var brackets []byte
	for _, at := range token.FindAllStringIndex(text, -1) {
		c := text[at[0]]
		isValue := last == ':' || last == '=' || len(brackets) > 0 && brackets[len(brackets)-1] == '['
		if c == '#' || c == '"' && !isValue {
			blank(without[at[0]:at[1]])
			continue
		}
		last = c
		switch c {
		case '(', '[', '{':
			brackets = append(brackets, c)
		case ')', ']', '}':
			brackets = brackets[:max(0, len(brackets)-1)]
		}
	}
	return string(without)
}

func blank(text []byte) {
	for i, c := range text {
		if c != '\n' {
			text[i] = ' '
		}
	}
}
