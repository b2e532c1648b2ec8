package gateway_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/testservice"
)

// overHTTP serves the library, with live data.
func overHTTP(t *testing.T, configure func(*gateway.Config)) (*library, string) {
	t.Helper()
	var config gateway.Config
	l := startLibrary(t, setup{config: func(c *gateway.Config) {
		if configure != nil {
			configure(c)
		}
		config = *c
	}}, slices.Concat(book(1, "One"))...)
	return l, serve(t, config)
}

// bookByID is the JSON of a request for the state of a book, after a position if there is one.
func bookByID(t *testing.T, position string) string {
	t.Helper()
	request := map[string]any{"query": testservice.Encoded(`subscription Title { book(id: "Book:b001") { title } }`)}
	if position != "" {
		request["extensions"] = map[string]any{"live": map[string]any{"position": position}}
	}
	text, err := json.Marshal(request)
	fatal.If(t, err)
	return string(text)
}

// TestTransportsOfChanges: a subscription that begins on one transport continues on another one, after the position of
// what it has got.
func TestTransportsOfChanges(t *testing.T) {
	l, server := overHTTP(t, nil)
	c := ready(t, server)
	c.send(subscribing("1", bookByID(t, "")))
	c.wants(`"data":{"book":{"title":"One"}}`, `"live":{"position":"`)
	l.Put(t, book(1, "Second")...)
	var next struct {
		Payload struct {
			Data       json.RawMessage
			Extensions struct{ Live struct{ Position string } }
		}
	}
	err := json.Unmarshal(<-c.messages, &next)
	if err != nil || string(next.Payload.Data) != `{"book":{"title":"Second"}}` {
		t.Fatalf("got %+v, %v", next, err)
	}
	c.send(`{"id":"1","type":"complete"}`)
	l.Put(t, book(1, "Third")...)

	position := next.Payload.Extensions.Live.Position
	s := open(t, server, bookByID(t, ""), "Accept", "text/event-stream", "Last-Event-ID", position)
	s.wants("event: next\nid: ", `"data":{"book":{"title":"Third"}}`)
	c.send(subscribing("1", bookByID(t, position)))
	c.wants(`"data":{"book":{"title":"Third"}}`)
	c.send(subscribing("2", bookByID(t, "of nobody")))
	c.wants(`{"id":"2","type":"error"`, "POSITION_EXPIRED")

	parts := open(t, server, bookByID(t, ""), "Accept", apolloAccept)
	reader := bufio.NewReader(parts.reader)
	for line := ""; !strings.Contains(line, `{"payload":{"data":{"book":{"title":"Third"}},`); {
		var err error
		if line, err = reader.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
}

// TestManifestOfSubscriptions: a gateway with a list executes no other subscriptions.
func TestManifestOfSubscriptions(t *testing.T) {
	listed, err := json.Marshal(testservice.Encoded(`subscription Title { book(id: "Book:b001") { title } }`))
	fatal.If(t, err)
	_, server := overHTTP(t, func(c *gateway.Config) {
		file := `{"format":"apollo-persisted-query-manifest","version":1,"operations":[
			{"id":"title","name":"Title","type":"subscription","body":` + string(listed) + `}]}`
		if c.Documents.Manifest, err = document.ParseManifest([]byte(file), c.Schema.Schema()); err != nil {
			t.Fatal(err)
		}
	})
	c := ready(t, server)
	c.send(subscribing("1", `{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"title"}}}`))
	c.wants(`"data":{"book":{"title":"One"}}`)
	c.send(subscribing("2", strings.Replace(bookByID(t, ""), "title", "id", 1)))
	c.wants(`{"id":"2","type":"error"`, "QUERY_NOT_IN_SAFELIST")
	s := open(t, server, strings.Replace(bookByID(t, ""), "title", "id", 1), "Accept", "text/event-stream")
	if s.response.StatusCode != http.StatusOK {
		t.Errorf("got %d", s.response.StatusCode)
	}
	s.wants("event: next\n", "QUERY_NOT_IN_SAFELIST")
}
