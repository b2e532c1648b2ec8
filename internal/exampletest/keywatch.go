package exampletest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/table"
)

// keyWatch is a proxy that finds partition keys in requests that do not begin with the tenant whose turn it is.
type keyWatch struct {
	schema table.Schema
	url    string

	mu     sync.Mutex
	prefix string
	wrong  []string
}

func watchKeys(tb testing.TB, schema table.Schema, endpoint string) *keyWatch {
	tb.Helper()
	to, err := url.Parse(endpoint)
	fatal.If(tb, err)
	w := &keyWatch{schema: schema}
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }}
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		body, err := io.ReadAll(in.Body)
		if err != nil {
			tb.Error(err)
		}
		w.inspect(body)
		in.Body = io.NopCloser(bytes.NewReader(body))
		forward.ServeHTTP(out, in)
	}))
	tb.Cleanup(server.Close)
	w.url = server.URL
	return w
}

func (w *keyWatch) begin(tenant string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.prefix = tenant + w.schema.Layout().Delimiter
}

func (w *keyWatch) check(t *testing.T) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, text := range w.wrong {
		t.Errorf("a request without %s before its partition keys: %s", w.prefix, text)
	}
	w.wrong = nil
}

// assignment matches what an expression compares or sets: a name and a value.
var assignment = regexp.MustCompile(`(#\w+) = (:\w+)`)

// inspect looks for partition keys in the body of a request: in keys and items by their names, and in expressions.
func (w *keyWatch) inspect(body []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	partitions := map[string]bool{}
	for _, index := range append([]string{""}, w.schema.Indexes...) {
		partitions[w.schema.Layout().Index(index).PK[0].Name] = true
	}
	own := func(v any) bool {
		value, _ := v.(map[string]any)
		text, is := value["S"].(string)
		return is && strings.HasPrefix(text, w.prefix)
	}
	found := 0
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			names, _ := v["ExpressionAttributeNames"].(map[string]any)
			values, _ := v["ExpressionAttributeValues"].(map[string]any)
			for _, clause := range []string{"KeyConditionExpression", "UpdateExpression", "ConditionExpression"} {
				text, _ := v[clause].(string)
				for _, m := range assignment.FindAllStringSubmatch(text, -1) {
					if name, _ := names[m[1]].(string); partitions[name] {
						if found++; !own(values[m[2]]) {
							w.wrong = append(w.wrong, string(body))
						}
					}
				}
			}
			for name, e := range v {
				if _, isValue := e.(map[string]any); isValue && partitions[name] {
					if found++; !own(e) {
						w.wrong = append(w.wrong, string(body))
					}
				}
				walk(e)
			}
		}
	}
	var decoded any
	if err := json.Unmarshal(body, &decoded); err != nil {
		w.wrong = append(w.wrong, err.Error())
		return
	}
	if walk(decoded); found == 0 {
		w.wrong = append(w.wrong, string(body))
	}
}
