package types_test

import (
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/gen/directives"
	"github.com/partita/partita/keys/gen/types"
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
	if err != nil {
		t.Fatal(err)
	}
	schema, err := directives.Read(loaded)
	if err != nil {
		t.Fatal(err)
	}
	const want = `test.graphqls:4:28: Note.new_text: the field newText and the field new_text would have the same Go name NewText
    rename Note.new_text
test.graphqls:6:8: StoredNote: the stored items of Note and type StoredNote would have the same Go name StoredNote
    rename StoredNote
test.graphqls:7:27: State.open_again: the value OPEN_AGAIN of State and the value open_again of State would have the same Go name StateOpenAgain
    rename State.open_again`
	if _, err := types.Go(schema, "stored"); err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}
