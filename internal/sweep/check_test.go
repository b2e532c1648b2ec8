package sweep_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/write"
)

// TestCheck: what is below an object that does not exist is reported, and a tombstone that the list lacks is put into
// it.
func TestCheck(t *testing.T) {
	t.Parallel()
	d := read(t, chat)
	w := &world{tabletest.Start(t, table.SchemaOf(d)), d, t.Context}
	w.fill(t, "go", 1)
	w.must(t, "deleteChannel", "id", channelID("go"), "version", 1)
	for _, at := range w.left(t) {
		if sk, is := strings.CutPrefix(at, "DELETED "); is {
			w.write(t, write.DeleteItem(keys.Key{PK: "DELETED", SK: keys.SK(sk)}))
		}
	}
	key := keys.Key{PK: "CHANNEL#go", SK: "CHANNEL"}
	w.write(t, write.Action{
		Kind: write.ActionUpdate, Key: key, Type: "Channel",
		Set: item.Item{{Name: "topic", Value: item.StringValue("left")}},
	})
	w.Load(t, item.Item{
		{Name: keys.AttributePK, Value: item.StringValue("PINS#none")},
		{Name: keys.AttributeSK, Value: item.StringValue("PIN#x")},
		{Name: item.EntityType, Value: item.StringValue("Pin")},
		{Name: "channel", Value: item.StringValue("none")}, {Name: "title", Value: item.StringValue("x")},
	})
	report, err := check.Repair(w.ctx(), admin.Scanner{Table: w.Table}, check.Options{Design: w.d})
	if err != nil {
		t.Fatal(err)
	}
	var left, repaired []string
	for _, v := range report.Violations {
		left = append(left, fmt.Sprintf("%s %s: %s", v.Kind, v.Where(), v.Problem))
	}
	for _, v := range report.Repaired {
		repaired = append(repaired, fmt.Sprintf("%s %s: %s", v.Kind, v.Where(), v.Fix))
	}
	if diff := cmp.Diff([]string{
		"REFERENCE_BROKEN PINS#none PIN#x: it is one of Channel.pins of CHANNEL#none CHANNEL, which does not exist",
	}, left); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{
		"TOMBSTONE_WRONG CHANNEL#go CHANNEL: make it as its deletion does", "TOMBSTONE_WRONG CHANNEL#go CHANNEL: put it",
	}, repaired); diff != "" {
		t.Error(diff)
	}
	if totals := w.sweep(t); totals.Removed["Channel"] != 1 {
		t.Errorf("removed %s", totals)
	}
}

// write carries out an action by itself.
func (w *world) write(t *testing.T, a write.Action) {
	t.Helper()
	if _, err := w.Table.TransactWriteItems(w.ctx(), write.Transaction{Actions: []write.Action{a}}); err != nil {
		t.Fatal(err)
	}
}

// TestAction: a step that deletes an object leaves what is below it to the sweep, together with the other steps.
func TestAction(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.fill(t, "go", 1)
	w.sent()
	w.must(t, "closeChannel", "channelId", channelID("go"), "why", "over")
	counts := w.Proxy.Counts()
	log := w.sent()
	work := write.WorkloadOf(w.d, w.d.Mutation("closeChannel"), nil)
	if counts.WriteUnits > float64(work.Units()) || counts.ReadUnits > work.ReadUnits || work.Items() != 5 ||
		!strings.Contains(log, "Put DELETED ") || !strings.Contains(log, "Put CLOSING#") {
		t.Errorf("%v of %d units; sent %s", counts.WriteUnits, work.Units(), log)
	}
	if got, err := w.try("createPin", "channel", "go", "title", "c"); !strings.HasPrefix(got, "NOT_FOUND") || err != nil {
		t.Errorf("a creation: %s, %v", got, err)
	}
	if got, err := w.try("closeChannel", "channelId", channelID("go"), "why", "again"); !strings.HasPrefix(got,
		"NOT_FOUND") || err != nil {
		t.Errorf("again: %s, %v", got, err)
	}
	totals := w.sweep(t)
	if left := w.left(t); len(left) != 1 || totals.Removed["Channel"] != 1 {
		t.Errorf("removed %s, left are %v", totals, left)
	}
}
