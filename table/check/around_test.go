package check_test

import (
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/item"
	"github.com/partita/partita/table/check"
)

// TestBreaks: what a change of one item would break is what a check of the whole table finds afterwards. To undo it
// breaks nothing.
func TestBreaks(t *testing.T) {
	n := 0
	datadriven.RunTest(t, "testdata/violations", func(t *testing.T, d *datadriven.TestData) string {
		line := strings.TrimSpace(d.Input)
		if line == "" || strings.Contains(line, "\n") {
			return d.Expected
		}
		n++
		before, after := sound(t), sound(t)
		after.damage(t, line)
		c := changeOf(before, after)
		whole := must(check.Table(t.Context(), &memory{content: after}, options()))
		breaks, cost, err := check.Breaks(t.Context(), &memory{content: before}, options(), c)
		if diff := cmp.Diff(describe(whole.Violations), describe(breaks)); diff != "" || err != nil {
			t.Errorf("%s: a check (-), what it breaks (+), %v:\n%s", line, err, diff)
		}
		if cost.Requests == 0 || cost.ReadUnits != float64(units*cost.Requests) || cost.WriteUnits != 0 {
			t.Errorf("%s: costs %+v", line, cost)
		}
		around, _, err := check.Around(t.Context(), &memory{content: after}, options(), c)
		if diff := cmp.Diff(describe(breaks), describe(around)); diff != "" || err != nil {
			t.Errorf("%s: breaks (-), around it afterwards (+), %v:\n%s", line, err, diff)
		}
		undone := check.Change{Before: c.After, After: c.Before}
		breaks, _, err = check.Breaks(t.Context(), &memory{content: after}, options(), undone)
		if len(breaks) > 0 || err != nil {
			t.Errorf("%s: to undo it breaks %v, %v", line, describe(breaks), err)
		}
		return d.Expected
	})
	if n < 20 {
		t.Errorf("only %d changes", n)
	}
}

// changeOf returns the difference of two tables, which is one item.
func changeOf(before, after content) check.Change {
	for _, c := range []content{before, after} {
		for key := range c {
			if !item.FieldsValue(before[key]).Equal(item.FieldsValue(after[key])) {
				return check.Change{Before: before[key], After: after[key]}
			}
		}
	}
	return check.Change{}
}
