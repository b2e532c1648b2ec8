package keys

import "strings"

// separator joins the texts of several attributes in the text of their key. It sorts below all characters of values, so
// that the order of the texts is that of the attributes, one after the other.
const separator = "\x01"

// escapes replaces what would be read as a separator: another program may have written it.
var (
	escapes  = strings.NewReplacer("\x00", "\x02\x02", separator, "\x02\x03", "\x02", "\x02\x04")
	restores = strings.NewReplacer("\x02\x02", "\x00", "\x02\x03", separator, "\x02\x04", "\x02")
)

func escaped(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return r <= 2 }) < 0 {
		return text
	}
	mark := ""
	if IsOfOtherTenant(PK(text)) {
		mark, text = otherTenant, text[len(otherTenant):]
	}
	return mark + escapes.Replace(text)
}

func restored(text string) string {
	if !strings.Contains(text, "\x02") {
		return text
	}
	return restores.Replace(text)
}

// shownSeparator is the separator for people.
const shownSeparator = "␟"
