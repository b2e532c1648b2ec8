package table_test

import (
	"errors"
	"testing"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/predicate"
	"github.com/partita/partita/write"
)

// TestComparisons compares DynamoDB's decision on each comparison of a field with values of each kind, and with other
// fields, set or not, with that of Precondition.Holds.
func TestComparisons(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	text := func(s string) item.Attribute { return item.Attribute{Value: item.StringValue(s)} }
	number := func(s string) item.Attribute { return numeral("", s) }
	it := append(tabletest.Stored("A", "S", "status", "HELD", "same", "HELD"), numeral("n", "9"), numeral("m", "10"))
	e.Load(t, it, tabletest.Stored("B", "S"))
	names := []string{"status", "n", "gone"}
	others := []item.Attribute{
		text("HELD"), text("FREE"), text(""), number("9"), number("9.0"), number("10"), number("-1"),
		{Value: item.BoolValue(true)}, {},
		{Name: "status"}, {Name: "same"}, {Name: "n"}, {Name: "m"}, {Name: "gone"}, {Name: "gone too"},
	}
	held := 0
	for op := predicate.Equal; op <= predicate.In; op++ {
		for _, name := range names {
			for i, other := range others {
				values := []item.Attribute{other}
				if op == predicate.In {
					values = append(values, others[(i+1)%len(others)])
				}
				c := write.IfCompares(name, op, values...)
				_, err := transact(t, e, write.CheckItem(keyOf("A"), c), write.DeleteItem(keyOf("none")))
				var failed *write.ConditionError
				if err != nil && !errors.As(err, &failed) {
					t.Errorf("%s %s %v: %v", name, op, values, err)
				} else if holds := err == nil; holds != c.Holds(it) {
					t.Errorf("%s %s %v: DynamoDB says %v", name, op, values, holds)
				} else if holds {
					held++
				}
			}
		}
	}
	if held < 50 {
		t.Errorf("only %d comparisons hold", held)
	}
	if _, err := transact(t, e, write.CheckItem(keyOf("C"), write.IfCompares("n", predicate.NotEqual, number("1"))),
		write.DeleteItem(keyOf("none"))); err == nil {
		t.Error("a comparison holds for an item that does not exist")
	}
}
