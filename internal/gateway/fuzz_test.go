package gateway_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/internal/testschema"
	"github.com/partita/partita/internal/gateway/operation"
)

// checked is the handler of a gateway. Its responses are checked for what is true of all responses.
type checked struct{ handler http.Handler }

func newChecked() checked {
	return checked{gateway.New(gateway.Config{
		Schema:     schema(&testschema.Resolver{}),
		Monitoring: gateway.Monitoring{Logger: slog.New(slog.DiscardHandler)},
		Limits:     operation.Limits{OperationTimeout: 50 * time.Millisecond}, // for the fields that wait
	})}
}

func (c checked) post(t *testing.T, body []byte) {
	request := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/graphql-response+json")
	recorder := httptest.NewRecorder()
	c.handler.ServeHTTP(recorder, request)
	executed := recorder.Code == http.StatusOK || recorder.Code == 294
	errorStatuses := []int{
		http.StatusBadRequest, http.StatusRequestEntityTooLarge,
		http.StatusUnprocessableEntity, http.StatusServiceUnavailable,
	}
	if !executed && !slices.Contains(errorStatuses, recorder.Code) {
		t.Fatalf("got %d %s", recorder.Code, recorder.Body)
	}
	var result struct {
		Data   json.RawMessage
		Errors []struct {
			Message    string
			Extensions struct{ Code string }
		}
	}
	decoder := json.NewDecoder(recorder.Body)
	if err := decoder.Decode(&result); err != nil || decoder.More() {
		t.Fatalf("the answer is no JSON: %v", err)
	}
	failed := recorder.Code != http.StatusOK
	if (result.Data != nil) != executed || (len(result.Errors) > 0) != failed || len(result.Errors) > 26 {
		t.Errorf("%d has the data %s and %d errors", recorder.Code, result.Data, len(result.Errors))
	}
	for _, err := range result.Errors {
		if err.Extensions.Code == "" || err.Message == "" {
			t.Errorf("an error has the code %q and the message %q", err.Extensions.Code, err.Message)
		}
		for _, internal := range []string{"json:", "interface {}", "map[string]", "testschema", "gqlgen", "runtime error"} {
			if strings.Contains(err.Message, internal) && !bytes.Contains(body, []byte(internal)) {
				t.Errorf("the message has Go terms: %s", err.Message)
			}
		}
	}
}

// FuzzBody sends any bytes as the body of a request.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		"", "null", "[]", `{}`, `{"query":`, `{"query":null}`, "\ufeff{}", "\x00",
		`{"query":"\ud800"}`, "{\"query\":\"\xff\"}",
		`{"query":"{__typename}"}`,
		`{"query":"{__typename}","query":""}`,
		`{"query":"query A($n:Int!=3){count(to:$n)} mutation B{touch}",` +
			`"operationName":"A","variables":{"n":1e1},"extensions":{}}`,
		`{"query":"{a:echo(text:\"\\u00e9\"),...F @skip(if:false)} fragment F on Query{thing{...on Thing{name broken}}}"}`,
		`{"query":"{describe(input:{name:\"a\",tags:[\"b\"],nested:{name:\"c\",choice:{a:1}}},` +
			`color:RED,ids:[1],ratio:1.5,flag:true)}"}`,
		`{"query":"{fail(how:PLAIN) things(count:2){broken} at(time:\"x\")}"}`,
		`{"query":"{__schema{types{fields{type{ofType{name}}}}} __type(name:\"Thing\"){name}}"}`,
		`{"query":"subscription{a}"}`,
		`{"query":"{echo(text:\"\"\"a\n  b\"\"\")} # end"}`,
		`[{"query":"{__typename}"}]`,
	} {
		f.Add([]byte(seed))
	}
	c := newChecked()
	f.Fuzz(func(t *testing.T, body []byte) {
		c.post(t, body)
	})
}

// FuzzVariables sends any JSON as the variables of an operation with a variable of each kind.
func FuzzVariables(f *testing.F) {
	const query = `query($i:Input,$c:Color,$ids:[ID!],$r:Float,$f:Boolean,$s:String="s",$n:Int=1,` +
		`$t:Time="2026-01-02T03:04:05Z")` +
		`{describe(input:$i,color:$c,ids:$ids,ratio:$r,flag:$f) echo(text:$s) count(to:$n) at(time:$t)}`
	for _, seed := range []string{
		`{}`, `null`, `[]`, `"x"`, `7`, `{"n":"10"}`, `{"n":10.0,"r":1e400}`, `{"n":-0,"r":-1}`,
		`{"n":null,"s":null,"t":null}`,
		`{"i":{"name":"a","count":null,"tags":"b","nested":{"name":"c","choice":{"a":1}}}}`,
		`{"i":{"name":"a","choice":{"a":null,"b":"x"}}}`, `{"i":{"name":"a","choice":{}}}`, `{"i":{"nam":"a"}}`,
		`{"c":"RED","ids":["a",7,1.5],"f":"true"}`, `{"ids":[[["a"]]],"c":"red"}`, `{"t":"tomorrow"}`, `{"t":1,"s":["x"]}`,
		`{"n":99999999999999999999,"ids":12345678901234567890}`, `{"s":"\ud800\u0000"}`, `{"n":1,"n":2}`,
	} {
		f.Add([]byte(seed))
	}
	quoted, err := json.Marshal(query)
	fatal.If(f, err)
	c := newChecked()
	f.Fuzz(func(t *testing.T, variables []byte) {
		c.post(t, slices.Concat([]byte(`{"query":`), quoted, []byte(`,"variables":`), variables, []byte("}")))
	})
}
