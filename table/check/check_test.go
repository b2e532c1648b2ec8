package check_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table/check"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// run is check.Table or check.Repair.
type run func(context.Context, check.Source, check.Options) (check.Report, error)

// engine is a real table.
type engine struct {
	*tabletest.Engine
	admin.Scanner
}

func start(t testing.TB, c content) *engine {
	t.Helper()
	e := tabletest.Start(t, schema)
	e.Load(t, c.inOrder()...)
	return &engine{e, admin.Scanner{Table: e.Table}}
}

// content reads the whole table.
func (e *engine) content(t testing.TB) content {
	t.Helper()
	all := content{}
	for start := (keys.Key{}); ; {
		page := must(e.Scan(t.Context(), admin.Scan{Start: start}))
		for _, it := range page.Items {
			all[keys.KeyOf(it)] = it
		}
		if start = page.Last.Base; page.Last.IsZero() {
			return all
		}
	}
}

func (e *engine) check(t testing.TB) check.Report {
	t.Helper()
	report := must(check.Table(t.Context(), e.Scanner, options()))
	return report
}

func (e *engine) repair(t testing.TB) check.Report {
	t.Helper()
	report := must(check.Repair(t.Context(), e.Scanner, options()))
	return report
}

// describe returns the violations in the order of their texts.
func describe(all []check.Violation) []string {
	lines := make([]string, len(all))
	for i, v := range all {
		lines[i] = fmt.Sprintf("%s %s %s: %s", v.Kind, v.PK, v.SK, v.Problem)
		if v.Fix != "" {
			lines[i] += "\n    " + v.Fix
		}
	}
	slices.Sort(lines)
	return lines
}

// TestViolations: a check finds each kind of damage and writes nothing, and a
// repair leaves only what has no fix.
func TestViolations(t *testing.T) {
	datadriven.RunTest(t, "testdata/violations", func(t *testing.T, d *datadriven.TestData) string {
		before := sound(t)
		damaged := sound(t)
		for line := range strings.Lines(d.Input) {
			damaged.damage(t, line)
		}
		e := start(t, damaged)
		found := e.check(t)
		if diff := cmp.Diff(damaged.texts(), e.content(t).texts()); diff != "" {
			t.Errorf("a check has written:\n%s", diff)
		}
		if found.Items != len(damaged) || found.Cost.WriteUnits != 0 || found.Cost.ReadUnits == 0 {
			t.Errorf("%d of %d items at %+v", found.Items, len(damaged), found.Cost)
		}
		repaired := e.repair(t)
		for _, v := range repaired.Repaired {
			if !v.Repaired || v.Fix == "" {
				t.Errorf("repaired: %+v", v)
			}
		}
		if len(repaired.Repaired) > 0 != (repaired.Cost.WriteUnits > 0) {
			t.Errorf("%d repaired with %v write units", len(repaired.Repaired), repaired.Cost.WriteUnits)
		}
		left := e.check(t)
		if diff := cmp.Diff(describe(left.Violations), describe(repaired.Violations)); diff != "" {
			t.Errorf("a check after the repair (-) and the repair (+) differ:\n%s", diff)
		}
		var b strings.Builder
		for _, line := range describe(found.Violations) {
			fmt.Fprintln(&b, line)
		}
		fmt.Fprintf(&b, "repaired %d, left %d", len(repaired.Repaired), len(left.Violations))
		if cmp.Equal(before.texts(), e.content(t).texts()) {
			b.WriteString(", the table is as it was before the damage")
		}
		return b.String() + "\n"
	})
}

// damaged returns a table with many violations.
func damaged(t testing.TB) content {
	t.Helper()
	c := sound(t)
	for _, line := range []string{
		"delete PERSON#a MEMBER_OF#t", "set PERSON#b PERSON#b teamCount:=9", "set TASK#k TASK#k GSI1SK=wrong",
		"set NAME#One NAME#One teamId=lost", "put ODD#1 ODD#1 entityType=Odd", "set TASK#k COMMENT#0001 taskId:=",
		"copy TEAM#t MEMBER#a TEAM#t MEMBER#lost personId=lost",
	} {
		c.damage(t, line)
	}
	return c
}

// TestPages: the size of the pages does not change what is found.
func TestPages(t *testing.T) {
	want := start(t, damaged(t)).check(t)
	if len(want.Violations) < 7 {
		t.Fatalf("only %v", describe(want.Violations))
	}
	for size := 1; size <= 4; size++ {
		e := start(t, damaged(t))
		o := options()
		o.PageItems = size
		for _, step := range []struct {
			run  run
			want []check.Violation
		}{{check.Table, want.Violations}, {check.Repair, nil}} {
			got := must(step.run(t.Context(), e.Scanner, o))
			if diff := cmp.Diff(describe(want.Violations), describe(got.Violations)); step.want != nil && diff != "" {
				t.Errorf("pages of %d:\n%s", size, diff)
			}
		}
		for _, v := range e.check(t).Violations {
			if v.Fix != "" {
				t.Errorf("pages of %d leave %s", size, describe([]check.Violation{v}))
			}
		}
	}
}

// TestFaults: requests that are throttled, fail, or leave keys unprocessed change
// nothing.
func TestFaults(t *testing.T) {
	want := start(t, damaged(t)).check(t)
	e := start(t, damaged(t))
	e.Proxy.Inject(tabletest.Faults{Seed: 1, Throttled: 0.1, Failed: 0.1, Unprocessed: 0.4})
	o := options()
	o.PageItems = 3
	got := must(check.Table(t.Context(), e.Scanner, o))
	if diff := cmp.Diff(describe(want.Violations), describe(got.Violations)); diff != "" {
		t.Error(diff)
	}
	if c := e.Proxy.Counts(); c.Unprocessed == 0 || c.Throttled == 0 {
		t.Errorf("the faults did not occur: %+v", c)
	}
}

// put stores items as another writer would.
func (e *engine) put(t testing.TB, items ...item.Item) {
	t.Helper()
	e.Engine.Load(t, items...)
}

// must returns a value that a test needs.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
