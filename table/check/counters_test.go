package check_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
)

// boards is the design of a table of another program that later got a counter of a list.
var boards = design.MustDesign(&stored.Layout{PK: keys.Named("pk"), SK: keys.Named("sk"), Delimiter: "/"},
	[]*design.Type{{
		Name: "Board", Identity: []string{"id"}, MaxBytes: 512, Item: shape("B/{id}", "B/{id}"),
		Attributes: []design.Attribute{
			{Name: "id", Kind: keys.String}, {Name: "noteCount", Kind: keys.Int, NonNull: true, Stored: "notes"},
		},
	}, {
		Name: "Note", Identity: []string{"board", "n"}, MaxBytes: 512, Item: shape("B/{board}", "N/{n}"),
		Attributes: []design.Attribute{{Name: "board", Kind: keys.String}, {Name: "n", Kind: keys.String}},
	}}, []*design.Field{{
		Parent: "Board", Name: "notes", Kind: design.Query, Result: design.Many, AtMost: 10, Types: []string{"Note"},
		PK: keys.MustTemplate("B/{id}"), SK: keys.MustTemplate("N/"),
	}}).WithMutations(nil, []*design.Counter{
	{Parent: "Board", Attribute: "noteCount", Field: "notes", Type: "Note", Identity: []string{"board"}, AtMost: 10},
})

// TestCountersOfLists: the counter of a list is checked, and repaired also where an item lacks it.
func TestCountersOfLists(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, table.SchemaOf(boards))
	e.LoadLines(t, strings.NewReader(`{"Item":{"pk":{"S":"B/a"},"sk":{"S":"B/a"}}}
{"Item":{"pk":{"S":"B/a"},"sk":{"S":"N/1"}}}
{"Item":{"pk":{"S":"B/b"},"sk":{"S":"B/b"},"notes":{"N":"2"}}}
{"Item":{"pk":{"S":"B/b"},"sk":{"S":"N/1"}}}
{"Item":{"pk":{"S":"B/c"},"sk":{"S":"B/c"},"notes":{"N":"0"}}}
`))
	source, options := admin.Scanner{Table: e.Table}, check.Options{Design: boards}
	report, err := check.Table(t.Context(), source, options)
	want := []string{
		"COUNTER_WRONG B/a B/a: noteCount is missing; Board.notes has 1\n    set it to the count",
		"COUNTER_WRONG B/b B/b: noteCount is 2; Board.notes has 1\n    set it to the count",
	}
	if found := describe(report.Violations); err != nil || !slices.Equal(found, want) {
		t.Errorf("found %q, %v", found, err)
	}
	if left, err := check.Repair(t.Context(), source, options); err != nil || !left.Clean() || len(left.Repaired) != 2 {
		t.Errorf("left %q, %v", describe(left.Violations), err)
	}
	if report, err = check.Table(t.Context(), source, options); err != nil || !report.Clean() {
		t.Errorf("then found %q, %v", describe(report.Violations), err)
	}
}
