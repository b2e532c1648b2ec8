package resolvers

import (
	"fmt"
	"math"
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"
	"golang.org/x/text/unicode/norm"

	"github.com/partita/partita/resolvers/claim"
	"github.com/partita/partita/write"
)

// The rules for input, in one place. The schema states each of them in the description of its field.
var (
	personName = textRule{max: 100, trim: true, allowed: printable,
		but: "one of them visible, without control characters"}
	productName = textRule{max: 200, trim: true, allowed: printable,
		but: "one of them visible, without control characters"}
	sku = textRule{max: 64, trim: true, allowed: keyText,
		but: "without #, control characters and invisible ones"}
	idempotencyKey = textRule{max: 64, allowed: token, but: "of letters a to z, digits, -, _ and ."}
	quantity       = numberRule{1, 10_000}
	price          = numberRule{0, maxAmount}
)

const (
	// maxEmailBytes is the longest address that mail servers accept.
	//
	// https://www.rfc-editor.org/errata/eid1690
	maxEmailBytes = 254
	// maxAmount is the largest Int of GraphQL.
	//
	// https://spec.graphql.org/October2021/#sec-Int
	maxAmount = math.MaxInt32
	// maxLines is the number of lines that fit into a transaction beside the order, its copy, the customer's counter and
	// the claim of the idempotency key.
	maxLines = write.MaxActions - 4
)

// textRule is a rule for a text: 1 to max characters that are allowed, at least one of them visible.
type textRule struct {
	max     int
	trim    bool // spaces around it are cut
	allowed func(rune) bool
	but     string // the end of the sentence: what is allowed
}

// numberRule is an inclusive range.
type numberRule struct{ min, max int }

// printable reports whether a character is not a control character. Those that change the direction of text are
// excluded as well: a name with one can look like another name, and changes the text beside it on a page.
//
// https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing
func printable(r rune) bool {
	return !unicode.IsControl(r) && r != utf8.RuneError && r != unicode.MaxRune && !unicode.Is(unicode.Bidi_Control, r)
}

// keyText reports whether a character may be in a key: # is the delimiter, and texts that differ in invisible
// characters look the same.
func keyText(r rune) bool { return printable(r) && r != '#' && !invisible(r) }

// invisible reports whether a character is not displayed by itself.
//
// https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
func invisible(r rune) bool {
	return r >= utf8.RuneSelf &&
		unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// visible reports whether a character can be seen without another one.
func visible(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && r <= '~'
	}
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.IsMark(r) && !invisible(r)
}

func token(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r)
}

// text checks a text and returns it as it is stored, in Unicode's normal form C.
func (p *problems) text(field inputField, value string, rule textRule) string {
	if rule.trim {
		value = strings.TrimSpace(value)
	}
	value = norm.NFC.String(value)
	n := utf8.RuneCountInString(value)
	if n > rule.max || !strings.ContainsFunc(value, visible) ||
		strings.ContainsFunc(value, func(r rune) bool { return !rule.allowed(r) }) {
		p.Add(write.CodeInvalid, field.String(), "%s must have 1 to %d characters, %s", field, rule.max, rule.but)
	}
	return value
}

// number checks a number.
func (p *problems) number(field inputField, value int, rule numberRule) {
	if value < rule.min || value > rule.max {
		p.Add(write.CodeInvalid, field.String(), "%s must be from %d to %d", field, rule.min, rule.max)
	}
}

// email checks an e-mail address and returns its normal form.
func (p *problems) email(field, value string) string {
	email := claim.NormalEmail(value)
	if !isEmail(email) {
		p.Add(write.CodeInvalid, field,
			"%s must be an e-mail address such as ada@example.com, of at most %d bytes and without #", field, maxEmailBytes)
	}
	return email
}

func isEmail(text string) bool {
	invalid := func(r rune) bool { return !keyText(r) || unicode.IsSpace(r) }
	if len(text) > maxEmailBytes || strings.ContainsFunc(text, invalid) {
		return false
	}
	address, err := mail.ParseAddress(text)
	if err != nil || address.Address != text {
		return false
	}
	domain := text[strings.LastIndexByte(text, '@')+1:]
	return strings.Contains(strings.Trim(domain, "."), ".")
}

// currencies are the codes of ISO 4217 that are legal tender somewhere.
var currencies = func() map[string]bool {
	codes := map[string]bool{}
	for tender := currency.Query(); tender.Next(); {
		codes[tender.Unit().String()] = true
	}
	return codes
}()

// currency checks a currency's code.
func (p *problems) currency(field, code string) {
	if !currencies[code] {
		p.Add(write.CodeInvalid, field, "%s must be the ISO 4217 code of a currency in capital letters, such as EUR", field)
	}
}

// inputField is a field of an input, or of a line of an order.
type inputField struct {
	name string
	// line is that of the order, from 1; 0 for a field of the input itself.
	line int
}

// String returns the place of the field, as user errors have it.
func (f inputField) String() string {
	if f.line == 0 {
		return f.name
	}
	return fmt.Sprintf("lines.%d.%s", f.line-1, f.name)
}
