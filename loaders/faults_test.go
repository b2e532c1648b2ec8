package loaders_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/internal/testservice/graph/model"
	"github.com/partita/partita/internal/testservice/graph/typed"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
)

// TestFaultsLeaveNoTrace: an operation whose requests succeed after retries has the same answer as without faults.
func TestFaultsLeaveNoTrace(t *testing.T) {
	t.Parallel()
	testservice.Start(t).EachExecutor(t, func(t *testing.T, s *testservice.Service) {
		query, variables := testservice.BusyQuery()
		want := s.Must(t, query, variables)
		for name, faults := range map[string]tabletest.Faults{
			"30 % of keys unprocessed":      {Unprocessed: 0.3},
			"30 % of requests throttled":    {Throttled: 0.3},
			"15 % of connections reset":     {Reset: 0.15},
			"15 % of requests failed":       {Failed: 0.15},
			"pages that end after one item": {PageSize: 1},
			"pages that end after 7 items":  {PageSize: 7},
			"all of it":                     {Unprocessed: 0.3, Throttled: 0.3, Reset: 0.05, PageSize: 3},
		} {
			t.Run(name, func(t *testing.T) {
				for seed := range uint64(2) {
					faults.Seed = seed
					s.Proxy.Reset()
					s.Proxy.Inject(faults)
					got := s.Must(t, query, variables)
					s.Proxy.Inject(tabletest.Faults{})
					if !reflect.DeepEqual(got.Data, want.Data) {
						t.Errorf("seed %d: the answer differs from that without faults", seed)
					}
					c := s.Proxy.Counts()
					if faults.PageSize == 0 && c.Throttled+c.Failed+c.ResetConnections+c.Unprocessed == 0 {
						t.Errorf("seed %d: no fault was injected", seed)
					}
				}
			})
		}
	})
}

// TestOneFailureIsOneError: a request that finally fails is an error on exactly the fields that needed it.
func TestOneFailureIsOneError(t *testing.T) {
	t.Parallel()
	testservice.Start(t).EachExecutor(t, func(t *testing.T, s *testservice.Service) {
		const query = `{ reader(id: "Reader:r001") {
			name loans(first: 2) { nodes { id } } recommendations(first: 2) { edges { madeAt } } latestLoan { state }
		} }`
		for _, tt := range []struct {
			name   string
			faults tabletest.Faults
			code   string
			// logged is the cause in the log.
			logged string
		}{
			{"throttled", tabletest.Faults{Throttled: 1}, "THROTTLED", "ProvisionedThroughputExceededException"},
			{"reset", tabletest.Faults{Reset: 1}, "UNAVAILABLE", "the endpoint is unavailable"},
			{
				"access denied", tabletest.Faults{ErrorCode: "AccessDeniedException"},
				"INTERNAL_SERVER_ERROR", "AccessDeniedException",
			},
		} {
			t.Run(tt.name, func(t *testing.T) {
				tt.faults.Only = func(r tabletest.Request) bool { return strings.Contains(r.Text, "RECOMMENDS#") }
				s.Proxy.Inject(tt.faults)
				defer s.Proxy.Inject(tabletest.Faults{})
				s.Log.Take()
				a := s.Ask(t, query, nil)
				if log := s.Log.Take(); !strings.Contains(log, tt.logged) ||
					!strings.Contains(log, "path=reader.recommendations") {
					t.Errorf("the log is %q, want the path and %q", log, tt.logged)
				}
				if len(a.Errors) != 1 || fmt.Sprint(a.Errors[0].Path) != "[reader recommendations]" ||
					a.Errors[0].Extensions.Code != tt.code {
					t.Fatalf("errors %+v, want one on reader.recommendations with code %s", a.Errors, tt.code)
				}
				for _, path := range [][]any{{"name"}, {"loans", "nodes", 1, "id"}, {"latestLoan", "state"}} {
					if gatewaytest.At(t, a.Data, append([]any{"reader"}, path...)...) == nil {
						t.Errorf("reader.%v has no answer: %v", path, a.Data)
					}
				}
				for _, secret := range []string{"partita", "dynamo", "DynamoDB", "127.0.0.1", "READER#"} {
					if strings.Contains(a.Errors[0].Message, secret) {
						t.Errorf("the message %q contains %q", a.Errors[0].Message, secret)
					}
				}
			})
		}
	})
}

// TestSlowRequest: a request without a response is an error of its own fields only. The operation ends at its
// deadline, and the request with it.
func TestSlowRequest(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t, func(c *gateway.Config, _ *loaders.Options) { c.OperationTimeout = 5 * time.Second })
	s.EachExecutor(t, func(t *testing.T, s *testservice.Service) {
		hold := s.Proxy.Hold(func(r tabletest.Request) bool { return strings.Contains(r.Text, "RECOMMENDS#") })
		defer hold.Release()
		a := s.Ask(t, `{ reader(id: "Reader:r001") { name recommendations(last: 2) { edges { madeAt } } } }`, nil)
		if len(a.Errors) != 1 || fmt.Sprint(a.Errors[0].Path) != "[reader recommendations]" ||
			a.Errors[0].Extensions.Code != "TIMEOUT" {
			t.Errorf("errors %+v, want a TIMEOUT on reader.recommendations", a.Errors)
		} else if !strings.HasPrefix(a.Errors[0].Message, "the table did not answer in time") {
			t.Errorf("the message is %q, but it was the table that took the time", a.Errors[0].Message)
		}
		if gatewaytest.At(t, a.Data, "reader", "name") == nil {
			t.Errorf("the name has no answer: %v", a.Data)
		}
		select {
		case <-hold.Left():
		case <-time.After(20 * time.Second): // an attempt alone may take 30 s
			t.Error("the request goes on after its operation")
		}
	})
}

// TestPageBeyondOneMegabyte: a Query ends at 1 MB; the page is still whole, and items larger than their type's
// maxBytes are logged.
func TestPageBeyondOneMegabyte(t *testing.T) {
	t.Parallel()
	testservice.Start(t).EachExecutor(t, func(t *testing.T, s *testservice.Service) {
		s.BeyondDesign = true
		loan := keys.NewID("Loan", "large")
		for number := range 90 {
			items := testservice.Stored(typed.StoredReminder, &model.Reminder{
				LoanID: loan, ReaderID: testservice.Reader(1), Number: number + 1,
				Batch: "LARGE", SentAt: testservice.Opened, Text: "?",
			})
			for _, it := range items {
				for i := range it {
					if it[i].Name == "text" {
						it[i].Value.Text = strings.Repeat("x", 20_000)
					}
				}
			}
			s.Load(t, items...)
		}
		s.Log.Take()
		a := s.Must(t, `{ node(id: "Reminder:large/1") { ... on Reminder { text } } }`, nil)
		if text := fmt.Sprint(gatewaytest.At(t, a.Data, "node", "text")); len(text) != 20_000 {
			t.Errorf("a text of %d bytes", len(text))
		}
		if log := s.Log.Take(); !strings.Contains(log, "larger than its type's maxBytes") ||
			!strings.Contains(log, "type=Reminder pk=LOAN#large sk=REMINDER#001 ") {
			t.Errorf("the log is %q, want the item's key and size", log)
		}
		a = s.Must(t, `{ remindersByBatch(batch: "LARGE", first: 100) {
			edges { node { number } } pageInfo { hasNextPage }
		} }`, nil)
		edges, _ := gatewaytest.At(t, a.Data, "remindersByBatch", "edges").([]any)
		if len(edges) != 90 || gatewaytest.At(t, a.Data, "remindersByBatch", "pageInfo", "hasNextPage") != false {
			t.Errorf("%d edges, want 90 and no more", len(edges))
		}
		if cost := a.Extensions.Cost; cost.Requests != 2 {
			t.Errorf("%d requests, want 2: 1.8 MB are two pages", cost.Requests)
		}
	})
}
