package gateway_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/internal/testschema"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/viewer"
)

// planning is a gateway with an Engine, and a budget for one operation.
func planning(t *testing.T) (gateway.Config, *meter, *log) {
	t.Helper()
	c, lines := config(t)
	e := withEngine(&c)
	e.price = costing(plan.Price{ReadUnits: 4})
	c.Consumption.Budget = operation.Budget{Maximum: 4, Restore: 1e-9}
	return c, e, lines
}

// noReads is the plan of an operation that reads nothing.
const noReads = `{"estimatedReadUnits":0,"estimatedWriteUnits":0,"estimatedObjects":1,"requests":0,"waves":[]}`

func planOf(t *testing.T, server, body string, header ...string) answer {
	t.Helper()
	header = append([]string{"Content-Type", "application/json"}, header...)
	return do(t, server, http.MethodPost, "/plan", body, header...)
}

// TestPlan: the plan is that of the named operation with coerced variables. The operation is not executed.
func TestPlan(t *testing.T) {
	c, e, lines := planning(t)
	bound := ""
	e.price = func(b *plan.Bound) (plan.Price, error) {
		bound = b.Operation.Name
		return plan.Price{ReadUnits: 4}, nil
	}
	e.cost = func(context.Context) loaders.Cost {
		if bound != "Last" {
			t.Errorf("%s is executed", bound)
		}
		return loaders.Cost{}
	}
	server := serve(t, c)
	for _, test := range []struct{ body, operation, plan string }{
		{
			`{"query": "query A($of: String! = \"Query\") { __type(name: $of) { fields { name type { name } } } } ` +
				`mutation B { touch }", "operationName": "A"}`,
			"A", strings.Replace(noReads, `Objects":1`, `Objects":2`, 1), // with the fields of the type
		},
		{
			`{"query": "query A { thing { name } } mutation B { touch }", "operationName": "B"}`,
			"B", noReads,
		},
	} {
		a := planOf(t, server, test.body)
		if a.status != http.StatusOK || a.body != `{"plan":`+test.plan+`}` || bound != test.operation {
			t.Errorf("%s: got %d %s of %s", test.body, a.status, a.body, bound)
		}
		if a.header.Get("Content-Type") != "application/json" || a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: got the headers %v", test.body, a.header)
		}
	}
	for _, part := range []string{`"msg":"plan"`, `"operation":"A"`, `"estimatedReadUnits":4`, `"status":200`} {
		if !strings.Contains(lines.String(), part) {
			t.Errorf("the log does not have %s: %s", part, lines)
		}
	}
	// The budget is enough for one operation, and plans have not used it.
	if a := post(t, server, `query Last { __typename }`, nil); a.status != http.StatusOK {
		t.Errorf("got %d %s", a.status, a.body)
	}
}

// TestPlanOfARejectedOperation: an operation that costs too much has a plan, which shows why.
func TestPlanOfARejectedOperation(t *testing.T) {
	c, e, _ := planning(t)
	e.price = func(*plan.Bound) (plan.Price, error) {
		return plan.Price{}, testschema.CodedError{Text: "Too much.", ErrorCode: "COST_LIMIT"}
	}
	a := planOf(t, serve(t, c), `{"query": "query A { __typename }"}`)
	want := `{"plan":` + noReads + `,"errors":[{"message":"Too much.","extensions":{"code":"COST_LIMIT"}}]}`
	if a.status != http.StatusOK || a.body != want {
		t.Errorf("got %d %s, want %s", a.status, a.body, want)
	}
}

// TestRequestErrorsOfPlan: the request errors of /plan are those of /graphql.
func TestRequestErrorsOfPlan(t *testing.T) {
	c, _, _ := planning(t)
	c.Callers.Authenticate = func(r *http.Request) (viewer.Viewer, error) {
		switch r.Header.Get("Authorization") {
		case "bad":
			return viewer.Viewer{}, testschema.CodedError{Text: "Sign in again.", ErrorCode: "UNAUTHENTICATED"}
		case "broken":
			return viewer.Viewer{}, errors.New("secret failure")
		}
		return viewer.Viewer{}, nil
	}
	server := serve(t, c)
	typename := `{"query": "{ __typename }"}`
	for name, test := range map[string]struct {
		body   string
		header []string
		status int
	}{
		"syntax":           {`{"query": "{"}`, nil, 400},
		"not valid":        {`{"query": "{ nope }"}`, nil, 422},
		"no such name":     {`{"query": "{ __typename }", "operationName": "A"}`, nil, 422},
		"variable":         {`{"query": "query($to: Int!) { count(to: $to) }", "variables": {"to": "a"}}`, nil, 422},
		"no document":      {`{}`, nil, 422},
		"too large":        {`{"query": "` + strings.Repeat(" ", 1<<20) + `"}`, nil, 413},
		"no JSON":          {typename, []string{"Content-Type", "text/plain"}, 415},
		"foreign page":     {typename, []string{"Sec-Fetch-Site", "cross-site"}, 403},
		"no viewer":        {typename, []string{"Authorization", "bad"}, 401},
		"a failure inside": {typename, []string{"Authorization", "broken", "X-Request-Id", "1"}, 500},
	} {
		header := append([]string{"Content-Type", "application/json"}, test.header...)
		got := do(t, server, http.MethodPost, "/plan", test.body, header...)
		want := do(t, server, http.MethodPost, "/graphql", test.body, header...)
		if got.status != test.status || got.status != want.status || got.body != want.body ||
			got.header.Get("Content-Type") != want.header.Get("Content-Type") {
			t.Errorf("%s: got %d %s, want %d %s", name, got.status, got.body, want.status, want.body)
		}
	}
	a := do(t, server, http.MethodGet, "/plan?query={__typename}", "")
	if a.status != http.StatusMethodNotAllowed || a.header.Get("Allow") != "OPTIONS, POST" {
		t.Errorf("GET: %d", a.status)
	}
}

// TestPlanSwitchedOff: a plan contains keys, so that /plan requires introspection. The page has the panel only if
// there is a /plan.
func TestPlanSwitchedOff(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*gateway.Config)
		status int
	}{
		"introspection":    {func(*gateway.Config) {}, http.StatusOK},
		"no introspection": {func(c *gateway.Config) { c.Documents.DisableIntrospection = true }, http.StatusNotFound},
		"no plan":          {func(c *gateway.Config) { c.Engine = nil }, http.StatusNotFound},
	} {
		c, _, _ := planning(t)
		test.change(&c)
		server := serve(t, c)
		if a := planOf(t, server, `{"query": "{ __typename }"}`); a.status != test.status {
			t.Errorf("%s: got %d %s", name, a.status, a.body)
		}
		page := do(t, server, http.MethodGet, "/", "")
		if page.status == http.StatusOK && strings.Contains(page.body, `"plan":"/plan"`) != (test.status == http.StatusOK) {
			t.Errorf("%s: the page has %s", name, page.body)
		}
	}
}

// TestMeasured: a response has what the Reads of the plan have consumed if the request asks for it, and if the gateway
// serves plans.
func TestMeasured(t *testing.T) {
	c, _ := config(t)
	withEngine(&c)
	for name, test := range map[string]struct {
		introspects bool
		header      []string
		want        string
		caching     string
	}{
		"asked":             {true, []string{"Partita-Plan", "measured"}, `,"plan":{"requests":[]}}`, "no-store"},
		"not asked":         {true, nil, "", "public, max-age=60"},
		"another value":     {true, []string{"Partita-Plan", "1"}, "", "no-store"},
		"without the plans": {false, []string{"Partita-Plan", "measured"}, "", "public, max-age=60"},
	} {
		c := c
		c.Documents.DisableIntrospection = !test.introspects
		a := do(t, serve(t, c), http.MethodGet, "/graphql?query={echo(text:%22a%22)}", "", test.header...)
		if got := strings.Contains(a.body, `"plan"`); a.status != http.StatusOK || got != (test.want != "") {
			t.Errorf("%s: got %d %s", name, a.status, a.body)
		}
		if !strings.Contains(a.body, test.want) || a.header.Get("Cache-Control") != test.caching {
			t.Errorf("%s: got %s, %v", name, a.body, a.header)
		}
	}
}
