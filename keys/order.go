package keys

import "strings"

// InTree reports whether the sort key is that of the item of a Tree, or of one of its children. Between the two may be
// others: DEPT#1 is followed by "DEPT#1 A", then by DEPT#1#USER#7.
func InTree(sk, item, children SK) bool {
	return sk == item || strings.HasPrefix(string(sk), string(children))
}

// Lowest returns the lower bound of all sort keys that begin with the prefix. It is never empty,
// because DynamoDB rejects empty keys: no key of a design begins with a character below a space.
func Lowest(prefix SK) SK { return max(prefix, " ") }

// EndOf returns a text that sorts above every sort key that begins with the prefix, and below every
// other key of a design that sorts above the prefix.
//
// For a prefix that ends with a usual delimiter it is the prefix with the character that sorts right after that: no key
// of a design is equal to it.
func EndOf(prefix SK) SK {
	if last := len(prefix) - 1; last >= 0 {
		if i := strings.IndexByte(usualDelimiters, prefix[last]); i >= 0 {
			return prefix[:last] + SK(afterDelimiters[i:i+1])
		}
	}
	return prefix + EndOfText
}

// afterDelimiters are the characters that sort right after each of usualDelimiters.
const (
	usualDelimiters = "#|/:"
	afterDelimiters = "$}0;"
)

// EndOfText sorts above all other characters, and no key has it.
const EndOfText = "\U0010FFFF"

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
