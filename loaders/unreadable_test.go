package loaders_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// TestUnreadableBelowGoCode: fields and lists below an object that hand-written Go has returned are those of any other
// object.
func TestUnreadableBelowGoCode(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	s.BeyondDesign = true
	fraction := item.Value{Kind: item.Number, Text: "2.5"}
	const books9 = `books(first: 9) { nodes { id %s } }`
	ids := func(a testservice.Answer) []string {
		nodes, _ := gatewaytest.At(t, a.Data, "branch", "books", "nodes").([]any)
		var ids []string
		for _, n := range nodes {
			ids = append(ids, fmt.Sprint(gatewaytest.At(t, n, "id")))
		}
		return ids
	}
	all := ids(s.Must(t, `{ branch(id: "Branch:c1") { `+fmt.Sprintf(books9, "")+` } }`, nil))
	book := func(id string) item.Item {
		parsed, err := keys.ParseID(id)
		fatal.If(t, err)
		return stored("BOOK#"+parsed.Value(), "BOOK#"+parsed.Value())[0]
	}
	s.Load(t, with(with(book(all[2]), "floor", fraction), "recommendedCount", item.Value{}),
		with(book(all[4]), "title", fraction))
	for _, tt := range []struct {
		fields string
		lost   int
		errors []string
	}{
		{"isbn", 0, nil},
		{"floor", 0, []string{"[branch books nodes 2 floor] UNREADABLE_FIELD"}},
		{"title", 1, []string{"[branch books] UNREADABLE_FIELD"}},
		{"recommendedBy(first: 1) { nodes { id } }", 0, nil},
		{"recommendedBy(first: 1) { totalCount }", 0, []string{
			"[branch books nodes 2 recommendedBy totalCount] UNREADABLE_FIELD",
		}},
	} {
		a := s.Ask(t, `{ branch(id: "Branch:c1") { `+fmt.Sprintf(books9, tt.fields)+` } }`, nil)
		if got := ids(a); len(got) != len(all)-tt.lost {
			t.Errorf("%s: %v", tt.fields, got)
		}
		var errors []string
		for _, err := range a.Errors {
			errors = append(errors, fmt.Sprintf("%v %s", err.Path, err.Extensions.Code))
		}
		if !slices.Equal(errors, tt.errors) {
			t.Errorf("%s: the errors are %v, want %v", tt.fields, errors, tt.errors)
		}
	}
}
