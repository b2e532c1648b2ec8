package claim_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/resolvers/claim"
)

func TestNormalEmail(t *testing.T) {
	for in, want := range map[string]string{
		"ada@example.com":             "ada@example.com",
		"  Ada@Example.COM\t":         "ada@example.com",
		"ＡＤＡ@ｅｘａｍｐｌｅ.com":             "ada@example.com",
		"jose\u0301@example.com":      "jos\u00e9@example.com",
		"JOSE\u0301@EXAMPLE.COM":      "jos\u00e9@example.com",
		"\u00a0ada@example.com\u3000": "ada@example.com",
	} {
		if got := claim.NormalEmail(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

// Once is enough: what is stored is found by what is stored.
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
	it := claim.Order(key, order, "digest", time.Unix(1_000_000, 0))
	if got, digest := claim.OrderOf(it); got != order || digest != "digest" || keys.KeyOf(it) != key {
		t.Errorf("got %v, %q", got, digest)
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
