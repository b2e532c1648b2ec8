package keys_test

import (
	"testing"

	"github.com/partita/partita/keys"
)

func TestFolded(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Ann": "ann", "ANNA-1": "anna-1", "Ångström": "angstrom", "A\u030angstro\u0308m": "angstrom",
		"Straße": "strasse", "STRASSE": "strasse", "İzmir": "izmir", "Ñandú": "nandu", "ΣΊΣΥΦΟΣ": "σισυφοσ", "Йод": "иод",
		"Ørsted": "ørsted", "한글": "한글", "हिन्दी": "हिन्दी", "שָׁלוֹם": "שָׁלוֹם", "": "",
	} {
		if got := keys.Folded.Of(text); got != want || keys.Folded.Of(got) != got {
			t.Errorf("%q is %q, then %q, want %q", text, got, keys.Folded.Of(got), want)
		}
	}
}

// TestFoldedInKey: what is left may not be a value of a key, although the text was one.
func TestFoldedInKey(t *testing.T) {
	t.Parallel()
	of := func(delimiter, text string) string {
		key, err := keys.MustDelimited(delimiter, "NAME"+delimiter+"{name:folded}").Build(func(string) keys.Value {
			return keys.StringValue(text)
		})
		if err != nil {
			return err.Error()
		}
		return key
	}
	for _, c := range []struct{ delimiter, text, want string }{
		{"#", "Zoë", "NAME#zoe"},
		{"#", "\u0301", "name must not be empty"},
		{"#", "＃", "NAME#＃"},
		{"`", "a\u1fef", "name must not contain '`' or a control character"},
	} {
		if got := of(c.delimiter, c.text); got != c.want {
			t.Errorf("%q is %q, want %q", c.text, got, c.want)
		}
	}
}
