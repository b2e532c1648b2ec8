package exampletest

import (
	"encoding/json"
	"log/slog"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/executors"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/viewer"
)

// Tenants are services of several tenants over one table.
type Tenants struct {
	example *Example
	keys    *keyWatch
	// Services are those of the tenants by name.
	Services map[string]*Service
}

// ServeTenants serves the folder over one table, for tenants with these lines of data.
func (e *Example) ServeTenants(tb testing.TB, data map[string]string) *Tenants {
	tb.Helper()
	design := e.Schema.WithoutGo()
	schema := table.SchemaOf(design)
	plain := tabletest.Start(tb, schema)
	schema.Tenants = true
	engine := plain.With(tb, schema)
	all := &Tenants{example: e, keys: watchKeys(tb, schema, engine.Settings.Endpoint), Services: map[string]*Service{}}
	settings := engine.Settings
	settings.Endpoint = all.keys.url
	watched, err := table.Open(tb.Context(), settings, schema, slog.New(slog.DiscardHandler))
	fatal.If(tb, err)
	tb.Cleanup(func() { _ = watched.Close() })
	for tenant, lines := range data {
		ctx := request.WithTenant(tb.Context(), tenant)
		if _, err := admin.Load(ctx, engine.Table, strings.NewReader(lines)); err != nil {
			tb.Fatal(err)
		}
		all.Services[tenant] = &Service{
			Example: e, Engine: engine, tenant: tenant, names: names{design: design},
			handler: handler(answer.NewFolder(e.Schema.AST), design, watched, false),
		}
	}
	return all
}

// Run sends the operations of operations.txt as each tenant: answers and requests are those of a table of its own. The
// keys of all requests begin with the tenant.
func (a *Tenants) Run(t *testing.T) {
	t.Helper()
	for tenant, s := range a.Services {
		a.keys.begin(tenant)
		s.Run(t)
		a.keys.check(t)
	}
}

// Compare sends random operations until each field of the schema was selected, with values of all tenants, and the next
// pages of their connections. To each tenant, the answers and the requests must be those of a table that has its data
// alone; cursors of others must be rejected.
func (a *Tenants) Compare(t *testing.T, data map[string]string) {
	t.Helper()
	alone := map[string]*Service{}
	var items []item.Item
	for tenant, lines := range data {
		s := a.example.serveData(t, lines)
		alone[tenant], items = s, append(items, contents(t, s.Engine)...)
	}
	schema := a.example.Schema.AST
	generator := executors.NewGenerator(schema, a.example.Schema.Design, slices.Values(items))
	random, left := rand.New(rand.NewPCG(7, 11)), fieldsOf(schema)
	names := slices.Sorted(maps.Keys(data))
	for n := 0; n < minOperations || len(left) > 0 && n < maxOperations; n++ {
		o := generator.Operation(random)
		selected(t, schema, o.Document, left)
		seed := random.Uint64()
		var foreign executors.Operation
		for _, tenant := range names {
			data := a.same(t, tenant, alone[tenant], o, o)
			if foreign.Document != "" {
				a.same(t, tenant, alone[tenant], foreign, withoutCursors(o, foreign))
			}
			next, found := o.Next(rand.New(rand.NewPCG(seed, 1)), data[0])
			if !found {
				continue
			}
			own, _ := o.Next(rand.New(rand.NewPCG(seed, 1)), data[1])
			a.same(t, tenant, alone[tenant], next, own)
			foreign = next
		}
		if t.Failed() {
			t.Fatalf("operation %d: %s %v", n, o.Document, o.Variables)
		}
	}
	if len(left) > 0 {
		t.Errorf("never selected: %v", slices.Sorted(maps.Keys(left)))
	}
}

// withoutCursors returns the next pages of an operation with a text that is no cursor.
func withoutCursors(o, next executors.Operation) executors.Operation {
	next.Variables = maps.Clone(next.Variables)
	for name := range next.Variables {
		if _, given := o.Variables[name]; !given {
			next.Variables[name] = "no cursor"
		}
	}
	return next
}

const minOperations, maxOperations = 60, 2000

// same compares the answer to a tenant with that of a table with its data alone, which gets its own cursors. It returns
// the data of both.
func (a *Tenants) same(t *testing.T, tenant string, alone *Service, shared, own executors.Operation) [2]any {
	t.Helper()
	a.keys.begin(tenant)
	body, requests := a.Services[tenant].operation(t, shared)
	a.keys.check(t)
	want, wantRequests := alone.operation(t, own)
	if diff := cmp.Diff(masked(t, want), masked(t, body)); diff != "" {
		t.Errorf("%s: -alone +shared\n%s", tenant, diff)
	}
	if diff := cmp.Diff(wantRequests, requests); diff != "" {
		t.Errorf("%s: requests: -alone +shared\n%s", tenant, diff)
	}
	return [2]any{executors.Response{Body: body}.Data(), executors.Response{Body: want}.Data()}
}

// operation sends an operation as a viewer who may read everything.
func (s *Service) operation(t *testing.T, o executors.Operation) (body string, requests []string) {
	t.Helper()
	parameters, err := executors.Body(o.Document, o.Variables)
	fatal.If(t, err)
	return s.post(t, viewer.Viewer{ID: "ada", Roles: []string{"ADMIN"}}, parameters)
}

// masked returns the data and the errors of a response, with a mark in place of cursors: those of two tenants differ.
func masked(t *testing.T, body string) any {
	t.Helper()
	var response map[string]any
	fatal.If(t, json.Unmarshal([]byte(cursorText.ReplaceAllString(body, `"cursor"`)), &response))
	delete(response, "extensions") // units differ by the length of the tenant
	return response
}

// cursorText matches cursors by their version, which begins no global id.
var cursorText = regexp.MustCompile(`"A[g-v][A-Za-z0-9_-]{20,}"`)

// contents returns all items of a table.
func contents(tb testing.TB, e *tabletest.Engine) []item.Item {
	tb.Helper()
	result, err := admin.Scanner{Table: e.Table}.Scan(tb.Context(), admin.Scan{})
	if err != nil || !result.Last.IsZero() {
		tb.Fatal("the data of an example are one page", err)
	}
	return result.Items
}

// fieldsOf returns the fields of all object types that a query can select, such as Order.total.
func fieldsOf(schema *ast.Schema) map[string]bool {
	all := map[string]bool{}
	var add func(*ast.Definition)
	add = func(def *ast.Definition) {
		for _, object := range schema.GetPossibleTypes(def) {
			for _, f := range object.Fields {
				if name := object.Name + "." + f.Name; !all[name] && !strings.HasPrefix(f.Name, "__") {
					all[name] = true
					add(schema.Types[f.Type.Name()])
				}
			}
		}
	}
	add(schema.Query)
	return all
}

// selected removes the fields that a document selects.
func selected(t *testing.T, schema *ast.Schema, document string, left map[string]bool) {
	t.Helper()
	doc, err := gqlparser.LoadQueryWithRules(schema, document, rules.NewDefaultRules())
	if len(err) > 0 {
		t.Fatal(err)
	}
	var walk func(ast.SelectionSet)
	walk = func(set ast.SelectionSet) {
		for _, s := range set {
			switch s := s.(type) {
			case *ast.Field:
				for _, object := range schema.GetPossibleTypes(s.ObjectDefinition) {
					delete(left, object.Name+"."+s.Name)
				}
				walk(s.SelectionSet)
			case *ast.InlineFragment:
				walk(s.SelectionSet)
			}
		}
	}
	for _, o := range doc.Operations {
		walk(o.SelectionSet)
	}
	for _, f := range doc.Fragments {
		walk(f.SelectionSet)
	}
}
