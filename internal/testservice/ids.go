package testservice

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/partita/partita/internal/testservice/graph/typed"
	"github.com/partita/partita/keys"
)

// Encoded returns a document in which each string such as "Loan:l004" or "Reminder:l004/1" is the global id that
// it names. Ask, Must and Send do this by themselves.
func Encoded(document string) string {
	return idText.ReplaceAllStringFunc(document, func(text string) string {
		parts := idText.FindStringSubmatch(text)
		return fmt.Sprintf("%q", keys.NewID(parts[1], strings.Split(parts[2], "/")...).Encode())
	})
}

var (
	idText   = regexp.MustCompile(`"([A-Z][A-Za-z]*):([^"]*)"`)
	jsonText = regexp.MustCompile(`"[A-Za-z0-9_-]+"`)
)

// Decoded is the reverse of Encoded.
func Decoded(answer string) string {
	return jsonText.ReplaceAllStringFunc(answer, func(text string) string {
		id, err := keys.ParseID(strings.Trim(text, `"`))
		if err != nil || typed.Design.Type(id.Type()) == nil {
			return text
		}
		return fmt.Sprintf("%q", id.Type()+":"+strings.Join(id.Values(), "/"))
	})
}
