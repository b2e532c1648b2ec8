package gateway_test

import (
	"bufio"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
)

const apolloAccept = `multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json`

// A stream is a response whose body has not ended.
type stream struct {
	t        *testing.T
	response *http.Response
	reader   *bufio.Reader
}

// open sends a subscription.
func open(t *testing.T, server, body string, header ...string) stream {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server+"/graphql", strings.NewReader(body))
	fatal.If(t, err)
	r.Header.Set("Content-Type", "application/json")
	return openRequest(t, r, header...)
}

func openRequest(t *testing.T, r *http.Request, header ...string) stream {
	t.Helper()
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(r) //nolint:bodyclose // when the test ends
	fatal.If(t, err)
	return newStream(t, response)
}

func newStream(t *testing.T, response *http.Response) stream {
	t.Cleanup(func() { response.Body.Close() })
	return stream{t, response, bufio.NewReader(response.Body)}
}

// event returns the next event of a text/event-stream, without comments; "" at the end.
func (s stream) event() (lines string) {
	s.t.Helper()
	for {
		line, err := s.reader.ReadString('\n')
		switch {
		case err == io.EOF && line == "" && lines == "":
			return ""
		case err != nil:
			s.t.Fatalf("got %q and then %v", lines+line, err)
		case line == "\n" && lines != "":
			return lines
		case line != "\n" && line[0] != ':' && !strings.HasPrefix(line, "retry:"):
			lines += line
		}
	}
}

func (s stream) wants(parts ...string) {
	s.t.Helper()
	event := s.event()
	for _, part := range parts {
		if !strings.Contains(event, part) {
			s.t.Errorf("got %q, want %q", event, part)
		}
	}
}

func (s stream) wantsEnd() {
	s.t.Helper()
	if event := s.event(); event != "" {
		s.t.Errorf("got %q, want the end", event)
	}
}

func TestServerSentEvents(t *testing.T) {
	noLeaks(t)
	cfg, feeds, log := withFeeds(t)
	server := serve(t, cfg)
	s := open(t, server, subscription("one"), "Accept", "text/event-stream", "Accept-Encoding", "gzip")
	header := s.response.Header
	if s.response.StatusCode != http.StatusOK || header.Get("Content-Type") != "text/event-stream; charset=utf-8" ||
		header.Get("Content-Encoding") != "" || header.Get("Cache-Control") != "no-store" ||
		header.Get("No-Gzip-Compression") != "" {
		t.Errorf("got %d %v", s.response.StatusCode, header)
	}
	one := feeds.next(t)
	one.send(t, event{data: text("first"), position: "p1"})
	s.wants("event: next\nid: p1\ndata: {\"data\":{\"text\":\"first\"},\"extensions\":{")
	one.send(t, event{data: "{\n\"text\":\n\"lines\"}"})
	s.wants("event: next\ndata: {\"data\":{\ndata: \"text\":\ndata: \"lines\"},")
	one.send(t, event{code: "CHANGES_LOST"})
	s.wants("event: next\n", `{"errors":[{"message":"The test wants it.","extensions":{"code":"CHANGES_LOST"}}]`)
	s.wants("event: complete\ndata:\n")
	s.wantsEnd()
	<-one.closed
	log.wants(t, `"msg":"subscription"`, `"transport":"text/event-stream"`, `"end":"CHANGES_LOST"`, `"events":2`,
		`"readUnits":3`)

	// A client that leaves ends its subscription.
	s = open(t, server, subscription("two"), "Accept", "text/event-stream")
	two := feeds.next(t)
	s.response.Body.Close()
	<-two.closed
	log.wants(t, `"msg":"subscription"`, `"end":"gone"`)
}

// TestEventsOfEventSource: by GET, as browsers send it, with the position after which it connects again.
func TestEventsOfEventSource(t *testing.T) {
	cfg, feeds, _ := withFeeds(t)
	server := serve(t, cfg)
	get := func(header ...string) stream {
		target := server + "/graphql?query=" + url.QueryEscape(`subscription { text }`)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
		fatal.If(t, err)
		return openRequest(t, r, append(header, "Accept", "text/event-stream")...)
	}
	s := get()
	retry := regexp.MustCompile(`^retry: [1-4]\d{3}\n$`)
	if line, err := s.reader.ReadString('\n'); err != nil || !retry.MatchString(line) {
		t.Errorf("got %q, %v", line, err)
	}
	if f := feeds.next(t); f.after != "" {
		t.Errorf("the first subscription begins after %q", f.after)
	}
	get("Last-Event-ID", "p7")
	if f := feeds.next(t); f.after != "p7" {
		t.Errorf("the subscription begins after %q", f.after)
	}
	head := do(t, server, http.MethodHead, "/graphql?query="+url.QueryEscape(`subscription { text }`), "",
		"Accept", "text/event-stream, application/json")
	if head.status != http.StatusMethodNotAllowed {
		t.Errorf("HEAD got %d", head.status)
	}
	foreign := get("Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site")
	if foreign.response.StatusCode != http.StatusForbidden {
		t.Errorf("a foreign page got %d", foreign.response.StatusCode)
	}
}

// TestOneEvent: a client that reads only events gets the answers of queries, and errors, as events. What is wrong with
// the request has its status.
func TestOneEvent(t *testing.T) {
	cfg, feeds, _ := withFeeds(t)
	server := serve(t, cfg)
	for name, test := range map[string]struct{ body, wants string }{
		"a query":        {`{"query":"{ echo(text: \"a\") }"}`, `{"data":{"echo":"a"},"extensions":`},
		"a mutation":     {`{"query":"mutation { touch }"}`, `{"data":{"touch":true}`},
		"not valid":      {`{"query":"{ nope }"}`, `GRAPHQL_VALIDATION_FAILED`},
		"no GraphQL":     {`{"query":"{"}`, `GRAPHQL_PARSE_FAILED`},
		"a failed field": {`{"query":"{ failNonNull(how: CODED) }"}`, `"data":null`},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, server, test.body, "Accept", "text/event-stream")
			s.wants("event: next\ndata: ", test.wants)
			s.wants("event: complete\n")
			s.wantsEnd()
		})
	}
	feeds.rejected = "POSITION_EXPIRED"
	s := open(t, server, subscription("a"), "Accept", "text/event-stream")
	s.wants("event: next\ndata: ", "POSITION_EXPIRED")
	s.wants("event: complete\n")
	if a := postBody(t, server, `{`, "Accept", "text/event-stream"); !a.isError(400, "BAD_REQUEST", "JSON") {
		t.Errorf("got %d %s", a.status, a.body)
	}
}

func TestMultipart(t *testing.T) {
	noLeaks(t)
	cfg, feeds, _ := withFeeds(t)
	server := serve(t, cfg)
	s := open(t, server, subscription("one"), "Accept", apolloAccept, "Accept-Encoding", "gzip")
	media, params, err := mime.ParseMediaType(s.response.Header.Get("Content-Type"))
	if err != nil || media != "multipart/mixed" || params["subscriptionspec"] != "1.0" ||
		s.response.Header.Get("Content-Encoding") != "" {
		t.Fatalf("got %v", s.response.Header)
	}
	var whole strings.Builder
	wants := func(text string) {
		t.Helper()
		part := ""
		for !strings.HasSuffix(part, "\r\n--graphql") { // clients wait for the boundary alone
			b, err := s.reader.ReadByte()
			if err != nil {
				t.Fatalf("got %q and then %v", part, err)
			}
			part += string(b)
		}
		whole.WriteString(part)
		if want := "\r\nContent-Type: application/json\r\n\r\n" + text; text != "" && !strings.HasPrefix(part, want) {
			t.Errorf("got %q, want %q", part, want)
		}
	}
	wants("")
	one := feeds.next(t)
	one.send(t, event{data: text("first"), position: "p1"})
	wants(`{"payload":{"data":{"text":"first"},"extensions":{`)
	one.send(t, event{code: "CHANGES_LOST"})
	wants(`{"payload":null,"errors":[{"message":"The test wants it.","extensions":{"code":"CHANGES_LOST"}}],`)
	if end, err := io.ReadAll(s.reader); err != nil || string(end) != "--\r\n" {
		t.Errorf("got %q, %v, want the end", end, err)
	}
	parts := multipart.NewReader(strings.NewReader(whole.String()+"--\r\n"), params["boundary"])
	for n := range 3 {
		if part, err := parts.NextPart(); (n < 2) != (err == nil) || n == 2 && err != io.EOF {
			t.Errorf("part %d is %v, %v", n, part, err)
		}
	}
	// With the same header, queries and errors are JSON.
	if a := postBody(t, server, `{"query":"{ echo(text: \"a\") }"}`, "Accept", apolloAccept); a.status != 200 ||
		a.header.Get("Content-Type") != plainJSON {
		t.Errorf("got %d %v", a.status, a.header)
	}
	if a := postBody(t, server, `{"query":"subscription { nope }"}`, "Accept", apolloAccept); a.code() !=
		"GRAPHQL_VALIDATION_FAILED" {
		t.Errorf("got %d %s", a.status, a.body)
	}
}

// TestAcceptOfSubscriptions: the media type with the highest quality, server-sent events if several have it.
func TestAcceptOfSubscriptions(t *testing.T) {
	cfg, _, _ := withFeeds(t)
	server := serve(t, cfg)
	for accept, want := range map[string]string{
		"text/event-stream, multipart/mixed":                                    "text/event-stream",
		`multipart/mixed;boundary="graphql";subscriptionSpec="1.0"`:             "multipart/mixed",
		"multipart/mixed;subscriptionSpec=1.0, text/event-stream":               "text/event-stream",
		"multipart/mixed;subscriptionSpec=1.0, text/event-stream;q=0.5":         "multipart/mixed",
		"application/json, text/event-stream":                                   "text/event-stream",
		"application/graphql-response+json, multipart/mixed;deferSpec=20220824": "application/graphql-response+json",
		"text/event-stream;q=0, application/json":                               "application/graphql-response+json",
		"*/*":             "application/graphql-response+json",
		"text/*":          "application/graphql-response+json",
		"multipart/mixed": "application/graphql-response+json",
	} {
		s := open(t, server, subscription("one"), "Accept", accept)
		if got, _, _ := strings.Cut(s.response.Header.Get("Content-Type"), ";"); got != want {
			t.Errorf("%s: got %s, want %s", accept, got, want)
		}
		s.response.Body.Close()
	}
}

func TestLambdaHasNoSubscriptions(t *testing.T) {
	cfg, _, _ := withFeeds(t)
	cfg.Subscriptions.Disabled = true
	server := serve(t, cfg)
	if a := postBody(t, server, subscription("a"), "Accept", apolloAccept); !a.isError(501, "UNAVAILABLE", "AWS Lambda") {
		t.Errorf("got %d %s", a.status, a.body)
	}
}
