package gateway_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/internal/testservice/graph/model"
	"github.com/partita/partita/item"
	"github.com/partita/partita/viewer"
)

// measured serves the library to a librarian, with live data.
func measured(t *testing.T, items ...[]item.Item) (*library, string) {
	t.Helper()
	var config gateway.Config
	l := startLibrary(t, setup{config: func(c *gateway.Config) {
		c.Callers.Authenticate = func(*http.Request) (viewer.Viewer, error) { return testservice.Librarian, nil }
		config = *c
	}}, slices.Concat(items...)...)
	return l, serve(t, config)
}

func bodyOf(t *testing.T, query string) string {
	t.Helper()
	text, err := json.Marshal(map[string]string{"query": testservice.Encoded(query)})
	fatal.If(t, err)
	return string(text)
}

// measuredLine returns what an answer has in extensions.plan, by the fields that the Reads have in a plan.
func measuredLine(t *testing.T, text string, plan price.Explanation) string {
	t.Helper()
	var answer struct {
		Extensions struct {
			Cost response.Cost
			Plan struct {
				Requests []struct {
					Action    string
					ReadUnits float64
					Reads     []struct {
						ID        int
						Items     int
						ReadUnits float64
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	fields := map[int]string{}
	for _, w := range plan.Waves {
		for _, r := range w.Reads {
			fields[r.ID] = r.Field
		}
	}
	units := 0.0
	var parts []string
	for _, r := range answer.Extensions.Plan.Requests {
		units += r.ReadUnits
		for _, read := range r.Reads {
			field := fields[read.ID]
			parts = append(parts, fmt.Sprintf("%s %s: %d items, %v units", r.Action, field, read.Items, read.ReadUnits))
		}
	}
	if units != answer.Extensions.Cost.ReadUnits {
		t.Errorf("%v units are measured, the cost is %v", units, answer.Extensions.Cost.ReadUnits)
	}
	return strings.Join(parts, "; ")
}

// plansOf returns the plans of the first state and of the events of a subscription.
func plansOf(t *testing.T, server, body string) price.Explanation {
	t.Helper()
	var answer struct{ Plan price.Explanation }
	got := planOf(t, server, body)
	if err := json.Unmarshal([]byte(got.body), &answer); err != nil || answer.Plan.Event == nil {
		t.Fatalf("got %s, %v", got.body, err)
	}
	return answer.Plan
}

// TestMeasuredSubscription: the first state and each event have what their Reads have consumed, by the ids of their
// plans. A header of the request asks for it, or of a WebSocket that of connection_init.
func TestMeasuredSubscription(t *testing.T) {
	l, server := measured(t, loan(1, model.LoanStateLent), loan(2, model.LoanStateLent), book(1, "One"))
	// A strong Query, and Reads below it that are not strong.
	body := bodyOf(t, `subscription { loans(readerId: "Reader:r001", first: 2) {
		connection { nodes { book { title } } } node { id book { title } } } }`)
	plans := plansOf(t, server, body)
	state := "Query loans.connection(first: 2): 2 items, 1 units; " +
		"GetItem loans.connection(first: 2).book: 1 items, 0.5 units"
	socket := connect(t, server)
	socket.send(`{"type":"connection_init","payload":{"headers":{"partita-plan":"measured"}}}`)
	socket.wants("connection_ack")
	socket.send(subscribing("1", body))
	onSocket := func() string {
		var message struct{ Payload json.RawMessage }
		fatal.If(t, json.Unmarshal(<-socket.messages, &message))
		return string(message.Payload)
	}
	if got := measuredLine(t, onSocket(), plans); got != state {
		t.Errorf("by WebSocket, the first state has %s", got)
	}
	stream := open(t, server, body, "Accept", "text/event-stream", "Partita-Plan", "measured")
	onStream := func() string {
		_, data, _ := strings.Cut(stream.event(), "data: ")
		return data
	}
	if got := measuredLine(t, onStream(), plans); got != state {
		t.Errorf("by server-sent events, the first state has %s", got)
	}
	l.Put(t, loan(3, model.LoanStateLent)...)
	for _, next := range []func() string{onSocket, onStream} {
		// The book is read once for both.
		got := measuredLine(t, next(), *plans.Event)
		if got != "GetItem loans.book: 1 items, 0.5 units" && got != "GetItem loans.book: 1 items, 0 units" {
			t.Errorf("the event has %s", got)
		}
	}
	without := open(t, server, body, "Accept", "text/event-stream")
	if got := without.event(); strings.Contains(got, `"plan"`) {
		t.Errorf("without the header, the answer has %s", got)
	}
}

// TestMeasuredNodesOfEdges: the node of an edge is read by itself.
func TestMeasuredNodesOfEdges(t *testing.T) {
	l, server := measured(t, recommendation(1, 1, 3), book(1, "One"), book(2, "Two"))
	body := bodyOf(t, `subscription { recommendations(readerId: "Reader:r001", first: 5) {
		edge { node { title } } node { genre } } }`)
	plans := plansOf(t, server, body)
	s := open(t, server, body, "Accept", "text/event-stream", "Partita-Plan", "measured")
	s.wants(`"node":null`)
	l.Put(t, recommendation(1, 2, 4)...)
	_, data, _ := strings.Cut(s.event(), "data: ")
	if got := measuredLine(t, data, *plans.Event); got != "GetItem recommendations.node: 1 items, 0.5 units" {
		t.Errorf("the event has %s", got)
	}
}
