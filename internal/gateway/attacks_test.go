package gateway_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/httpserver"
	"github.com/partita/partita/internal/gateway/internal/testschema"
)

// What one attack may allocate in all, its sender included. That is more than what is held at a time. Work that
// allocates nothing is limited before it begins: each attack's answer says by which limit. BenchmarkAttacks has the
// times.
const (
	attackBytes   = 50 << 20
	attackObjects = 200_000
)

// An attack is one request as bytes, and the expected response.
type attack struct {
	name     string
	request  string
	statuses []int
	text     string // in the response
}

// rawRequest is an HTTP request to /graphql.
func rawRequest(method, target, body string, header ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: attacked\r\nConnection: close\r\n", method, target)
	for i := 0; i < len(header); i += 2 {
		fmt.Fprintf(&b, "%s: %s\r\n", header[i], header[i+1])
	}
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return b.String()
}

func rawJSON(body string) string {
	return rawRequest("POST", "/graphql", body, "Content-Type", "application/json",
		"Accept", "application/graphql-response+json")
}

func rawQuery(query string) string {
	body, err := json.Marshal(map[string]string{"query": query + attempt(0)})
	if err != nil {
		panic(err) // text is always JSON
	}
	return rawJSON(string(body))
}

// attempt is a comment that differs for each attempt, as a document that is known to be valid is not validated
// again.
func attempt(n int) string { return fmt.Sprintf(" #attempt %d", n) }

func rawVariables(variables string) string {
	const query = `query($i:Input,$ids:[ID!],$t:Color){describe(input:$i,ids:$ids,color:$t)}`
	return rawJSON(`{"query":"` + query + `","variables":` + variables + `}`)
}

func attacks(tb testing.TB) []attack {
	tb.Helper()
	const (
		malformed   = http.StatusBadRequest
		invalid     = http.StatusUnprocessableEntity
		unsupported = http.StatusUnsupportedMediaType
		notAllowed  = http.StatusMethodNotAllowed
	)
	nested := func(open, inner, end string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	return []attack{
		{"alias flooding", rawQuery("{" + repeat(`a#:__typename `, 600) + "}"), []int{invalid}, "more than"},
		{
			"alias flooding by fragments",
			rawQuery("{" + repeat(`a#:thing{...F} `, 40) + "} fragment F on Thing{" + repeat("b#:name ", 40) + "}"),
			[]int{invalid}, "200 aliases",
		},
		{"field flooding", rawQuery("{" + repeat("__typename ", 3200) + "}"), []int{malformed}, "2000 tokens"},
		{
			"field flooding within the tokens", rawQuery("{" + repeat("__typename ", 1990) + "}"),
			[]int{invalid}, "50 fields of the query",
		},
		{
			"field flooding further down", rawQuery("{thing{" + repeat("name ", 1990) + "}}"),
			[]int{invalid}, "same response name",
		},
		{
			"fields of the same name with other arguments", rawQuery("{" + repeat(`things(count:#){name} `, 800) + "}"),
			[]int{malformed}, "2000 tokens",
		},
		{
			"fields of the same name with other arguments, within the tokens",
			rawQuery("{" + repeat(`echo(text:"#") `, 330) + "}"), []int{invalid}, "50 fields of the query",
		},
		{
			"fields of the same name with other arguments, further down",
			rawQuery("{__schema{types{" + repeat(`fields(includeDeprecated:#){name} `, 200) + "}}}"),
			[]int{invalid}, "same response name",
		},
		{"unknown fields", rawQuery("{thing{" + repeat("f# ", 1900) + "}}"), []int{invalid}, "more errors"},
		{
			"unknown fields with long names", rawQuery("{thing{" + repeat(strings.Repeat("nam", 84)+"# ", 1900) + "}}"),
			[]int{invalid}, "more errors",
		},
		{"deep nesting", rawQuery("{" + nested("thing{", "name", "}", 600) + "}"), []int{invalid}, "deeper than 20 levels"},
		{
			"deep nesting of inline fragments",
			rawQuery("{" + nested("...{", "name name name name name name name name", "}", 600) + "}"),
			[]int{invalid}, "same response name",
		},
		{"brackets", rawQuery(strings.Repeat("{a", 500_000)), []int{malformed}, "2000 tokens"},
		{"list brackets", rawQuery("{echo(text:" + strings.Repeat("[", 1_000_000)), []int{malformed}, "2000 tokens"},
		{"object braces", rawQuery("{echo(text:" + strings.Repeat("{a:", 330_000)), []int{malformed}, "2000 tokens"},
		{"list types", rawQuery("query($a:" + strings.Repeat("[", 1_000_000)), []int{malformed}, "GRAPHQL_PARSE_FAILED"},
		{
			"list brackets within the tokens", rawQuery("{echo(text:" + nested("[", "", "]", 990) + ")}"),
			[]int{invalid}, "deeper than 20 levels",
		},
		{
			"circular fragments", rawQuery("{...F0}" + repeat("fragment F# on Query{...F0 ...F1 ...F2 ...F3 ...F4} ", 100)),
			[]int{invalid}, "within itself",
		},
		{
			"circular fragments through fields",
			rawQuery("{thing{...F}} fragment F on Thing{name ...G} fragment G on Thing{...F}"),
			[]int{invalid}, "within itself",
		},
		{"fragment bomb", rawQuery("{...F0}" + bomb(60)), []int{invalid}, "5000 fields"},
		{"fragment bomb beyond all numbers", rawQuery("{...F0}" + bomb(70)), []int{invalid}, "GRAPHQL_VALIDATION_FAILED"},
		{
			"fragment bomb that nobody spreads",
			rawQuery("{__typename} fragment X on Query{__schema{...F0}}" + strings.ReplaceAll(bomb(60), "Query", "__Schema")),
			[]int{invalid}, "5000 fields",
		},
		{
			"fragments spread often",
			rawQuery("{thing{" + repeat("...F# ", 170) + "}}" + repeat("fragment F# on Thing{a#:name}", 170)),
			[]int{invalid}, "same response name",
		},
		{
			"huge document", rawQuery("{__typename #" + strings.Repeat("x", 4<<20) + "}"),
			[]int{http.StatusRequestEntityTooLarge}, "1048576 bytes",
		},
		{"comments", rawQuery(strings.Repeat("#\n", 340_000) + "{__typename}"), []int{malformed}, "2000 tokens"},
		{
			"many operations",
			rawQuery(repeat("query Q#{...F}", 200) + "fragment F on Query{" + repeat("a#:__typename ", 50) + "}"),
			[]int{invalid}, "several operations",
		},
		{"huge variables", rawVariables(`{"t":"` + strings.Repeat("x", 900_000) + `"}`), []int{invalid}, "131072 bytes"},
		{
			"a long list of variables", rawVariables(`{"ids":[` + strings.Repeat("1,", 60_000) + `1]}`),
			[]int{invalid}, "200 items",
		},
		{"many variables", rawVariables("{" + repeat(`"v#":1,`, 9000) + `"t":1}`), []int{invalid}, "Color"},
		{
			"nested variables", rawVariables(`{"i":` + nested(`{"nested":`, "1", "}", 9000) + "}"),
			[]int{invalid}, "deeper than 20 levels",
		},
		{
			"variables nested further than JSON may be", rawVariables(nested(`{"a":`, "1", "}", 100_000)),
			[]int{malformed}, "not one valid JSON value",
		},
		{
			"nested lists in variables", rawVariables(`{"ids":` + nested("[", "1", "]", 9000) + "}"),
			[]int{invalid}, "deeper than 20 levels",
		},
		{"nested JSON", rawJSON(nested(`{"a":`, "1", "}", 170_000)), []int{malformed}, "not one valid JSON"},
		{
			"batching", rawJSON("[" + strings.Repeat(`{"query":"{__typename}"},`, 1000) + `{"query":"{__typename}"}]`),
			[]int{invalid}, "Arrays of operations",
		},
		{
			"introspection of types of types",
			rawQuery("{__schema{types{fields{type{name}}}types{fields{type{fields{type{fields{name}}}}}}}}"),
			[]int{invalid}, "introspection depth",
		},
		{
			"introspection through ofType", rawQuery("{__schema{types{" + nested("ofType{", "name", "}", 300) + "}}}"),
			[]int{invalid}, "deeper than 20 levels",
		},
		{
			"introspection under aliases",
			rawQuery("{__schema{" +
				repeat("a#:types{fields{args{type{name}} type{fields{args{type{name}} type{name}}}}} ", 40) + "}}"),
			[]int{invalid}, "more of the schema than it has",
		},
		{
			"directive flooding", rawQuery("{__typename " + strings.Repeat("@skip(if:false) ", 280) + "}"),
			[]int{invalid}, "5 directives",
		},
		{"unknown directives", rawQuery("{thing{" + repeat("a#:name @d# ", 180) + "}}"), []int{invalid}, "more errors"},
		{
			"repeated arguments", rawQuery("{echo(" + strings.Repeat(`text:"" `, 600) + ")}"),
			[]int{invalid}, "only one argument",
		},
		{
			"a long name in each error",
			rawQuery("query " + strings.Repeat("Q", 900_000) + "(" + repeat("$v# :Int ", 450) + "){ __typename }"),
			[]int{422}, "a name of more than 256 bytes",
		},
		{
			"a long alias in the paths of errors",
			rawQuery("{ " + strings.Repeat("a", 900_000) + ": things(count: 100) { broken } }"),
			[]int{422}, "a name of more than 256 bytes",
		},
		{
			"repeated input fields", rawQuery("{describe(input:{" + strings.Repeat(`name:"" `, 600) + "})}"),
			[]int{invalid}, "more errors",
		},
		{
			"mutation by GET",
			rawRequest("GET", "/graphql?query=mutation{touch}", "",
				"X-Requested-With", "attack", "Apollo-Require-Preflight", "1"),
			[]int{notAllowed}, "by POST",
		},
		{
			"mutation by GET under another method",
			rawRequest("GET", "/graphql?query=mutation{touch}", "",
				"X-HTTP-Method-Override", "POST", "Content-Type", "application/json"),
			[]int{notAllowed}, "by POST",
		},
		{
			"mutation by HEAD",
			rawRequest("HEAD", "/graphql?query=mutation{touch}", "", "Content-Type", "application/json"),
			[]int{notAllowed}, "",
		},
		{
			"mutation by a form",
			rawRequest("POST", "/graphql", "query=mutation%7Btouch%7D", "Content-Type", "application/x-www-form-urlencoded"),
			[]int{unsupported, http.StatusForbidden}, "errors",
		},
		{
			"mutation by a file form",
			rawRequest("POST", "/graphql",
				"--x\r\nContent-Disposition: form-data; name=\"query\"\r\n\r\nmutation{touch}\r\n--x--",
				"Content-Type", "multipart/form-data; boundary=x"),
			[]int{unsupported, http.StatusForbidden}, "errors",
		},
		{
			"mutation as text", rawRequest("POST", "/graphql", `{"query":"mutation{touch}"}`, "Content-Type", "text/plain"),
			[]int{unsupported, http.StatusForbidden}, "errors",
		},
		{
			"compressed bomb",
			rawRequest("POST", "/graphql", gzipped(tb, 100<<20), "Content-Type", "application/json", "Content-Encoding", "gzip"),
			[]int{unsupported}, "uncompressed",
		},
		{"malformed JSON", rawJSON(`{"query":`), []int{malformed}, "not one valid JSON"},
		{"malformed UTF-8", rawJSON("{\"query\":\"{echo(text:\\\"\xff\\\")}\"}"), []int{malformed}, "not valid UTF-8"},
		{"half a surrogate pair", rawJSON(`{"query":"\ud800"}`), []int{malformed}, "GRAPHQL_PARSE_FAILED"},
		{"null byte in the body", rawJSON("{\"query\":\"{__typename}\"}\x00"), []int{malformed}, "not one valid JSON"},
		{"null byte in the document", rawJSON(`{"query":"{__typename\u0000}"}`), []int{malformed}, "GRAPHQL_PARSE_FAILED"},
		{
			"null byte in a name", rawJSON(`{"query":"{__typename}","operationName":"\u0000"}`),
			[]int{invalid}, "OPERATION_RESOLUTION_FAILURE",
		},
		{"byte order mark", rawJSON("\ufeff" + `{"query":"{__typename}"}`), []int{malformed}, "not one valid JSON"},
		{"UTF-16", rawJSON("\x00{\x00\"\x00q\x00\""), []int{malformed}, "BAD_REQUEST"},
		{
			"duplicate properties", rawJSON(`{"query":"{__typename}","query":"mutation{touch}"}`),
			[]int{invalid}, "repeats a property",
		},
		{
			"oversized header",
			rawRequest("POST", "/graphql", "{}", "Content-Type", "application/json", "X-Large", strings.Repeat("x", 1<<20)),
			[]int{http.StatusRequestHeaderFieldsTooLarge}, "",
		},
		{
			"many headers",
			rawRequest("POST", "/graphql", "{}", strings.Split(strings.Repeat("X-A,b,", 20_000)+"X-A,b", ",")...),
			[]int{http.StatusRequestHeaderFieldsTooLarge}, "",
		},
		{
			"oversized URL", rawRequest("GET", "/graphql?query="+strings.Repeat("a", 1<<20), ""),
			[]int{http.StatusRequestHeaderFieldsTooLarge}, "",
		},
		{
			"a long Accept",
			rawRequest("POST", "/graphql", "{}",
				"Content-Type", "application/json", "Accept", strings.Repeat("a/b;q=0.1,", 3000)),
			[]int{http.StatusNotAcceptable}, "",
		},
		{
			"many URL parameters",
			rawRequest("GET", "/graphql?"+strings.Repeat("a=b&", 7000), "", "Content-Type", "application/json"),
			[]int{invalid, malformed}, "errors",
		},
		{"TRACE", rawRequest("TRACE", "/graphql", ""), []int{notAllowed}, ""},
		{"CONNECT", rawRequest("CONNECT", "/graphql", ""), []int{notAllowed}, ""},
		{
			"an invented method",
			rawRequest("GRAPHQL", "/graphql", `{"query":"mutation{touch}"}`, "Content-Type", "application/json"),
			[]int{notAllowed}, "",
		},
		{
			"a method in other letters",
			rawRequest("post", "/graphql", `{"query":"mutation{touch}"}`, "Content-Type", "application/json"),
			[]int{notAllowed}, "",
		},
		{
			"two lengths of the body",
			"POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", []int{malformed}, "",
		},
		{
			"a wrong length of the body", "POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
			[]int{malformed}, "",
		},
		{"no host", "GET /graphql HTTP/1.1\r\n\r\n", []int{malformed}, ""},
	}
}

// bomb is a chain of fragments. Each of them spreads the next one twice.
func bomb(levels int) string {
	var b strings.Builder
	for i := range levels {
		fmt.Fprintf(&b, " fragment F%d on Query { ...F%d ... { ...F%d } }", i, i+1, i+1)
	}
	fmt.Fprintf(&b, " fragment F%d on Query { __typename }", levels)
	return b.String()
}

func gzipped(tb testing.TB, size int) string {
	tb.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	for range size >> 20 {
		if _, err := w.Write(make([]byte, 1<<20)); err != nil {
			tb.Fatal(err)
		}
	}
	fatal.If(tb, w.Close())
	return out.String()
}

// attacked is a gateway on a port of its own.
func attacked(tb testing.TB, c gateway.Config) (addr string) {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(tb, err)
	served := make(chan error, 1)
	go func() {
		served <- httpserver.Serve(tb.Context(), listener, gateway.New(c), httpserver.Settings{Grace: time.Minute})
	}()
	tb.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		if err := <-served; err != nil {
			tb.Error(err)
		}
	})
	return listener.Addr().String()
}

// send writes a request and reads its answer.
func send(addr, request string) (status int, body string, err error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return 0, "", err
	}
	return exchange(conn, request)
}

// exchange is send for a connection. It closes the connection.
func exchange(conn net.Conn, request string) (status int, body string, err error) {
	defer conn.Close()
	go func() { _, _ = io.WriteString(conn, request) }() // an error may be returned before its end
	method, _, _ := strings.Cut(request, " ")
	response, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, string(text), err
}

// answersMeanwhile fails the test unless a normal query is answered.
func answersMeanwhile(t *testing.T, addr string) {
	t.Helper()
	a := post(t, "http://"+addr, `{ echo(text: "still here") }`, nil)
	if a.status != http.StatusOK || string(a.result.Data) != `{"echo":"still here"}` {
		t.Errorf("a normal query got %d %s", a.status, a.body)
	}
}

// allocated is what the process has allocated so far.
func allocated() (bytes, objects uint64) {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc, stats.Mallocs
}

// TestAttacks: the response to each attack names the limit that it exceeds, and its allocations are limited. The
// least of three attempts counts, as other goroutines allocate, too.
func TestAttacks(t *testing.T) {
	c, _ := config(t)
	addr := attacked(t, c)
	answersMeanwhile(t, addr)
	for _, a := range attacks(t) {
		t.Run(a.name, func(t *testing.T) {
			memory, objects := uint64(math.MaxUint64), uint64(math.MaxUint64)
			for n := range 3 {
				request := strings.Replace(a.request, attempt(0), attempt(n), 1)
				memoryBefore, objectsBefore := allocated()
				status, body, err := send(addr, request)
				memoryAfter, objectsAfter := allocated()
				memory, objects = min(memory, memoryAfter-memoryBefore), min(objects, objectsAfter-objectsBefore)
				if err != nil || !slices.Contains(a.statuses, status) || !strings.Contains(body, a.text) {
					t.Fatalf("got %d %.300s, %v, want %v %q", status, body, err, a.statuses, a.text)
				}
				if len(body) > 64<<10 && status != http.StatusOK {
					t.Errorf("the error response has %d bytes", len(body))
				}
			}
			t.Logf("%d kB, %d objects", memory>>10, objects)
			if memory > attackBytes || objects > attackObjects {
				t.Errorf("%d bytes in %d objects were allocated, want at most %d in %d",
					memory, objects, attackBytes, attackObjects)
			}
			sent := make(chan error, 1)
			go func() { _, _, err := send(addr, a.request); sent <- err }()
			answersMeanwhile(t, addr)
			if err := <-sent; err != nil {
				t.Error(err)
			}
		})
	}
}

// BenchmarkAttacks times each attack, from the first byte of the request to the last of the response.
func BenchmarkAttacks(b *testing.B) {
	addr := attacked(b, gateway.Config{
		Schema:     schema(&testschema.Resolver{}),
		Monitoring: gateway.Monitoring{Logger: slog.New(slog.DiscardHandler)},
	})
	for _, a := range attacks(b) {
		b.Run(a.name, func(b *testing.B) {
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				request := strings.Replace(a.request, attempt(0), attempt(n), 1)
				if _, _, err := send(addr, request); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
