package check_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
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
	report := must(check.Repair(t.Context(), &intercepted{Scanner: e.Scanner, scanned: earlier}, options()))
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
	report := must(check.Table(t.Context(), source, options()))
	want := "COUNTER_WRONG PERSON#b PERSON#b: teamCount is 6; Person.teams has 4\n    set it to the count"
	if diff := cmp.Diff([]string{want}, describe(report.Violations)); diff != "" {
		t.Error(diff)
	}
}

// TestWritesWithinRounds: others write between the same two reads of each round, so that each finds the same
// difference. It is not reported while they do, and what is wrong is reported once they have stopped.
func TestWritesWithinRounds(t *testing.T) {
	person, task := keyOf("PERSON#b", "PERSON#b"), keyOf("TASK#k", "TASK#k")
	teams, copied := keyOf("PERSON#b", "MEMBER_OF#"), keyOf("TEAM#t", "TASK#2026-01-02T00:00:00.000Z#k")
	// join adds the n-th of other teams, and sets the counter to a number that is too high by excess.
	join := func(c content, n, excess int) {
		team := "t" + strconv.Itoa(n)
		member := with(c[keyOf("PERSON#b", "MEMBER_OF#t")], "SK=MEMBER_OF#"+team, "teamId="+team)
		c[keys.KeyOf(member)] = member
		c[person] = with(c[person], "teamCount:="+strconv.Itoa(1+n+excess))
	}
	rename := func(c content, n int) {
		for _, key := range []keys.Key{task, copied} {
			c[key] = with(c[key], "title=Title"+strconv.Itoa(n))
		}
	}
	for name, tt := range map[string]struct {
		damage string
		key    keys.Key
		// second is what is read after the item: another item, or the sort keys of a
		// collection.
		second keys.Key
		write  func(c content, n int)
		want   []string
	}{
		"a counter": {
			"set PERSON#b PERSON#b teamCount:=1", person, teams, func(c content, n int) { join(c, n, 0) }, nil,
		},
		"a wrong counter": {
			"set PERSON#b PERSON#b teamCount:=3", person, teams, func(c content, n int) { join(c, n, 2) },
			[]string{"COUNTER_WRONG PERSON#b PERSON#b: teamCount is 9; Person.teams has 7\n    set it to the count"},
		},
		"a copy": {"set " + string(copied.PK) + " " + string(copied.SK) + " title=Old", task, copied, rename, nil},
	} {
		for _, stops := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, stops %v", name, stops), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					m := &memory{content: sound(t)}
					m.damage(t, tt.damage)
					writes := 0
					m.before = func(read keys.Key) {
						if read == tt.second && (!stops || writes < 6) {
							writes++
							tt.write(m.content, writes)
						}
					}
					report := must(check.Table(t.Context(), m, options()))
					var violations []string
					unconfirmed := []keys.Key{tt.key}
					if stops {
						violations, unconfirmed = tt.want, nil
					}
					if got := describe(report.Violations); !slices.Equal(got, violations) {
						t.Errorf("found %q", got)
					}
					if !slices.Equal(report.Unconfirmed, unconfirmed) {
						t.Errorf("unconfirmed: %v", report.Unconfirmed)
					}
					if writes < 6 {
						t.Errorf("%d writes", writes)
					}
				})
			})
		}
	}
}

// TestCostOfConfirmation: the item is read again at the end of a round only if the round has other reads.
func TestCostOfConfirmation(t *testing.T) {
	for damage, requests := range map[string]int{
		"put ODD#1 ODD#1 entityType=Odd":                                     1 + 4*1,
		"put PERSON#a MEMBER_OF#x entityType=Membership personId=a teamId=x": 2 + 4*3,
	} {
		m := &memory{content: content{}}
		m.damage(t, damage)
		report, err := check.Table(t.Context(), m, options())
		if err != nil || len(report.Violations) != 1 || report.Cost.Requests != requests {
			t.Errorf("%s: %+v, %v, want %d requests", damage, report, err, requests)
		}
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
	report := must(check.Repair(t.Context(), source, options()))
	if len(report.Repaired) > 0 || len(report.Violations) == 0 || report.Violations[0].Kind != check.IndexEntryWrong {
		t.Errorf("repaired %q, left %q", describe(report.Repaired), describe(report.Violations))
	}
	if changes < 20 {
		t.Errorf("it gave up after %d attempts", changes)
	}
}
