package write_test

import (
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// TestUniqueClaimIgnoresCase: texts that differ in case or in their normal form only have the same claim.
func TestUniqueClaimIgnoresCase(t *testing.T) {
	t.Parallel()
	member := club.Type("Member")
	keyOf := func(email string) keys.Key {
		it := item.Item{{Name: "id", Value: item.StringValue("a")}, {Name: "email", Value: item.StringValue(email)}}
		claim, err := write.UniqueClaim(member, member.Uniques[0], it)
		if err != nil {
			t.Fatal(err)
		}
		return keys.KeyOf(claim)
	}
	for _, texts := range [][]string{
		{"straße", "STRASSE", "STRAẞE"}, {"e\u0301", "é", "É"}, {"σας", "ΣΑΣ"}, {"ꭰ", "Ꭰ"}, {"ᏸ", "Ᏸ"},
	} {
		for _, text := range texts {
			if keyOf(text) != keyOf(texts[0]) {
				t.Errorf("%q and %q have two claims", texts[0], text)
			}
		}
	}
}
