package gateway_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"github.com/partita/partita/internal/fatal"
)

// A client has a WebSocket to a gateway. It reads all the time, and answers pings.
type client struct {
	t        *testing.T
	conn     *websocket.Conn
	messages chan []byte
	end      *error // when messages is closed
}

// connect opens a WebSocket. Each header is a name and a value.
func connect(t *testing.T, server string, header ...string) client {
	t.Helper()
	conn, status, err := dial(t.Context(), server, header...)
	if err != nil {
		t.Fatalf("no connection: %v, %d", err, status)
	}
	return newClient(t, conn)
}

func newClient(t *testing.T, conn *websocket.Conn) client {
	c := client{t, conn, make(chan []byte, 100), new(error)}
	conn.SetReadLimit(-1)
	t.Cleanup(func() { _ = conn.CloseNow() }) // it may be closed
	go func() {
		defer close(c.messages)
		for {
			_, text, err := conn.Read(t.Context())
			if err != nil {
				*c.end = err
				return
			}
			c.messages <- text
		}
	}()
	return c
}

// dial opens a WebSocket, and returns the status of the response.
func dial(ctx context.Context, server string, header ...string) (_ *websocket.Conn, status int, _ error) {
	return dialWith(ctx, http.DefaultClient, server, header...)
}

func dialWith(
	ctx context.Context, c *http.Client, server string, header ...string,
) (_ *websocket.Conn, status int, _ error) {
	options := &websocket.DialOptions{
		HTTPClient: c, HTTPHeader: http.Header{}, Subprotocols: []string{"graphql-transport-ws"},
	}
	for i := 0; i < len(header); i += 2 {
		if options.HTTPHeader.Set(header[i], header[i+1]); header[i] == "Sec-WebSocket-Protocol" {
			options.Subprotocols = []string{header[i+1]}
		}
	}
	conn, response, err := websocket.Dial(ctx, server+"/graphql", options) //nolint:bodyclose // Dial closes it
	if response != nil {
		status = response.StatusCode
	}
	return conn, status, err
}

func (c client) send(message string) {
	c.t.Helper()
	if err := c.conn.Write(c.t.Context(), websocket.MessageText, []byte(message)); err != nil {
		c.t.Fatalf("%s is not sent: %v", message, err)
	}
}

// wants compares the next message.
func (c client) wants(parts ...string) {
	c.t.Helper()
	got, is := <-c.messages
	if !is {
		c.t.Fatalf("got %v, want %q", *c.end, parts)
	}
	if !json.Valid(got) {
		c.t.Errorf("%s is not JSON", got)
	}
	for _, part := range parts {
		if !strings.Contains(string(got), part) {
			c.t.Errorf("got %s, want %s", got, part)
		}
	}
}

// wantsClose compares the code and the reason of the end of the connection, before which there is no message.
func (c client) wantsClose(code int, reason string) {
	c.t.Helper()
	if got, is := <-c.messages; is {
		c.t.Fatalf("got %s, want %d %s", got, code, reason)
	}
	closed, is := errors.AsType[websocket.CloseError](*c.end)
	if !is || int(closed.Code) != code || !strings.Contains(closed.Reason, reason) {
		c.t.Errorf("got %v, want %d %s", *c.end, code, reason)
	}
}

// ready opens a WebSocket that is acknowledged.
func ready(t *testing.T, server string, header ...string) client {
	t.Helper()
	c := connect(t, server, header...)
	c.send(`{"type":"connection_init"}`)
	c.wants(`{"type":"connection_ack"}`)
	return c
}

func subscribing(id, request string) string {
	return fmt.Sprintf(`{"id":%q,"type":"subscribe","payload":%s}`, id, request)
}

func TestSocketAnswers(t *testing.T) {
	noLeaks(t)
	cfg, feeds, log := withFeeds(t)
	server := serve(t, cfg)
	c := ready(t, server, "Authorization", "Test id=ada")

	c.send(subscribing("q", `{"query":"{ echo(text: \"a\") }"}`))
	c.wants(`{"id":"q","type":"next","payload":{"data":{"echo":"a"},"extensions":{"cost":{`)
	c.wants(`{"id":"q","type":"complete"}`)
	c.send(subscribing("q", `{"query":"mutation { touch }"}`)) // the id is free again
	c.wants(`"data":{"touch":true}`)
	c.wants(`"complete"`)
	c.send(subscribing("bad", `{"query":"{ nope }"}`))
	c.wants(`{"id":"bad","type":"error","payload":[{"message":`, `GRAPHQL_VALIDATION_FAILED`)
	c.send(subscribing("partial", `{"query":"{ fail(how: CODED) }"}`))
	c.wants(`"type":"next","payload":{"errors":[`, `"data":{"fail":null}`)
	c.wants(`"complete"`)

	c.send(subscribing("1", subscription("one")))
	one := feeds.next(t)
	c.send(subscribing("2", subscription("two")))
	two := feeds.next(t)
	one.send(t, event{data: text("1a"), position: "p1"})
	c.wants(`{"id":"1","type":"next","payload":{"data":{"text":"1a"},"extensions":`, `"live":{"position":"p1"}`)
	two.send(t, event{data: text("2a")})
	c.wants(`{"id":"2"`, `"2a"`)
	c.send(`{"type":"ping","payload":{"n":1}}`)
	c.wants(`{"type":"pong","payload":{"n":1}}`)
	c.send(`{"type":"ping","payload":{"x":"` + strings.Repeat("x", 33_000) + `"}}`)
	c.wants(`{"type":"pong"}`)
	c.send(`{"type":"pong"}`)
	c.send(`{"id":"1","type":"complete"}`)
	<-one.closed
	c.send(`{"id":"1","type":"complete"}`) // of nothing
	two.send(t, event{code: "CHANGES_LOST"})
	c.wants(`{"id":"2","type":"error","payload":[{"message":"The test wants it.","extensions":{"code":"CHANGES_LOST"}}]}`)
	<-two.closed
	feeds.rejected = "POSITION_EXPIRED"
	c.send(subscribing("3", subscription("three")))
	c.wants(`{"id":"3","type":"error"`, `POSITION_EXPIRED`)

	c.conn.Close(websocket.StatusNormalClosure, "")
	http.DefaultClient.CloseIdleConnections()
	log.wants(t, `"msg":"subscription"`, `"end":"CHANGES_LOST"`, `"events":1`, `"operation":"S"`)
	log.wants(t, `"msg":"connection"`, `"end":"client"`, `"operations":7`, `"viewer":"ada"`)
}

// TestSocketProtocol: each message that the protocol does not have ends the connection with its code.
func TestSocketProtocol(t *testing.T) {
	cfg, _, _ := withFeeds(t)
	cfg.MaxBodyBytes = 40_000
	server := serve(t, cfg)
	started := subscribing("1", subscription("one"))
	longInit := `{"type":"connection_init","payload":{"x":"` + strings.Repeat("x", 33_000) + `"}}`
	longSubscribe := subscribing("1", `{"query":"`+strings.Repeat("x", 41_000)+`"}`)
	longID := subscribing(strings.Repeat("é", 64), subscription("one"))
	numberInit := `{"type":"connection_init","payload":{"Authorization":1}}`
	for name, test := range map[string]struct {
		messages []string
		code     int
		reason   string
	}{
		"no JSON":              {[]string{`{`}, 4400, "Invalid message"},
		"no type":              {[]string{`{}`}, 4400, "Invalid message"},
		"a list":               {[]string{`[]`}, 4400, "Invalid message"},
		"an unknown type":      {[]string{`{"type":"start"}`}, 4400, "Invalid message"},
		"a type of the server": {[]string{`{"type":"connection_ack"}`}, 4400, "Invalid message"},
		"an id that is no text": {[]string{"init", `{"type":"subscribe","id":1,"payload":{}}`}, 4400,
			"Invalid message"},
		"no id":                     {[]string{"init", `{"type":"subscribe","payload":{"query":"{a}"}}`}, 4400, "id"},
		"a long id":                 {[]string{"init", subscribing(strings.Repeat("x", 129), `{}`)}, 4400, "id"},
		"no payload":                {[]string{"init", `{"id":"1","type":"subscribe"}`}, 4400, "payload"},
		"a payload that is null":    {[]string{"init", `{"id":"1","type":"subscribe","payload":null}`}, 4400, "payload"},
		"a payload without a query": {[]string{"init", subscribing("1", `{}`)}, 4400, `"query" is missing`},
		"a query that is null":      {[]string{"init", subscribing("1", `{"query":null}`)}, 4400, `"query" is missing`},
		"a query that is a number":  {[]string{"init", subscribing("1", `{"query":1}`)}, 4400, "must be a string"},
		"variables in a list": {[]string{"init", subscribing("1", `{"query":"{a}","variables":[]}`)}, 4400,
			"JSON object"},
		"variables in a text": {[]string{"init", subscribing("1", `{"query":"{a}","variables":"{}"}`)}, 4400,
			"JSON object"},
		"extensions that are a number": {[]string{"init", subscribing("1", `{"query":"{a}","extensions":1}`)}, 4400,
			"JSON object"},
		"a name that is an object": {[]string{"init", subscribing("1", `{"query":"{a}","operationName":{}}`)}, 4400,
			"must be a string"},
		"a query twice":             {[]string{"init", subscribing("1", `{"query":"{a}","query":"{a}"}`)}, 4400, "repeats"},
		"complete without an id":    {[]string{"init", `{"type":"complete"}`}, 4400, "complete has the id"},
		"complete with an empty id": {[]string{"init", `{"type":"complete","id":""}`}, 4400, "complete has the id"},
		"complete with a number":    {[]string{"init", `{"type":"complete","id":1}`}, 4400, "Invalid message"},
		"ping with a list":          {[]string{`{"type":"ping","payload":[]}`}, 4400, "ping and pong"},
		"pong with a number":        {[]string{`{"type":"pong","payload":1}`}, 4400, "ping and pong"},
		"init with a list":          {[]string{`{"type":"connection_init","payload":[]}`}, 4400, "not an object"},
		"a token that is a number":  {[]string{numberInit}, 4400, "the property Authorization in the payload"},
		"subscribe before init":     {[]string{started}, 4401, "Unauthorized"},
		"two inits":                 {[]string{"init", `{"type":"connection_init"}`}, 4429, "Too many initialisation"},
		"an id twice":               {[]string{"init", started, started}, 4409, "Subscriber for 1 already exists"},
		"a long id twice":           {[]string{"init", longID, longID}, 4409, "Subscriber for ééé"},
		"a large init":              {[]string{longInit}, 1009, "too large"},
		"a large message":           {[]string{"init", longSubscribe}, 1009, "too large"},
	} {
		t.Run(name, func(t *testing.T) {
			c := connect(t, server)
			for _, message := range test.messages {
				if message == "init" {
					c.send(`{"type":"connection_init"}`)
					c.wants("connection_ack")
					continue
				}
				c.send(message)
			}
			c.wantsClose(test.code, test.reason)
		})
	}
	t.Run("binary", func(t *testing.T) {
		c := connect(t, server)
		fatal.If(t, c.conn.Write(t.Context(), websocket.MessageBinary, []byte(`{"type":"ping"}`)))
		c.wantsClose(4400, "Invalid message")
	})
	t.Run("another subprotocol", func(t *testing.T) {
		connect(t, server, "Sec-WebSocket-Protocol", "graphql-ws").wantsClose(4406, "graphql-transport-ws")
	})
}

// TestSocketUpgrade: what is no WebSocket for this gateway has the status of other requests.
func TestSocketUpgrade(t *testing.T) {
	cfg, _, _ := withFeeds(t)
	fatal.If(t, cfg.Browser.CORSOrigins.UnmarshalText([]byte("https://shop.example")))
	server := serve(t, cfg)
	own := strings.Replace(server, "http://", "", 1)
	for name, test := range map[string]struct {
		header []string
		status int
	}{
		"no browser":             {nil, 101},
		"its own page":           {[]string{"Origin", "http://" + own}, 101},
		"a page that is allowed": {[]string{"Origin", "https://shop.example", "Sec-Fetch-Site", "cross-site"}, 101},
		"a foreign page":         {[]string{"Origin", "https://evil.example"}, 403},
		"a foreign page, as browsers of today say": {
			[]string{"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"}, 403,
		},
		"a sandboxed page": {[]string{"Origin", "null"}, 403},
	} {
		t.Run(name, func(t *testing.T) {
			conn, status, _ := dial(t.Context(), server, test.header...)
			if conn != nil {
				newClient(t, conn)
			}
			if status != test.status {
				t.Errorf("got %d", status)
			}
		})
	}
	cfg.Subscriptions.Disabled = true
	if _, status, _ := dial(t.Context(), serve(t, cfg)); status != http.StatusNotImplemented {
		t.Errorf("on Lambda: got %d", status)
	}
}

// noLeaks fails the test if goroutines are left when everything is closed.
func noLeaks(t *testing.T) {
	ignored := goleak.IgnoreCurrent()
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		goleak.VerifyNone(t, ignored)
	})
}
