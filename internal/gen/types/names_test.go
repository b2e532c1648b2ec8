package types_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/gen/types"
)

// TestSameNames: types, fields and values of enums with the same Go name are findings.
func TestSameNames(t *testing.T) {
	loaded, err := directives.Load(&ast.Source{Name: "test.graphqls", Input: `
		type Query { note(id: ID!): Note @get(pk: "NOTE#{id}", sk: "NOTE#{id}") }
		type Note implements Node @item(pk: "NOTE#{id}", sk: "NOTE#{id}") {
			id: ID! newText: String new_text: String place: StoredNote state: State
		}
		type StoredNote { shelf: String }
		enum State { OPEN_AGAIN open_again }`})
	fatal.If(t, err)
	schema, err := directives.Read(loaded)
	fatal.If(t, err)
	file, err := types.Go(schema, "stored")
	findings, is := errors.AsType[directives.Findings](err)
	if !is || file != nil {
		t.Fatalf("got %v", err)
	}
	var got []string
	for _, f := range findings {
		got = append(got, fmt.Sprintf("%d:%d %s: %s; %s", f.Line, f.Column, f.Coordinate, f.What, f.Fix))
	}
	const same = " would have the same Go name "
	want := []string{
		"4:28 Note.new_text: the field newText and the field new_text" + same + "NewText; rename Note.new_text",
		"6:8 StoredNote: the stored items of Note and type StoredNote" + same + "StoredNote; rename StoredNote",
		"7:27 State.open_again: the value OPEN_AGAIN of State and the value open_again of State" + same +
			"StateOpenAgain; rename State.open_again",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
