package crowd

import (
	"fmt"
	"syscall"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/subscriber"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/viewer"
)

// TestStopWithSubscribers: a gateway stops although its table does not answer any more, while subscribers wait for an
// event, for a first state and for a replay, and although it cannot store how far it has read the stream.
func TestStopWithSubscribers(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, tableSchema())
	settings := []string{
		"DYNAMODB_ENDPOINT=" + e.Proxy.URL(), "CURSOR_SECRET=the same for all gateways, 32 bytes or more",
	}
	first := processtest.Start(t, settings...)
	conn := dial(t, first)
	position := firstState(t, conn)
	conn.Cut()
	first.Signal(t, syscall.SIGTERM)
	first.WantExit(t, "exit status 0", "")

	p := processtest.Start(t, settings...)
	conn = dial(t, p)
	firstState(t, conn)
	reads := e.Proxy.Hold(func(r tabletest.Request) bool { return r.Operation == "Query" })
	defer reads.Release()
	replays := e.Proxy.Hold(func(r tabletest.Request) bool { return r.Operation == "DescribeTable" })
	defer replays.Release()
	ask(t, conn, "state", "")
	ask(t, conn, "resumes", position)
	<-reads.Arrived()
	<-replays.Arrived()
	all := e.Proxy.Hold(func(tabletest.Request) bool { return true })
	defer all.Release()
	<-all.Arrived()
	go func() {
		for {
			if _, err := conn.Receive(t.Context()); err != nil {
				return // the gateway has closed the connection
			}
		}
	}()
	p.Signal(t, syscall.SIGTERM)
	p.WantExit(t, "exit status 0", "")
}

// dial opens a WebSocket of the staff.
func dial(t *testing.T, p *processtest.Process) subscriber.Connection {
	t.Helper()
	authorization, err := authorizationOf(viewer.Viewer{ID: "admin1", Roles: []string{"ADMIN"}})
	fatal.If(t, err)
	conn, err := subscriber.Dial(t.Context(), p.URL+"/graphql", authorization)
	fatal.If(t, err)
	t.Cleanup(conn.Cut)
	return conn
}

// ask subscribes to pending orders.
func ask(t *testing.T, conn subscriber.Connection, id, position string) {
	t.Helper()
	s := subscribe(liveStatus, "PENDING", 1)
	s.position = position
	fatal.If(t, conn.Subscribe(t.Context(), id, s.request()))
}

// firstState subscribes, as soon as the stream is read. It returns the position of the first state.
func firstState(t *testing.T, conn subscriber.Connection) (position string) {
	t.Helper()
	for attempt := 0; ; attempt++ {
		ask(t, conn, fmt.Sprint(attempt), "")
		m, err := conn.Receive(t.Context())
		switch {
		case err != nil:
			t.Fatal(err)
		case m.Code() == "":
			return m.Extensions.Live.Position
		case m.Code() != "UNAVAILABLE":
			t.Fatal(m.Errors)
		}
	}
}
