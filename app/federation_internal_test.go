package app

import (
	"errors"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gen/directives"
)

// TestSubgraphOfHandWrittenNodes: gqlgen reads entities by the resolver of nodes, so that it must be the generated one.
func TestSubgraphOfHandWrittenNodes(t *testing.T) {
	schema, err := directives.Load(&ast.Source{Name: "notes.graphqls", Input: `
		type Query { node(id: ID!): Node }
		type Note implements Node @item(pk: "NOTE#{id}", sk: "NOTE#{id}") { id: ID! text: String! }
	`})
	fatal.If(t, err)
	for _, tt := range []struct {
		handWritten  string
		isFederation bool
		code         int
	}{
		{"Note.text", true, 0},
		{"Query.nodes", false, 0},
		{"Query.nodes", true, exit.Config},
	} {
		read, err := directives.Read(schema)
		fatal.If(t, err)
		a := &Application{Schema: answer.NewFolder(schema), Design: read.WithHandWritten(tt.handWritten)}
		code := 0
		if e, is := errors.AsType[*exit.Error](federationSettings{Federation: tt.isFederation}.check(a)); is {
			code = e.Code
		}
		if code != tt.code {
			t.Errorf("hand-written %s, FEDERATION=%v: the exit code is %d, want %d",
				tt.handWritten, tt.isFederation, code, tt.code)
		}
	}
}
