package gateway_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/httpserver"
	"github.com/partita/partita/internal/gateway/internal/testschema"
	"github.com/partita/partita/viewer"
)

// inBubble runs a test over connections in memory, where time passes when nothing else happens. The transport of
// http.DefaultClient cannot be used there.
func inBubble(
	t *testing.T, configure func(*gateway.Config), test func(t *testing.T, b bubble),
) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c, feeds, log := withFeeds(t)
		if configure != nil {
			configure(&c)
		}
		b := bubble{newPipes(), feeds, log, make(chan struct{}), nil}
		ctx, stop := context.WithCancel(t.Context())
		b.stop = stop
		go func() {
			defer close(b.stopped)
			settings := httpserver.Settings{Grace: time.Minute, WriteTimeout: 15 * time.Second}
			if err := httpserver.Serve(ctx, b.listener, gateway.New(c), settings); err != nil {
				t.Error(err)
			}
		}()
		test(t, b)
		stop()
		<-b.stopped
	})
}

type bubble struct {
	listener *pipes
	feeds    *feeds
	log      *log
	stopped  chan struct{}
	stop     func()
}

// connect opens a WebSocket.
func (b bubble) connect(t *testing.T, header ...string) client {
	t.Helper()
	conn, status, err := b.dial(t.Context(), header...)
	if err != nil {
		t.Fatalf("no connection: %v, %d", err, status)
	}
	return newClient(t, conn)
}

func (b bubble) dial(ctx context.Context, header ...string) (_ *websocket.Conn, status int, _ error) {
	return dialWith(ctx, b.client(), "http://gateway", header...)
}

func (b bubble) client() *http.Client {
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext:       func(context.Context, string, string) (net.Conn, error) { return b.listener.dial(), nil },
	}}
}

// ready opens a WebSocket that is acknowledged. The payload is that of connection_init.
func (b bubble) ready(t *testing.T, payload string, header ...string) client {
	t.Helper()
	c := b.connect(t, header...)
	c.send(`{"type":"connection_init","payload":` + payload + `}`)
	c.wants("connection_ack")
	return c
}

// open sends a subscription whose response has events.
func (b bubble) open(t *testing.T, name string, header ...string) stream {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://gateway/graphql",
		strings.NewReader(subscription(name)))
	fatal.If(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := b.client().Do(r) //nolint:bodyclose // when the test ends
	fatal.If(t, err)
	return newStream(t, response)
}

// wantsCloseAfter compares how the connection ends, and when.
func (c client) wantsCloseAfter(code int, reason string, after time.Duration) {
	c.t.Helper()
	begun := time.Now()
	c.wantsClose(code, reason)
	if took := time.Since(begun); took != after {
		c.t.Errorf("the connection ends after %v, want %v", took, after)
	}
}

func TestSocketTimeouts(t *testing.T) {
	t.Run("no connection_init", func(t *testing.T) {
		inBubble(t, nil, func(t *testing.T, b bubble) {
			b.connect(t).wantsCloseAfter(4408, "Connection initialisation timeout", 3*time.Second)
		})
	})
	t.Run("no operation", func(t *testing.T) {
		inBubble(t, nil, func(t *testing.T, b bubble) {
			c := b.ready(t, "{}")
			time.Sleep(4 * time.Minute) // in the bubble
			c.send(subscribing("1", subscription("one")))
			b.feeds.next(t)
			readFor(c, time.Hour) // it is not idle
			c.send(`{"id":"1","type":"complete"}`)
			c.wantsCloseAfter(1000, "no operation", 5*time.Minute)
			b.log.wants(t, `"msg":"connection"`, `"end":"idle"`)
		})
	})
	t.Run("no pong", func(t *testing.T) {
		inBubble(t, nil, func(t *testing.T, b bubble) {
			conn, _, err := b.dial(t.Context())
			fatal.If(t, err)
			defer func() { _ = conn.CloseNow() }() // it is closed
			fatal.If(t, conn.Write(t.Context(), websocket.MessageText, []byte(`{"type":"connection_init"}`)))
			if _, _, err := conn.Read(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.log.wants(t, `"msg":"connection"`, `"end":"silent"`, `"milliseconds":30000`) // nobody reads the ping
		})
	})
	for name, answersPing := range map[string]func(){
		"an ignored ping": func() {},
		"a late pong":     func() { time.Sleep(11 * time.Second) }, // in the bubble
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, nil, func(t *testing.T, b bubble) {
				conn, _, err := websocket.Dial(t.Context(), "http://gateway/graphql", &websocket.DialOptions{ //nolint:bodyclose
					HTTPClient: b.client(), Subprotocols: []string{"graphql-transport-ws"},
					OnPingReceived: func(context.Context, []byte) (answers bool) { answersPing(); return false },
				})
				fatal.If(t, err)
				c := newClient(t, conn)
				c.send(`{"type":"connection_init"}`)
				c.wants("connection_ack")
				c.send(subscribing("1", subscription("one")))
				one := b.feeds.next(t)
				<-one.closed
				b.log.wants(t, `"msg":"connection"`, `"end":"silent"`, `"milliseconds":35000`)
			})
		})
	}
	t.Run("a slow message", func(t *testing.T) {
		inBubble(t, nil, func(t *testing.T, b bubble) {
			c := b.ready(t, "{}")
			w, err := c.conn.Writer(t.Context(), websocket.MessageText)
			fatal.If(t, err)
			if _, err := io.WriteString(w, strings.Repeat(" ", 5000)); err != nil { // more than is in a buffer
				t.Fatal(err)
			}
			c.wantsCloseAfter(1013, "too slowly", 10*time.Second)
		})
	})
}

// readFor waits for a time in which there is no message.
func readFor(c client, d time.Duration) {
	c.t.Helper()
	select {
	case message := <-c.messages:
		c.t.Errorf("got %q, %v", message, *c.end)
	case <-time.After(d):
	}
}

// expiring authenticates the token of any viewer for a minute.
func expiring(r *http.Request) (viewer.Viewer, error) {
	switch token := r.Header.Get("Authorization"); token {
	case "":
		return viewer.Viewer{}, nil
	case "Bearer bad":
		return viewer.Viewer{}, rejectedToken{}
	default:
		return viewer.Viewer{ID: strings.TrimPrefix(token, "Bearer "), Until: time.Now().Add(time.Minute)}, nil
	}
}

type rejectedToken struct{}

func (rejectedToken) Error() string     { return "The token has expired. Get a new one." }
func (rejectedToken) Code() string      { return "UNAUTHENTICATED" }
func (rejectedToken) Challenge() string { return "Bearer" }

func authenticated(c *gateway.Config) { c.Callers.Authenticate = expiring }

// TestSocketToken: the token is in the payload of connection_init in all spellings of clients, or in the upgrade. Its
// subscriptions end with it, and queries are answered before that.
func TestSocketToken(t *testing.T) {
	for payload, header := range map[string]string{
		`{"Authorization":"Bearer ada"}`:             "",
		`{"authorization":"Bearer ada"}`:             "",
		`{"headers":{"Authorization":"Bearer ada"}}`: "",
		`{"headers":{"authorization":"Bearer ada"}}`: "",
		`{}`:                              "Bearer ada",
		`null`:                            "Bearer ada",
		`{"Authorization":"Bearer ada" }`: "Bearer other",
	} {
		inBubble(t, authenticated, func(t *testing.T, b bubble) {
			var headers []string
			if header != "" {
				headers = []string{"Authorization", header}
			}
			c := b.ready(t, payload, headers...)
			c.send(subscribing("1", subscription("one")))
			one := b.feeds.next(t)
			c.wantsCloseAfter(4403, "UNAUTHENTICATED: the token has expired", time.Minute)
			<-one.closed
			b.log.wants(t, `"msg":"subscription"`, `"end":"expired"`, `"viewer":"ada"`)
			b.log.wants(t, `"msg":"connection"`, `"end":"expired"`, `"viewer":"ada"`)
		})
	}
	inBubble(t, authenticated, func(t *testing.T, b bubble) {
		c := b.connect(t)
		c.send(`{"type":"connection_init","payload":{"Authorization":"Bearer bad"}}`)
		c.wantsCloseAfter(4403, "UNAUTHENTICATED: The token has expired. Get a new one.", 0)
		if _, status, _ := b.dial(t.Context(), "Authorization", "Bearer bad"); status != http.StatusUnauthorized {
			t.Errorf("the upgrade got %d", status)
		}
		// An anonymous caller has no expiry.
		c = b.ready(t, "{}")
		c.send(subscribing("1", subscription("one")))
		b.feeds.next(t)
		readFor(c, time.Hour)
	})
}

// TestSocketTokenOfWaitingSubscription: a subscription that is not its turn yet when the token expires, or when the
// gateway stops, does not outlive the others.
func TestSocketTokenOfWaitingSubscription(t *testing.T) {
	var resolver *testschema.Resolver
	for name, end := range map[string]func(b bubble){
		"expired": func(bubble) { time.Sleep(6 * time.Second) }, // in the bubble
		"stop":    func(b bubble) { b.stop(); synctest.Wait() },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(c *gateway.Config) {
				c.Callers.Authenticate, c.MaxOperations, c.MaxOperationsPerCaller = expiring, 1, 1
				resolver = &testschema.Resolver{Waiting: make(chan struct{}), Release: make(chan struct{})}
				c.Schema = newWithSubscriptions(schema(resolver))
			}, func(t *testing.T, b bubble) {
				begun := time.Now()
				c := b.ready(t, `{"Authorization":"Bearer ada"}`)
				time.Sleep(55 * time.Second) // in the bubble
				c.send(subscribing("1", `{"query":"{ wait }"}`))
				<-resolver.Waiting
				c.send(subscribing("2", subscription("one")))
				synctest.Wait()
				end(b)
				close(resolver.Release)
				c.wants(`"wait"`)
				c.wants("complete")
				c.wantsClose(map[string]int{"expired": 4403, "stop": 1001}[name], "")
				if took := time.Since(begun); took > 62*time.Second {
					t.Errorf("the connection has ended after %v", took)
				}
				b.log.wants(t, `"msg":"connection"`, `"end":"`+name+`"`)
			})
		})
	}
}

func TestStreamToken(t *testing.T) {
	inBubble(t, authenticated, func(t *testing.T, b bubble) {
		s := b.open(t, "one", "Authorization", "Bearer ada")
		one := b.feeds.next(t)
		begun := time.Now()
		s.wants("event: next\n", `"UNAUTHENTICATED"`)
		s.wants("event: complete\n")
		s.wantsEnd()
		if took := time.Since(begun); took != time.Minute {
			t.Errorf("the subscription ends after %v", took)
		}
		<-one.closed
		b.log.wants(t, `"msg":"subscription"`, `"end":"expired"`)
	})
}

// TestStreamIsKept: the timeouts of the server do not cut a stream off, and heartbeats keep proxies from doing it.
func TestStreamIsKept(t *testing.T) {
	for accept, heartbeat := range map[string]string{
		"text/event-stream": ":\n\n",
		apolloAccept:        "\r\nContent-Type: application/json\r\n\r\n{}\r\n--graphql",
	} {
		inBubble(t, nil, func(t *testing.T, b bubble) {
			s := b.open(t, "one", "Accept", accept)
			one := b.feeds.next(t)
			time.Sleep(time.Second) // in the bubble
			one.send(t, event{data: text("a")})
			begun := time.Now()
			for _, end := range append([]string{`"a"`}, slices.Repeat([]string{heartbeat}, 10)...) {
				for body := ""; !strings.HasSuffix(body, end); {
					b, err := s.reader.ReadByte()
					if err != nil {
						t.Fatalf("%v after %q", err, body)
					}
					body += string(b)
				}
			}
			// The boundary of a part and an empty line end the event as well.
			if took := time.Since(begun); took < 225*time.Second || took > 250*time.Second {
				t.Errorf("10 heartbeats took %v", took)
			}
			s.response.Body.Close()
			<-one.closed
		})
	}
}

// TestStreamIsLost: a client that reads no heartbeats is gone, although its connection is not closed.
func TestStreamIsLost(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, b bubble) {
		conn := b.listener.dial()
		defer conn.Close()
		asks := subscription("one")
		request := rawRequest("POST", "/graphql", asks, "Content-Type", "application/json", "Accept", "text/event-stream")
		exchangeUntil(t, conn, request, ":\n\n\r\n")
		one, begun := b.feeds.next(t), time.Now()
		<-one.closed
		if took := time.Since(begun); took != 35*time.Second {
			t.Errorf("the subscription ends after %v", took)
		}
		b.log.wants(t, `"msg":"subscription"`, `"end":"gone"`)
	})
}

// TestStopOfStreams: subscriptions end at once so that clients subscribe again, queries are answered, and nothing waits
// for what is idle.
func TestStopOfStreams(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, b bubble) {
		idle, busy := b.ready(t, "{}"), b.ready(t, "{}")
		busy.send(subscribing("1", subscription("one")))
		b.feeds.next(t)
		busy.send(subscribing("2", subscription("two")))
		two := b.feeds.next(t)
		two.send(t, event{data: text("last")})
		busy.wants(`"last"`)
		events, parts := b.open(t, "three"), b.open(t, "four", "Accept", apolloAccept)
		b.feeds.next(t)
		b.feeds.next(t)
		begun := time.Now()
		b.stop()
		idle.wantsClose(1001, "stopping")
		busy.wantsClose(1001, "stopping")
		events.wantsEnd() // without complete, after which clients do not connect again
		rest, err := io.ReadAll(parts.reader)
		if err != nil || !strings.Contains(string(rest), `{"payload":null,"errors":[{"message":"The gateway is stopping.`) ||
			!strings.HasSuffix(string(rest), "\r\n--graphql--\r\n") {
			t.Errorf("got %q, %v", rest, err)
		}
		<-b.stopped
		if took := time.Since(begun); took > time.Second { // net/http polls
			t.Errorf("the stop took %v", took)
		}
		b.log.wants(t, `"msg":"connection"`, `"end":"stop"`)
	})
}
