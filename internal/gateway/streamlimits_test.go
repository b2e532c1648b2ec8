package gateway_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/httpserver"
	"github.com/partita/partita/internal/gateway/internal/testschema"
	"github.com/partita/partita/internal/gateway/subscribe"
)

// TestFloodOfConnections: a caller has no more connections than it may, and all callers together no more than there
// are. What ends gives its place back.
func TestFloodOfConnections(t *testing.T) {
	cfg, feeds, log := withFeeds(t)
	cfg.Subscriptions.Limits = subscribe.Limits{MaxConnections: 5, MaxConnectionsPerCaller: 3}
	server := serve(t, cfg)
	var sockets []client
	for range 3 {
		sockets = append(sockets, connect(t, server, "Authorization", "Test id=eve"))
	}
	for n := range 100 {
		if _, status, _ := dial(t.Context(), server, "Authorization", "Test id=eve"); status != http.StatusTooManyRequests {
			t.Fatalf("connection %d got %d", n, status)
		}
	}
	s := open(t, server, subscription("a"), "Accept", "text/event-stream", "Authorization", "Test id=eve")
	if !strings.Contains(s.event(), "3 connections of yours are open") {
		t.Error("a response with events is not counted as a connection")
	}
	ready(t, server, "Authorization", "Test id=ada")
	other := open(t, server, subscription("b"), "Accept", "text/event-stream", "Authorization", "Test id=bob")
	b := feeds.next(t)
	if _, status, _ := dial(t.Context(), server, "Authorization", "Test id=cyd"); status != http.StatusServiceUnavailable {
		t.Errorf("the sixth connection got %d", status)
	}
	other.response.Body.Close()
	<-b.closed
	log.wants(t, `"msg":"subscription"`, `"viewer":"bob"`)
	_ = sockets[0].conn.CloseNow() // without the handshake
	log.wants(t, `"msg":"connection"`, `"viewer":"eve"`, `"end":"gone"`)
	for _, viewer := range []string{"cyd", "eve"} {
		ready(t, server, "Authorization", "Test id="+viewer)
	}
	if n := strings.Count(log.String(), `"end":"rejected"`); n < 5 || n > 25 {
		t.Errorf("the log has %d lines of 101 connections that were rejected", n)
	}
}

// TestFloodOfSubscriptions: also within its connections.
func TestFloodOfSubscriptions(t *testing.T) {
	cfg, feeds, _ := withFeeds(t)
	cfg.Subscriptions.Limits = subscribe.Limits{
		MaxSubscriptions: 5, MaxSubscriptionsPerCaller: 3, MaxSubscriptionsPerConnection: 2,
	}
	server := serve(t, cfg)
	c, other := ready(t, server, "Authorization", "Test id=eve"), ready(t, server, "Authorization", "Test id=eve")
	for n := range 2 {
		c.send(subscribing(fmt.Sprint(n), subscription(fmt.Sprint(n))))
		feeds.next(t)
	}
	c.send(subscribing("x", subscription("x")))
	c.wants(`{"id":"x","type":"error"`, "The connection has 2 subscriptions", "RATE_LIMITED")
	other.send(subscribing("2", subscription("2")))
	feeds.next(t)
	other.send(subscribing("x", subscription("x")))
	other.wants(`{"id":"x","type":"error"`, "You have 3 subscriptions", "RATE_LIMITED")
	c.send(`{"id":"0","type":"complete"}`)
	c.send(subscribing("x", `{"query":"{ echo(text: \"still here\") }"}`))
	c.wants("still here")
	c.wants("complete")
	for _, f := range []string{"3", "4"} {
		open(t, server, subscription(f), "Accept", "text/event-stream", "Authorization", "Test id=ada")
		feeds.next(t)
	}
}

// TestFloodOfOperations: operations that wait are limited, and answered with an error beyond that.
func TestFloodOfOperations(t *testing.T) {
	cfg, _, _ := withFeeds(t)
	cfg.Subscriptions.Limits.MaxOperationsPerConnection = 2
	waiting, release := make(chan struct{}, 2), make(chan struct{})
	cfg.Schema = newWithSubscriptions(schema(&testschema.Resolver{Waiting: waiting, Release: release}))
	c := ready(t, serve(t, cfg))
	for _, id := range []string{"1", "2"} {
		c.send(subscribing(id, `{"query":"{ wait }"}`))
		<-waiting
	}
	for n := range 100 {
		c.send(subscribing(fmt.Sprint("x", n), `{"query":"{ wait }"}`))
		c.wants(`"type":"error"`, "RATE_LIMITED")
	}
	close(release)
	for range 4 {
		c.wants(`"id":"`)
	}
}

// upgrade is the request that opens a WebSocket.
const upgrade = "GET /graphql HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
	"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n" +
	"Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n"

// frame is a short text message of a client, masked with zeros.
func frame(message string) string {
	return "\x81" + string([]byte{0x80 | byte(len(message))}) + "\x00\x00\x00\x00" + message
}

// TestSlowConsumers: the events that clients do not read have no more bytes than their share, and then the connections
// are closed.
func TestSlowConsumers(t *testing.T) {
	const consumers, size, share = 60, 300 << 10, 1 << 20
	asks := subscription("")
	for name, test := range map[string]struct{ request, ready, subscribe string }{
		"websocket": {
			upgrade + frame(`{"type":"connection_init"}`), `connection_ack"}`,
			frame(`{"id":"1","type":"subscribe","payload":{"query":"subscription { text }"}}`),
		},
		"events": {
			"POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\n" +
				fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(asks), asks), ":\n\n\r\n", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(c *gateway.Config) {
				c.MaxBufferedBytes, c.MaxBufferedBytesPerCaller = 4*share, share
			}, func(t *testing.T, b bubble) {
				var feeds []*testFeed
				for range consumers {
					conn := b.listener.dial()
					defer conn.Close()
					exchangeUntil(t, conn, test.request, test.ready)
					if _, err := io.WriteString(conn, test.subscribe); err != nil {
						t.Fatal(err)
					}
					feeds = append(feeds, b.feeds.next(t))
				}
				data := text(strings.Repeat("x", size))
				before := memory()
				for _, f := range feeds {
					f.send(t, event{data: data})
				}
				synctest.Wait() // until all of them are being sent, or have ended
				if grown := int64(memory()) - int64(before); grown > 4*share {
					t.Errorf("%d bytes are used for slow consumers", grown)
				}
				for _, f := range feeds {
					<-f.closed
				}
				synctest.Wait()
				if n := strings.Count(b.log.String(), `"end":"slow","events":0`); n < consumers {
					t.Errorf("%d of %d slow consumers are in the log:\n%.1000s", n, consumers, b.log)
				}
			})
		})
	}
}

// exchangeUntil sends a text and reads until an answer ends with another one.
func exchangeUntil(t *testing.T, conn net.Conn, text, end string) (answer string) {
	t.Helper()
	go func() { _, _ = io.WriteString(conn, text) }() // an error is one of the answer, too
	var b [1 << 10]byte
	for !strings.HasSuffix(answer, end) {
		n, err := conn.Read(b[:])
		if err != nil {
			t.Fatalf("%v after %q", err, answer)
		}
		answer += string(b[:n])
	}
	return answer
}

func memory() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapInuse + stats.StackInuse
}

// TestMessagesAreNotKept: a subscription keeps its operation, but not the message that it came in.
func TestMessagesAreNotKept(t *testing.T) {
	const subscriptions, size = 50, 500 << 10
	cfg, feeds, _ := withFeeds(t)
	cfg.Monitoring.Logger = slog.New(slog.DiscardHandler)
	c := ready(t, serve(t, cfg))
	before := memory()
	for n := range subscriptions {
		c.send(subscribing(fmt.Sprint(n), strings.TrimSuffix(subscription("a"), "}")+strings.Repeat(" ", size)+"}"))
		feeds.next(t)
	}
	if more := int64(memory()) - int64(before); more > subscriptions*size/2 {
		t.Errorf("%d bytes for %d messages of %d", more, subscriptions, size)
	}
}

// TestIdleConnections: 10,000 WebSockets that wait need no more than 64 KiB each, those of the clients included. The
// connections are in memory, because their number of files may be limited.
func TestIdleConnections(t *testing.T) {
	const connections = 10_000
	cfg, _, _ := withFeeds(t)
	cfg.Monitoring.Logger = slog.New(slog.DiscardHandler)
	cfg.Subscriptions.Limits = subscribe.Limits{
		MaxConnections: connections, MaxConnectionsPerCaller: connections, PingInterval: time.Hour,
	}
	listener := newPipes()
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() {
		stopped <- httpserver.Serve(ctx, listener, gateway.New(cfg), httpserver.Settings{Grace: time.Minute})
	}()
	before := memory()
	var conns []net.Conn
	for range connections {
		conn := listener.dial()
		exchangeUntil(t, conn, upgrade+frame(`{"type":"connection_init"}`), `connection_ack"}`)
		conns = append(conns, conn)
	}
	per := (memory() - before) / connections
	t.Logf("%d bytes for each connection", per)
	if per > 64<<10 {
		t.Errorf("%d bytes for each connection", per)
	}
	status, body, err := exchange(listener.dial(), upgrade)
	if err != nil || status != http.StatusTooManyRequests {
		t.Errorf("one more got %d %s, %v", status, body, err)
	}
	for _, conn := range conns {
		conn.Close()
	}
	stop()
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}
