package claim_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/partita/partita/internal/soak" // the cases of rapid
	"github.com/partita/partita/keys"
	"github.com/partita/partita/resolvers/claim"
)

func TestNormalEmail(t *testing.T) {
	for in, want := range map[string]string{
		"ada@example.com":                      "ada@example.com",
		"  Ada@Example.COM\t":                  "ada@example.com",
		"ＡＤＡ@ｅｘａｍｐｌｅ.com":                      "ada@example.com",
		"jose\u0301@example.com":               "jos\u00e9@example.com",
		"JOSE\u0301@EXAMPLE.COM":               "jos\u00e9@example.com",
		"\u00a0ada@example.com\u3000":          "ada@example.com",
		"ada\uff20example.com":                 "ada@example.com",
		"ada\ufe6bexample.com":                 "ada@example.com",
		"ADA@EXAMPLE.\u212aOM":                 "ada@example.kom", // the Kelvin sign
		"\u0130@example.com":                   "i\u0307@example.com",
		"\u0131@example.com":                   "\u0131@example.com",
		"STRA\u1e9eE@example.com":              "stra\u00dfe@example.com",
		"stra\u00dfe@example.com":              "stra\u00dfe@example.com",
		"\u039f\u0394\u039f\u03a3@example.com": "\u03bf\u03b4\u03bf\u03c2@example.com",
		"\ufb01@example.com":                   "fi@example.com",
	} {
		if got := claim.NormalEmail(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

// TestEmailKey: addresses that differ in case only have the same claim, others do not.
func TestEmailKey(t *testing.T) {
	seen := map[keys.Key]string{}
	for _, same := range [][]string{
		{"Ada@Example.com", "ada@example.COM", " ADA@EXAMPLE.COM"},
		{"stra\u00dfe@example.com", "STRASSE@example.com", "STRA\u1e9eE@example.com", "strasse@example.com"},
		{
			"\u03bf\u03b4\u03bf\u03c2@example.com", "\u039f\u0394\u039f\u03a3@example.com",
			"\u03bf\u03b4\u03bf\u03c3@example.com",
		},
		{"\u0130@example.com", "i\u0307@example.com", "I\u0307@EXAMPLE.com"},
		{"i@example.com", "I@example.com"},
		{"\u0131@example.com"},
		{"jose\u0301@example.com", "JOS\u00c9@example.com"},
		{"jose@example.com"},
	} {
		for _, text := range same {
			key, err := claim.EmailKey(claim.NormalEmail(text))
			if err != nil {
				t.Fatal(err)
			}
			if before, is := seen[key]; is && before != same[0] {
				t.Errorf("%q has the claim of %q", text, before)
			}
			seen[key] = same[0]
			if first, err := claim.EmailKey(claim.NormalEmail(same[0])); err != nil || first != key {
				t.Errorf("%q has the claim %v, and %q has %v", text, key, same[0], first)
			}
		}
	}
}

// The normal form of a normal form is the same.
func TestNormalEmailTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		once := claim.NormalEmail(text)
		if twice := claim.NormalEmail(once); twice != once {
			t.Errorf("%q is %q at first and then %q", text, once, twice)
		}
	})
}

func TestOrder(t *testing.T) {
	user, order := keys.NewID("User", "u1"), keys.NewID("Order", "o1")
	key, err := claim.OrderKey(user, "k1")
	if err != nil {
		t.Fatal(err)
	}
	it := claim.Orders.Item(key, order, "digest", time.Unix(1_000_000, 0))
	if got := claim.Orders.HolderOf(it); got != order || it.Text("input") != "digest" || keys.KeyOf(it) != key {
		t.Errorf("got %v in %v", got, it)
	}
	if got := it.Text(keys.AttributeExpiry); got != "1086400" {
		t.Errorf("it expires at %s, want a day later in seconds", got)
	}
	if other, err := claim.OrderKey(keys.NewID("User", "u2"), "k1"); err != nil || other == key {
		t.Errorf("another user's key is %v, %v", other, err)
	}
	if _, err := claim.OrderKey(user, "a#b"); err == nil {
		t.Error("a delimiter was let into the key")
	}
}
