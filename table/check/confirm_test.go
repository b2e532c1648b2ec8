package check_test

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders/request"
	"github.com/partita/partita/table/admin"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/write"
)

// intercepted is a table in which others write before certain requests.
type intercepted struct {
	admin.Scanner
	beforeGet      func(key keys.Key)
	beforeTransact func()
	// scanned replaces the items of the Scan, as if they had been read earlier.
	scanned content
}

func (s *intercepted) Scan(ctx context.Context, r admin.Scan) (request.Result, error) {
	result, err := s.Scanner.Scan(ctx, r)
	if s.scanned != nil {
		result.Items = s.scanned.inOrder()
	}
	return result, err
}

func (s *intercepted) GetItem(ctx context.Context, r request.GetItem) (request.Result, error) {
	if s.beforeGet != nil {
		s.beforeGet(r.Key)
	}
	return s.Scanner.GetItem(ctx, r)
}

func (s *intercepted) TransactWriteItems(ctx context.Context, w write.Transaction) (request.Result, error) {
	if s.beforeTransact != nil {
		s.beforeTransact()
	}
	return s.Scanner.TransactWriteItems(ctx, w)
}

// TestSuspectsAreConfirmed: what looked wrong in the Scan and is right by now is no
// violation, and an item that is gone by now has none.
func TestSuspectsAreConfirmed(t *testing.T) {
	e := start(t, sound(t))
	earlier := damaged(t)
	report, err := check.Repair(t.Context(), &intercepted{Scanner: e.Scanner, scanned: earlier}, options())
	if err != nil {
		t.Fatal(err)
	}
	if !report.Clean() || len(report.Repaired) > 0 {
		t.Errorf("got %+v", report)
	}
	if diff := cmp.Diff(sound(t).texts(), e.content(t).texts()); diff != "" {
		t.Errorf("the table has changed:\n%s", diff)
	}
}

// TestViolationEndsDuringConfirmation: an item that is put right between two rounds
// is no violation.
func TestViolationEndsDuringConfirmation(t *testing.T) {
	person := keyOf("PERSON#b", "PERSON#b")
	c := sound(t)
	right := c[person]
	c.damage(t, "set PERSON#b PERSON#b teamCount:=4")
	e := start(t, c)
	var rounds atomic.Int64
	source := &intercepted{Scanner: e.Scanner, beforeGet: func(key keys.Key) {
		if key == person && rounds.Add(1) == 3 {
			e.put(t, right)
		}
	}}
	report, err := check.Table(t.Context(), source, options())
	if err != nil || !report.Clean() {
		t.Errorf("got %+v, %v", report, err)
	}
	if n := rounds.Load(); n != 3 {
		t.Errorf("%d rounds", n)
	}
}

// TestCounterOfBusyCollection: a counter that changes together with its collection
// is wrong if the difference between them remains.
func TestCounterOfBusyCollection(t *testing.T) {
	c := sound(t)
	c.damage(t, "set PERSON#b PERSON#b teamCount:=3")
	e := start(t, c)
	person := keyOf("PERSON#b", "PERSON#b")
	teams := 1
	source := &intercepted{Scanner: e.Scanner, beforeGet: func(key keys.Key) {
		if key != person || teams == 4 {
			return
		}
		teams++
		joined := fmt.Sprintf("t%d", teams)
		e.put(t,
			with(c[person], "teamCount:="+strconv.Itoa(teams+2)),
			with(c[keyOf("PERSON#b", "MEMBER_OF#t")], "SK=MEMBER_OF#"+joined, "teamId="+joined))
	}}
	report, err := check.Table(t.Context(), source, options())
	if err != nil {
		t.Fatal(err)
	}
	want := "COUNTER_WRONG PERSON#b PERSON#b: teamCount is 6; Person.teams has 4\n    set it to the count"
	if diff := cmp.Diff([]string{want}, describe(report.Violations)); diff != "" {
		t.Error(diff)
	}
}

// TestRepairOfChangedItems checks that a repair whose item has changed since it was read is not
// carried out, and tried again with what is there then.
func TestRepairOfChangedItems(t *testing.T) {
	task := keyOf("TASK#k", "TASK#k")
	c := sound(t)
	c.damage(t, "set TASK#k TASK#k GSI1SK=wrong")
	e := start(t, c)
	changes := 0
	source := &intercepted{Scanner: e.Scanner, beforeTransact: func() {
		if changes++; changes <= 3 {
			e.put(t, with(c[task], "title=Title"+strconv.Itoa(changes)))
		}
	}}
	report, err := check.Repair(t.Context(), source, options())
	if err != nil || !report.Clean() {
		t.Fatalf("%+v, %v", report, err)
	}
	if title := e.content(t)[task].Text("title"); title != "Title3" {
		t.Errorf("a write is lost: the title is %s", title)
	}
	if left := e.check(t); !left.Clean() {
		t.Errorf("left: %q", describe(left.Violations))
	}
}

// TestRepairGivesUp: an item that has always changed is left to the next run.
func TestRepairGivesUp(t *testing.T) {
	task := keyOf("TASK#k", "TASK#k")
	c := sound(t)
	c.damage(t, "set TASK#k TASK#k GSI1SK=wrong")
	e := start(t, c)
	changes := 0
	source := &intercepted{Scanner: e.Scanner, beforeTransact: func() {
		changes++
		e.put(t, with(c[task], "title=Title"+strconv.Itoa(changes)))
	}}
	report, err := check.Repair(t.Context(), source, options())
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Repaired) > 0 || len(report.Violations) == 0 || report.Violations[0].Kind != check.IndexEntryWrong {
		t.Errorf("repaired %q, left %q", describe(report.Repaired), describe(report.Violations))
	}
	if changes < 20 {
		t.Errorf("it gave up after %d attempts", changes)
	}
}
