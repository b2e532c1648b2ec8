package table_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/partita/partita/internal/soak" // the cases of rapid
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
)

// scripted is an endpoint that answers by a function.
func scripted(t testing.TB, bySDK bool, answer http.HandlerFunc) *table.Table {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	opened := must(table.Open(t.Context(), table.Settings{Endpoint: s.URL, BySDK: bySDK}, schema, discard))
	t.Cleanup(func() { opened.Close() })
	return opened
}

// TestRequestsOfBothWays: the wire sends what the SDK sends.
func TestRequestsOfBothWays(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var last struct {
		header http.Header
		body   any
	}
	record := func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		last.header, last.body = r.Header, nil
		if err := json.NewDecoder(r.Body).Decode(&last.body); err != nil {
			t.Error(err)
		}
		_, _ = io.WriteString(w, "{}")
	}
	wire, sdk := scripted(t, false, record), scripted(t, true, record)
	special := rapid.SampledFrom([]string{"", "\x00\x1f\"\\\u2028<>&", "\xff\xc3", "ü\U0001F600"})
	text := rapid.OneOf(rapid.String(), special)
	key := rapid.Custom(func(t *rapid.T) keys.Key {
		return keys.Key{PK: keys.PK(text.Draw(t, "pk")), SK: keys.SK(text.Draw(t, "sk"))}
	})
	rapid.Check(t, func(rt *rapid.T) {
		var send func(*table.Table) (request.Result, error)
		switch rapid.IntRange(0, 2).Draw(rt, "operation") {
		case 0:
			r := request.GetItem{Key: key.Draw(rt, "key"), Consistent: rapid.Bool().Draw(rt, "consistent")}
			send = func(t *table.Table) (request.Result, error) { return t.GetItem(rt.Context(), r) }
		case 1:
			r := request.BatchGetItem{
				Keys: rapid.SliceOfN(key, 1, 5).Draw(rt, "keys"), Consistent: rapid.Bool().Draw(rt, "consistent"),
			}
			send = func(t *table.Table) (request.Result, error) { return t.BatchGetItem(rt.Context(), r) }
		default:
			r := request.Query{
				Index: rapid.SampledFrom([]string{"", "GSI1"}).Draw(rt, "index"), PK: keys.PK(text.Draw(rt, "pk")),
				Prefix: keys.SK(text.Draw(rt, "prefix")), From: keys.SK(text.Draw(rt, "from")), To: keys.SK(text.Draw(rt, "to")),
				Descending: rapid.Bool().Draw(rt, "descending"), Limit: rapid.IntRange(0, 1000).Draw(rt, "limit"),
				Consistent: rapid.Bool().Draw(rt, "consistent"),
			}
			if rapid.Bool().Draw(rt, "continued") {
				r.Start = keys.Position{SK: keys.SK(text.Draw(rt, "start")), Base: key.Draw(rt, "base")}
			}
			send = func(t *table.Table) (request.Result, error) { return t.Query(rt.Context(), r) }
		}
		must(send(wire))
		got := last
		must(send(sdk))
		if !reflect.DeepEqual(got.body, last.body) {
			rt.Errorf("body: got\n%v\nwant\n%v", got.body, last.body)
		}
		for _, name := range []string{"Content-Type", "X-Amz-Target", "Accept-Encoding"} {
			if !reflect.DeepEqual(got.header[name], last.header[name]) {
				rt.Errorf("%s: got %q, want %q", name, got.header[name], last.header[name])
			}
		}
	})
}

// TestErrorClasses: which errors are retried, which of them are throttling, and what they are at last.
func TestErrorClasses(t *testing.T) {
	t.Parallel()
	hour := time.Now().Add(time.Hour)
	for _, c := range []struct {
		name      string
		status    int
		header    [2]string
		body      string
		date      time.Time
		retried   bool
		throttled bool
		want      error
	}{
		{name: "throughput", status: 400, body: code("ProvisionedThroughputExceededException"),
			retried: true, throttled: true},
		{name: "throttling", status: 400, body: code("ThrottlingException"), retried: true, throttled: true},
		{name: "request limit", status: 400, body: code("RequestLimitExceeded"), retried: true, throttled: true},
		{name: "code in a header", status: 400, header: [2]string{"X-Amzn-ErrorType", "ThrottlingException:http://x/"},
			body: "{}", retried: true, throttled: true},
		{name: "code in another member", status: 400, body: `{"code":"a#ThrottlingException"}`,
			retried: true, throttled: true},
		{name: "timeout", status: 400, body: code("RequestTimeout"), retried: true},
		{name: "internal", status: 500, body: code("InternalServerError"), retried: true},
		{name: "no body", status: 500, retried: true},
		{name: "gateway", status: 502, body: "<html>", retried: true},
		{name: "unavailable", status: 503, body: "{}", retried: true},
		{name: "gateway timeout", status: 504, body: "{}", retried: true},
		{name: "not implemented", status: 501, body: "{}", want: request.ErrUnavailable},
		{name: "redirect", status: 307, body: "{}"},
		{name: "validation", status: 400, body: code("ValidationException")},
		{name: "no code", status: 400, body: "{}"},
		{name: "not JSON", status: 400, body: "<html>"},
		{name: "denied", status: 400, body: code("AccessDeniedException"), want: request.ErrAccessDenied},
		{name: "no table", status: 400, body: code("ResourceNotFoundException"), want: request.ErrNoTable},
		{name: "signature", status: 400, body: code("InvalidSignatureException"), want: request.ErrAccessDenied},
		{name: "clock", status: 400, body: code("InvalidSignatureException"), date: hour, retried: true},
		{name: "clock of a cache", status: 400, header: [2]string{"Age", "1"}, date: hour,
			body: code("InvalidSignatureException"), want: request.ErrAccessDenied},
		{name: "validation and clock", status: 400, body: code("ValidationException"), date: hour},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			const failures = 2
			var mu sync.Mutex
			var signed []time.Time
			opened := scripted(t, tabletest.BySDK, func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				at, err := time.Parse("20060102T150405Z", r.Header.Get("X-Amz-Date"))
				if err != nil {
					t.Error(err)
				}
				if signed = append(signed, at); len(signed) > failures || !c.date.IsZero() && c.retried && len(signed) > 1 {
					_, _ = io.WriteString(w, `{"Item":{"PK":{"S":"A"}}}`)
					return
				}
				if c.header[0] != "" {
					w.Header().Set(c.header[0], c.header[1])
				}
				if !c.date.IsZero() {
					w.Header().Set("Date", c.date.UTC().Format(http.TimeFormat))
				}
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			})
			got, err := opened.GetItem(t.Context(), request.GetItem{Key: aKey})
			mu.Lock()
			defer mu.Unlock()
			wantThrottles := 0
			if c.throttled {
				wantThrottles = failures
			}
			if (err == nil) != c.retried || got.Retries != len(signed)-1 || got.Throttles != wantThrottles {
				t.Errorf("got %+v after %d requests, and %v", got, len(signed), err)
			}
			if !c.retried && len(signed) != 1 {
				t.Errorf("%d requests", len(signed))
			}
			for _, class := range []error{
				request.ErrThrottled, request.ErrUnavailable, request.ErrTimeout, request.ErrAccessDenied, request.ErrNoTable,
			} {
				if errors.Is(err, class) != errors.Is(c.want, class) {
					t.Errorf("got %v, want %v", err, c.want)
				}
			}
			if c.retried && !c.date.IsZero() && c.date.Sub(signed[1]).Abs() > 10*time.Minute {
				t.Errorf("signed at %v after the clock was known to be at %v", signed[1], c.date)
			}
		})
	}
}

func code(name string) string {
	return fmt.Sprintf(`{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":"made by the test"}`, name)
}
