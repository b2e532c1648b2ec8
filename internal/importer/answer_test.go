package importer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/table"
)

// service is a gateway with an imported schema over the table that it was imported from.
type service struct {
	*directives.Schema
	ast     *ast.Schema
	table   *table.Table
	handler http.Handler
	// items are those of the table.
	items []item.Item
}

// serve creates a table with the items as the imported schema describes it, and a gateway.
func serve(t *testing.T, items []item.Item, text string) *service {
	t.Helper()
	parsed, err := directives.Load(&ast.Source{Name: "schema.graphqls", Input: text})
	fatal.If(t, err)
	schema, err := directives.Read(parsed)
	fatal.If(t, err)
	engine := tabletest.Start(t, table.SchemaOf(schema.Design))
	engine.Load(t, items...)
	s := &service{Schema: schema, ast: parsed, table: engine.Table, items: items}
	s.handler = gateway.New(gateway.Config{
		Schema:     withoutGo{parsed},
		Engine:     loaders.New(schema.Design, parsed, engine.Table, loaders.Options{}),
		Monitoring: gateway.Monitoring{Logger: slog.New(slog.DiscardHandler)},
	})
	return s
}

// withoutGo is a schema without resolvers: directives serve all its fields.
type withoutGo struct{ schema *ast.Schema }

func (s withoutGo) Schema() *ast.Schema { return s.schema }

func (withoutGo) Complexity(context.Context, string, string, int, map[string]any) (int, bool) {
	return 0, false
}

func (withoutGo) Exec(context.Context) graphql.ResponseHandler {
	return graphql.OneShot(graphql.ErrorResponse(context.Background(), "a field has no directive"))
}

// ask returns the data of an operation, which must have no errors.
func (s *service) ask(t *testing.T, query string) json.RawMessage {
	t.Helper()
	data, err := s.answer(t, query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return data
}

// answer returns the data of an operation, or its errors.
func (s *service) answer(t *testing.T, query string) (json.RawMessage, error) {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	fatal.If(t, err)
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", bytes.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	s.handler.ServeHTTP(recorder, request)
	var response struct {
		Errors gqlerror.List
		Data   json.RawMessage
	}
	if err := json.Unmarshal(recorder.Body.Bytes(), &response); err != nil {
		t.Fatalf("%s: %s, %v", query, recorder.Body, err)
	}
	if len(response.Errors) > 0 {
		return nil, response.Errors
	}
	return response.Data, nil
}

// typeOf returns the type of a stored item, nil if the schema has none for it, or if its key and its attributes do not
// agree.
func (s *service) typeOf(stored item.Item) *design.Type {
	it := s.FromStored(stored)
	if typ := s.Type(it.Type()); typ != nil && typ.Agrees(it) {
		return typ
	}
	return nil
}

// checkObjects reads each object of the table by its key, and compares its fields with the item's attributes. It
// returns how many items have a type.
func (s *service) checkObjects(t *testing.T) (items int) {
	t.Helper()
	for batch := range slices.Chunk(s.items, 20) {
		var query strings.Builder
		var objects []item.Item
		for _, stored := range batch {
			it := s.FromStored(stored)
			typ := s.typeOf(stored)
			if typ == nil {
				continue
			}
			items++
			if slices.ContainsFunc(typ.Identity, func(name string) bool {
				return strings.Contains(it.Text(name), s.Layout.Delimiter)
			}) {
				continue // No caller may send the delimiter.
			}
			fmt.Fprintf(&query, "o%d: %s\n", len(objects), s.selection(typ, it))
			objects = append(objects, it)
		}
		if len(objects) == 0 {
			continue
		}
		var data map[string]map[string]any
		d := json.NewDecoder(bytes.NewReader(s.ask(t, "{"+query.String()+"}")))
		d.UseNumber()
		fatal.If(t, d.Decode(&data))
		for i, it := range objects {
			s.compare(t, it, data[fmt.Sprintf("o%d", i)])
		}
	}
	return items
}

// selection returns the field of Query that reads an object, with all fields that have a text.
func (s *service) selection(typ *design.Type, it item.Item) string {
	var arguments, fields []string
	for _, name := range typ.Identity {
		arguments = append(arguments, name+": "+literal(typ.Attribute(name), it))
	}
	for _, a := range typ.Attributes {
		if a.Kind != keys.Other {
			fields = append(fields, a.Name)
		}
	}
	field := strings.ToLower(typ.Name[:1]) + typ.Name[1:]
	if len(arguments) > 0 {
		field += "(" + strings.Join(arguments, ", ") + ")"
	}
	return field + " { " + strings.Join(fields, " ") + " }"
}

// literal returns the value of an attribute in a document.
func literal(a *design.Attribute, it item.Item) string {
	text := it.Text(a.Name)
	switch a.Kind {
	case keys.Int, keys.Boolean:
		return text
	case keys.IDKind:
		text = keys.NewID(a.Ref, text).Encode()
	}
	return fmt.Sprintf("%q", text)
}

func (s *service) compare(t *testing.T, it item.Item, object map[string]any) {
	t.Helper()
	key := keys.KeyOf(it)
	for _, a := range s.Type(it.Type()).Attributes {
		v, has := it.Get(a.Name)
		got := object[a.Name]
		switch {
		case a.Kind == keys.Other:
		case !has:
			if got != nil {
				t.Errorf("%s: %s is %v, the item has none", key, a.Name, got)
			}
		case a.Kind == keys.Time:
			at, err := time.Parse(time.RFC3339, fmt.Sprint(got))
			if err != nil || at.UTC().Format(item.TimeLayout) != v.Text {
				t.Errorf("%s: %s is %v, want %s", key, a.Name, got, v.Text)
			}
		default:
			want := literal(&a, it)
			if text, err := strconv.Unquote(want); err == nil {
				want = text
			}
			if fmt.Sprint(got) != want {
				t.Errorf("%s: %s is %v, want %s", key, a.Name, got, want)
			}
		}
	}
}
