package check_test

import (
	"testing"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
)

// TestKeepsUnnamed: of a table that may follow another design, nothing is deleted unless its kind is named. Here the
// key of teams is another one in the schema, so that members and copies of tasks seem to be left over.
func TestKeepsUnnamed(t *testing.T) {
	t.Parallel()
	types := make([]*design.Type, len(tableDesign.Types))
	for i, of := range tableDesign.Types {
		moved := *of
		if moved.Name == "Team" {
			moved.Item = shape("GROUP#{id}", "GROUP#{id}")
		}
		types[i] = &moved
	}
	moved := design.MustDesign(nil, types, nil)
	e := start(t, sound(t))
	before := e.content(t)
	source := admin.Scanner{Table: e.Engine.Table.WithSchema(table.SchemaOf(moved))}
	o := options()
	o.Design, o.Rules, o.KeepsUnnamed, o.Scope = moved, nil, true, check.Scope{}
	report := must(check.Repair(t.Context(), source, o))
	for key := range before {
		if _, has := e.content(t)[key]; !has {
			t.Errorf("%v was deleted", key)
		}
	}
	kept := 0
	for _, v := range report.Violations {
		if v.Needs == "--only="+string(v.Kind) {
			kept++
		}
	}
	if kept == 0 {
		t.Error("nothing would have been deleted:", describe(report.Violations))
	}
	o.Scope.Only = []check.Kind{check.ReferenceBroken}
	if report := must(check.Repair(t.Context(), source, o)); len(report.Repaired) == 0 {
		t.Error("nothing is deleted though it is named:", describe(report.Violations))
	}
}

// TestKeepsWhatLacksAnother: an edge whose end is missing, and a copy whose base item is, are reported. They are
// deleted only if their kind is named, and not even then if something names them.
func TestKeepsWhatLacksAnother(t *testing.T) {
	t.Parallel()
	damaged := sound(t)
	damaged.damage(t, "delete PERSON#b PERSON#b")
	damaged.damage(t, "copy PERSON#a MEMBER_OF#t PERSON#a MEMBER_OF#gone teamId=gone")
	damaged.damage(t, "delete TASK#k TASK#k") // which comments name
	e := start(t, damaged)
	o := options()
	o.Scope = check.Scope{}
	count := func(only ...check.Kind) (needs map[string]int, deleted int) {
		o.Scope.Only = only
		before, needs := e.content(t), map[string]int{}
		for _, v := range must(check.Repair(t.Context(), e.Scanner, o)).Violations {
			needs[v.Needs]++
		}
		return needs, len(before) - len(e.content(t))
	}
	needs, deleted := count()
	if needs["--only=REFERENCE_BROKEN"] != 1 || needs["--only=COPY_ORPHAN"] != 1 || deleted != 0 {
		t.Errorf("%d deleted, and left without %v", deleted, needs)
	}
	if needs, deleted = count(check.ReferenceBroken, check.CopyOrphan); deleted != 3 || needs[""] != 3 {
		t.Errorf("%d deleted, and left %v", deleted, needs)
	}
}
