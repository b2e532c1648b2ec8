package design_test

import (
	"strings"
	"testing"

	"github.com/partita/partita/keys"
)

// decoded returns parts as LITERAL<variable=text=value>.
func decoded(parts []keys.Part) string {
	var b strings.Builder
	for _, p := range parts {
		switch {
		case p.IsShard:
			b.WriteString("<shard " + p.Text + ">")
		case p.Variable == "":
			b.WriteString(p.Text)
		default:
			b.WriteString("<" + p.Variable + "=" + p.Text + "=" + p.Value + ">")
		}
	}
	return b.String()
}

// TestDecode: the texts of the parts are the key, and a text that is no key of the template is not decoded.
func TestDecode(t *testing.T) {
	for _, test := range []struct{ template, key, want string }{
		{"USER#{id}", "USER#a", "USER#<id=a=a>"},
		{"USER#{id}", "USER#a#b", "USER#<id=a#b=a#b>"},
		{"USER#{id}", "ORDER#a", ""},
		{"USER#{id}", "USER#", ""},
		{"ITEM#{line:04}#v{version:03}", "ITEM#0012#v007", "ITEM#<line=0012=12>#v<version=007=7>"},
		{"{at:day}#{id}", "2026-03-01#x", "<at=2026-03-01=2026-03-01>#<id=x=x>"},
		{"ALL", "ALL", "ALL"},
		{"A#{b}#C", "A#b#C", "A#<b=b=b>#C"},
		{"", "", ""},
	} {
		parts, ok := keys.MustTemplate(test.template).Decode(test.key)
		if got := decoded(parts); got != test.want || ok != (test.want != "" || test.template == "") {
			t.Errorf("%s of %s: got %s, %v", test.key, test.template, got, ok)
		}
	}
}

// TestTokens: a token is valid for its scope and its tenant alone.
func TestTokens(t *testing.T) {
	k, scope, position := keys.NewCursors([]byte("secret")), []string{"items", "a"}, []string{"x", "", "y"}
	token := k.Token("", scope, position)
	if got, ok := k.ParseToken("", scope, token); !ok || strings.Join(got, "|") != "x||y" {
		t.Errorf("got %q, %v", got, ok)
	}
	for name, parse := range map[string]func() ([]string, bool){
		"another scope":  func() ([]string, bool) { return k.ParseToken("", []string{"items", "b"}, token) },
		"a longer scope": func() ([]string, bool) { return k.ParseToken("", []string{"items", "a", ""}, token) },
		"a tenant":       func() ([]string, bool) { return k.ParseToken("t", scope, token) },
		"another secret": func() ([]string, bool) { return keys.NewCursors(nil).ParseToken("", scope, token) },
		"a changed text": func() ([]string, bool) { return k.ParseToken("", scope, token[:len(token)-4]+"AAAA") },
		"no token":       func() ([]string, bool) { return k.ParseToken("", scope, "x") },
		"nothing":        func() ([]string, bool) { return k.ParseToken("", scope, "") },
	} {
		if got, ok := parse(); ok {
			t.Errorf("%s: got %q", name, got)
		}
	}
}
