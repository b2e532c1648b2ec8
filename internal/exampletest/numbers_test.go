package exampletest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/partita/partita/internal/exampletest"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/viewer"
)

// numbers is the folder of objects with numbers that follow from others.
const numbers = "testdata/numbers"

// many lets n callers do something at the same time, each after its own number, while the table throttles and loses
// answers. What they leave is consistent.
func many(t *testing.T, folder string, n int, do func(s *exampletest.Service, n int)) *exampletest.Service {
	t.Helper()
	s := exampletest.Open(t, folder).Serve(t)
	s.Engine.Proxy.Inject(tabletest.Faults{Throttled: 0.05, Failed: 0.02, Conflict: 0.05, Lost: 0.03})
	var callers sync.WaitGroup
	for i := range n {
		callers.Go(func() { do(s, i) })
	}
	callers.Wait()
	s.Engine.Proxy.Inject(tabletest.Faults{})
	s.Check(t)
	return s
}

// mutate sends a mutation without its selection, and returns the answer.
func mutate(t *testing.T, s *exampletest.Service, format string, values ...any) string {
	t.Helper()
	return s.SendAs(t, viewer.Viewer{}, "mutation { "+fmt.Sprintf(format, values...)+" { userErrors { code } } }")
}

// TestNumbersOfMany: whatever many callers do at the same time, while the table throttles and loses answers, the
// numbers are those of what is stored.
func TestNumbersOfMany(t *testing.T) {
	t.Parallel()
	s := many(t, numbers, 24, func(s *exampletest.Service, n int) {
		event, status := []string{"gala", "fair"}[n%2], []string{"GONE", "HELD", "WAITING"}[n%3]
		mutate(t, s, `createBooking(input: { eventId: "Event:gala", price: %d, status: HELD, idempotencyKey: "%[1]d" })`, n)
		mutate(t, s, `pay(input: { id: "Booking:b" })`)
		mutate(t, s, `updateBooking(input: { id: "Booking:b", price: %d, eventId: "Event:%s" })`, n, event)
		mutate(t, s, `updateBooking(input: { id: "Booking:b", status: %s })`, status)
	})
	if body, _ := s.Send(t, `{ event(id: "Event:gala") { bookingCount } }`); strings.Contains(body, `"bookingCount":0`) {
		t.Error(body)
	}
}

// TestNumbersInCopies: the copies of an object have its numbers, wherever they move meanwhile.
func TestNumbersInCopies(t *testing.T) {
	t.Parallel()
	s := many(t, numbers, 16, func(s *exampletest.Service, n int) {
		mutate(t, s, `createTask(input: { personId: "Person:eve", hours: %d, isDone: false, idempotencyKey: "%[1]d" })`, n)
		mutate(t, s, `move(input: { personId: "Person:eve", city: "City%d", idempotencyKey: "%d" })`, n%5, n)
	})
	body, _ := s.Send(t, `{ node(id: "Person:eve") { ... on Person { taskCount } } }`)
	if strings.Contains(body, `"taskCount":0`) {
		t.Error(body)
	}
}

// TestNumbersOnDemand: of many who would create an object, one does, and the others change it.
func TestNumbersOnDemand(t *testing.T) {
	t.Parallel()
	s := many(t, numbers, 24, func(s *exampletest.Service, n int) {
		mutate(t, s, `visitTwice(input: { day: "2026-07-0%d", idempotencyKey: "%d" })`, 1+n%3, n)
	})
	body, _ := s.Send(t, `{ days(first: 9) { nodes { visits spent } } }`)
	if strings.Count(body, `"visits"`) != 3 {
		t.Error(body)
	}
}

// TestNumbersInSequence: whatever many create and delete at the same time, no number is given twice, and none is left
// out.
func TestNumbersInSequence(t *testing.T) {
	t.Parallel()
	s := many(t, numbers, 12, func(s *exampletest.Service, n int) {
		create := `createIssue(input: { projectId: "Project:p", title: "x", isOpen: true, idempotencyKey: "%d" })`
		if n%3 == 0 {
			create = `addTwo(input: { projectId: "Project:p", title: "x", idempotencyKey: "%d" })`
		}
		mutate(t, s, create, n)
	})
	var got struct {
		Data struct {
			Node struct {
				LastNumber int
				Issues     struct{ Nodes []struct{ Number int } }
			}
		}
	}
	body, _ := s.Send(t, `{ node(id: "Project:p") { ... on Project {
		lastNumber issues(first: 50) { nodes { number } } } } }`)
	if err := json.Unmarshal([]byte(body), &got); err != nil || len(got.Data.Node.Issues.Nodes) < 8 {
		t.Fatal(body, err)
	}
	project := got.Data.Node
	for i, issue := range project.Issues.Nodes {
		if issue.Number != i+1 {
			t.Errorf("number %d is in place %d", issue.Number, i+1)
		}
	}
	if project.LastNumber != len(project.Issues.Nodes) {
		t.Error(body)
	}
}

// TestNumbersWithin: however many callers want one of few seats and pay for them, and however the limits change
// meanwhile, no limit is exceeded at any time.
func TestNumbersWithin(t *testing.T) {
	t.Parallel()
	var held atomic.Int32
	many(t, numbers, 32, func(s *exampletest.Service, n int) {
		hold := `createBooking(input: { eventId: "Event:gala", status: BOOKED, price: 9, idempotencyKey: "%d" })`
		if n%3 == 0 {
			hold = `holdTwo(input: { eventId: "Event:gala", price: 9, idempotencyKey: "%d" })`
		}
		if strings.Contains(mutate(t, s, hold, n), `"userErrors":[]`) {
			held.Add(1)
		}
		mutate(t, s, `updateEvent(input: { id: "Event:gala", seats: %d, budget: %d })`, 4+n%5, 20+n%7)
		var got struct {
			Data struct {
				Event struct{ Seats, Taken, Budget, Takings int }
			}
		}
		body := s.SendAs(t, viewer.Viewer{}, `{ event(id: "Event:gala") { seats taken budget takings } }`)
		e := &got.Data.Event
		if err := json.Unmarshal([]byte(body), &got); err == nil && (e.Taken > e.Seats || e.Takings > e.Budget) {
			t.Error(body)
		}
	})
	if n := held.Load(); n < 2 || n > 8 {
		t.Errorf("%d bookings", n)
	}
}

// TestNumbersRepaired: numbers that are wrong are found and set.
func TestNumbersRepaired(t *testing.T) {
	t.Parallel()
	s := exampletest.Open(t, numbers).Serve(t)
	wrong := strings.NewReplacer(`"taskCount":{"N":"0"}`, `"taskCount":{"N":"2"}`,
		`"taken":{"N":"1"}`, `"taken":{"N":"3"}`, `"takings":{"N":"0"}`, `"takings":{"N":"7"}`,
		`"HELD"`, `"BOOKED"`)
	s.Engine.LoadLines(t, strings.NewReader(wrong.Replace(s.Data(t))))
	for _, key := range []string{`"PK":{"S":"ISSUE#i"},"SK":{"S":"ISSUE#i"}`,
		`"PK":{"S":"PROJECT#p"},"SK":{"S":"ISSUE#000007#i"}`} {
		s.Engine.LoadLines(t, strings.NewReader(`{"Item":{`+key+`,"entityType":{"S":"Issue"},"id":{"S":"i"},`+
			`"projectId":{"S":"p"},"number":{"N":"7"},"isOpen":{"BOOL":false},"title":{"S":"x"}}}`))
	}
	s.Engine.LoadLines(t, strings.NewReader(`{"Item":{"PK":{"S":"DAY#2026-01-01"},"SK":{"S":"VISIT#v"},`+
		`"entityType":{"S":"Visit"},"id":{"S":"v"},"day":{"S":"2026-01-01"},"spent":{"N":"9"}}}`))
	source, options := admin.Scanner{Table: s.Engine.Table}, check.Options{Design: s.Schema.Design}
	report, err := check.Table(t.Context(), source, options)
	var found []string
	for _, v := range report.Violations {
		found = append(found, v.Where()+": "+v.Problem)
	}
	slices.Sort(found)
	want := []string{
		"DAY#2026-01-01 VISIT#v: there is no Day DAY#2026-01-01 DAY that counts it",
		"EVENT#fair EVENT#fair: taken is 3; Event.bookings has 1 where status in [HELD, BOOKED]",
		"EVENT#fair EVENT#fair: takings is 7; Event.bookings has 30 in all as price where status = BOOKED",
		"EVENT#gala EVENT#gala: takings is 7; Event.bookings has 0 in all as price where status = BOOKED",
		"ISSUE#i ISSUE#i: number is 7, and the last one is 0 of PROJECT#p PROJECT#p",
		"PERSON#eve PERSON#eve: taskCount is 2; Person.tasks has 0",
	}
	if err != nil || !slices.Equal(found, want) {
		t.Errorf("found %q, %v", found, err)
	}
	left, err := check.Repair(t.Context(), source, options)
	if err != nil || !left.Clean() || len(left.Repaired) != len(want) {
		t.Errorf("left %+v, %v", left, err)
	}
	s.Check(t)
}
