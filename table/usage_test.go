package table_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/hotkeys"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// TestUsage: the partition keys that consume most are listed with their units, which are in total those that DynamoDB
// has reported.
func TestUsage(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	var used hotkeys.Usage
	table := e.Table.WithUsage(&used)
	ctx := t.Context()
	var reported request.Result
	add := func(r request.Result, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		reported.ReadUnits += r.ReadUnits
		reported.WriteUnits += r.WriteUnits
	}
	stored := func(pk string, kilobytes int, pairs ...string) item.Item {
		return tabletest.Stored(pk, "S", append(pairs, "text", strings.Repeat("x", 1000*kilobytes))...)
	}
	do := func(actions ...write.Action) {
		t.Helper()
		add(table.TransactWriteItems(ctx, write.Transaction{Actions: actions}))
	}
	again := write.Action{
		Kind: write.ActionUpdate, Key: keyOf("A"), Set: item.Item{{Name: "version", Value: item.StringValue("2")}},
		If: []write.Precondition{write.IfEquals("version", item.StringValue("1"))},
	}
	do(write.PutItem(stored("A", 5, "GSI1PK", "X", "GSI1SK", "A", "version", "1"), write.IfMissing())) // A 5, X 5
	do(write.PutItem(stored("B", 0, "GSI1PK", "Y", "GSI1SK", "B"), write.IfMissing()))                 // B 1, Y 1
	do(again)                                                                                          // A 5, X 5
	do(write.PutItem(stored("C", 3), write.IfMissing()), increment("A"))                               // C 6; A 10, X 5
	do(write.DeleteItem(keyOf("B"), write.IfExists()))                                                 // B 1 and Y's 1
	add(table.GetItem(ctx, request.GetItem{Key: keyOf("A"), Consistent: true}))                        // A 2
	add(table.Query(ctx, request.Query{Index: "GSI1", PK: "X"}))                                       // X 1
	add(table.BatchGetItem(ctx, request.BatchGetItem{Keys: []keys.Key{keyOf("A"), keyOf("C")}}))       // 1 and 0.5, evenly
	list := func(s *hotkeys.Units) (lines []string, total float64) {
		top, missing := s.Top(10)
		for _, c := range top {
			lines = append(lines, fmt.Sprintf("%s %s %g", c.Index, c.Key, c.Least()))
			total += c.Most
		}
		if missing != 0 {
			t.Errorf("missing %v", missing)
		}
		return lines, total
	}
	reads, readUnits := list(&used.Reads)
	writes, writeUnits := list(&used.Writes)
	if diff := cmp.Diff([][]string{
		{" A 2.75", "GSI1 X 1", " C 0.75"}, {" A 25", "GSI1 X 10", " C 6", " B 3", "GSI1 Y 1"},
	}, [][]string{reads, writes}); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if readUnits != reported.ReadUnits || writeUnits != reported.WriteUnits {
		t.Errorf("%v and %v units, reported %v and %v", readUnits, writeUnits, reported.ReadUnits, reported.WriteUnits)
	}
}
