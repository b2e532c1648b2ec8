package exampletest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/partita/partita/internal/gateway/subscriber"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/viewer"
)

// sockets are connections of viewers, one of each. They stay open, so that what is decided once for a connection would
// be seen.
type sockets struct {
	url         string
	connections map[string]subscriber.Connection
	sent        int
}

func newSockets(tb testing.TB, handler http.Handler) *sockets {
	tb.Helper()
	server := httptest.NewServer(handler)
	s := &sockets{url: server.URL + "/graphql", connections: map[string]subscriber.Connection{}}
	tb.Cleanup(func() {
		for _, connection := range s.connections {
			connection.Cut()
		}
		server.Close()
	})
	return s
}

// send returns the data and the errors of the response to a query or a mutation.
func (s *sockets) send(tb testing.TB, v viewer.Viewer, document string) (body string) {
	tb.Helper()
	by := gatewaytest.Authorization(v)
	connection, is := s.connections[by]
	if !is {
		var err error
		if connection, err = subscriber.Dial(tb.Context(), s.url, by); err != nil {
			tb.Fatal(err)
		}
		s.connections[by] = connection
	}
	s.sent++
	id := fmt.Sprint(s.sent)
	if err := connection.Subscribe(tb.Context(), id, subscriber.Request{Query: document}); err != nil {
		tb.Fatal(err)
	}
	for {
		m, err := connection.Receive(tb.Context())
		if err != nil {
			tb.Fatalf("%s: %v", document, err)
		}
		if m.ID != id {
			tb.Fatalf("%s: the message is for %s, not for %s", document, m.ID, id)
		}
		body += fmt.Sprintf("%s %+v", m.Data, m.Errors)
		if m.Ended {
			return body
		}
	}
}
