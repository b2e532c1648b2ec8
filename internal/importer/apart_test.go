package importer_test

import (
	"slices"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/importer"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
)

// TestValueLikeLiteral: where a constant tells types apart, a collection has the items of its type only, although a
// value in the keys of another one looks like its literal, or its own value like the literal of another one.
func TestValueLikeLiteral(t *testing.T) {
	t.Parallel()
	phones := []item.Item{
		tabletest.Stored("ann", "12", "kind", "phone", "number", "12", "model", "a"),
		tabletest.Stored("bob", "34", "kind", "phone", "number", "34", "model", "b"),
		tabletest.Stored("ann", "12#north", "kind", "call", "number", "12", "to", "north"),
		tabletest.Stored("bob", "34#south", "kind", "call", "number", "34", "to", "south"),
		tabletest.Stored("ann", "bill#may", "kind", "bill", "month", "may", "total", "2"),
		tabletest.Stored("bob", "bill#june", "kind", "bill", "month", "june", "total", "3"),
	}
	result, err := importer.Import(all(phones), importer.Options{})
	fatal.If(t, err)
	s := serve(t, slices.Concat(phones, []item.Item{
		tabletest.Stored("ann", "bill", "kind", "phone", "number", "bill", "model", "c"),
		tabletest.Stored("ann", "bill#east", "kind", "call", "number", "bill", "to", "east"),
	}), result.Schema)
	for _, c := range []struct{ query, want string }{
		{`{ o: billsByPk(pk: "ann", first: 5) { nodes { month } } }`, `{"o":{"nodes":[{"month":"may"}]}}`},
		{
			`{ phone(pk: "ann", number: "bill") { calls(first: 5) { nodes { to } } } }`,
			`{"phone":{"calls":{"nodes":[{"to":"east"}]}}}`,
		},
		{
			`{ phone(pk: "ann", number: "12") { calls(first: 5) { nodes { to } } } }`,
			`{"phone":{"calls":{"nodes":[{"to":"north"}]}}}`,
		},
	} {
		if got := string(s.ask(t, c.query)); got != c.want {
			t.Errorf("%s: %s, want %s\n%s", c.query, got, c.want, result.Schema)
		}
	}
}
