package write_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// tracker is a design with projects, which number their issues, and have room for some that are open.
var tracker = design.MustDesign(nil,
	[]*design.Type{
		{
			Name: "Project", Identity: []string{"id"}, MaxBytes: 1024, Item: shape("PROJECT#{id}", "PROJECT#{id}"),
			Attributes: []design.Attribute{
				{Name: "id", Kind: keys.IDKind, Ref: "Project", NonNull: true},
				{Name: "last", Kind: keys.Int, NonNull: true}, {Name: "open", Kind: keys.Int, NonNull: true},
				{Name: "room", Kind: keys.Int, NonNull: true},
			},
		},
		{
			Name: "Issue", Identity: []string{"id"}, MaxBytes: 1024, Item: shape("ISSUE#{id}", "ISSUE#{id}"),
			Attributes: []design.Attribute{
				{Name: "id", Kind: keys.IDKind, Ref: "Issue", NonNull: true},
				{Name: "projectId", Kind: keys.IDKind, Ref: "Project", NonNull: true},
				{Name: "number", Kind: keys.Int, NonNull: true}, {Name: "state", Kind: keys.String, NonNull: true},
			},
		},
	}, nil,
).WithMutations(nil, []*design.Counter{
	{Parent: "Project", Attribute: "last", Type: "Issue", Identity: []string{"projectId"}, Number: "number"},
	{
		Parent: "Project", Attribute: "open", Field: "issues", Type: "Issue", Identity: []string{"projectId"},
		Where: predicate.MustParse("state = OPEN"), Max: &design.Bound{Attribute: "room"},
	},
})

// TestStepsNumbers: what Go composes has the numbers of the schema, and keeps their limits.
func TestStepsNumbers(t *testing.T) {
	t.Parallel()
	m := &members{tabletest.Start(t, table.SchemaOf(tracker))}
	begin := write.NewSteps(tracker, "begin", "")
	begin.Create("project", "Project", given("room", 2).Set)
	for i, state := range []string{"OPEN", "DONE"} {
		begin.Create(fmt.Sprint("issue", i), "Issue", given("state", state).Set).Assign("projectId", "{project.id}")
	}
	out, errs := m.commit(t, begin)
	if got := m.sent(); errs != "" || strings.Count(got, "Put ") != 3 || strings.Contains(got, "\n") {
		t.Fatalf("%s: sent %s", errs, got)
	}
	if got := describe(out.Steps[0].Object); got != "last=2 open=1 room=2" {
		t.Errorf("the project is %s", got)
	}
	project := out.Steps[0].ID
	for n, want := range []string{"", "projectId: INVALID open of this Project would be 3, and its room is 2"} {
		s := write.NewSteps(tracker, "add", "")
		s.Create("issue", "Issue", given("projectId", project, "state", "OPEN").Set)
		out, errs := m.commit(t, s)
		if errs != want {
			t.Errorf("%d: %q", n, errs)
		}
		if number, _ := out.Steps[0].Object.Get("number"); want == "" && number.Text != "3" {
			t.Errorf("the number is %s", number.Text)
		}
	}
	less := write.NewSteps(tracker, "less", "")
	less.Update("project", project, given("room", 1).Set)
	if _, errs := m.commit(t, less); errs != "room: INVALID room cannot be less than open, which is 2" {
		t.Errorf("less room: %q", errs)
	}
}
