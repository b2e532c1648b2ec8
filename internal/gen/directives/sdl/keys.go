package sdl

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/partita/partita/keys"
)

// ItemLine returns the @item with a key.
func ItemLine(s keys.Shape) string { return KeyLine("item", s) }

// KeyLine returns a directive with a key.
func KeyLine(directive string, s keys.Shape) string {
	return "@" + directive + "(" + KeyArguments(s.PK.String(), s.SK.String()) + ")"
}

// KeyArguments returns the arguments of a directive with these templates. Without a sort key there is no sk.
func KeyArguments(pk, sk string) string {
	if sk == "" {
		return fmt.Sprintf("pk: %q", pk)
	}
	return fmt.Sprintf("pk: %q, sk: %q", pk, sk)
}

var (
	// ForeignDelimiter matches what no delimiter of a new table has.
	ForeignDelimiter = regexp.MustCompile(`[^\pL\pN_.#-]+`)
	// Brace matches a variable of a template, also one that is not closed.
	Brace = regexp.MustCompile(`\{[^{}#]*\}?`)
	// Braced matches a variable of a template.
	Braced = regexp.MustCompile(`\{(\w+)(?::[^{}]*)?\}`)
)

// Joined returns a template that continues with a part.
func Joined(template, part, delimiter string) string {
	if template == "" || strings.HasSuffix(template, delimiter) {
		return template + part
	}
	return template + delimiter + part
}
