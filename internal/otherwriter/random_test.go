package otherwriter

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
)

// world is a table with a gateway over it, and what the table must have.
type world struct {
	*testing.T
	r       *rand.Rand
	engine  *tabletest.Engine
	handler http.Handler
	client  *dynamodb.Client
	schema  *directives.Schema
	name    string
	// items are those that the table must have, by their keys.
	items map[string]attributes
	// products are the raw ids of products, pages the numbers of a page that exist, newest last.
	products []string
	pages    []int
	next     int
}

// TestRandom makes random writes, by the other program and by mutations. After each of them the table has exactly what
// it must have: what nobody meant to change is as it was, byte by byte.
func TestRandom(t *testing.T) {
	w := newWorld(t, soak.Seed)
	for range 4 {
		w.putProduct(false)
	}
	w.putProduct(true)
	w.createPage()
	w.decoratePage()
	for step := range soak.Times(75) {
		switch w.r.IntN(12) {
		case 0:
			w.putProduct(false)
		case 1:
			w.createProduct()
		case 2:
			if len(w.products) > 3 {
				w.deleteProduct()
			}
		case 3:
			w.createPage()
		case 4:
			w.decoratePage()
		case 5:
			w.deletePage()
		case 6, 7:
			w.updatePage()
		default:
			w.updateProduct()
		}
		w.compare()
		if step%50 == 0 {
			w.check()
		}
		if t.Failed() {
			t.Fatalf("at step %d", step)
		}
	}
	w.check()
}

func newWorld(t *testing.T, seed uint64) *world {
	t.Helper()
	text, err := os.ReadFile("testdata/schema.graphqls")
	fatal.If(t, err)
	loaded, err := directives.Load(&ast.Source{Name: "schema.graphqls", Input: string(text)})
	fatal.If(t, err)
	w := &world{T: t, r: rand.New(rand.NewPCG(seed, 0)), items: map[string]attributes{}}
	if w.schema, err = directives.Read(loaded); err != nil {
		t.Fatal(err)
	}
	if len(w.schema.Unread) > 0 {
		t.Fatal(w.schema.Unread)
	}
	d := w.schema.WithoutGo()
	w.engine = tabletest.Start(t, table.SchemaOf(d))
	schema := answer.NewFolder(w.schema.AST)
	w.handler = gateway.New(gateway.Config{
		Schema:     schema,
		Engine:     loaders.New(d, schema.Schema(), w.engine.Table, loaders.Options{}),
		Callers:    operation.Callers{Authenticate: gatewaytest.Authenticate},
		Monitoring: gateway.Monitoring{Logger: slog.New(slog.DiscardHandler)},
		Limits: operation.Limits{
			Limits: document.Limits{
				MaxVariablesBytes: 1e7, MaxTokens: 1e6,
			},
		},
	})
	w.client = dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(w.engine.Proxy.URL()), Region: "us-east-1",
		Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""),
	})
	tables, err := w.client.ListTables(t.Context(), &dynamodb.ListTablesInput{})
	if err != nil || len(tables.TableNames) != 1 {
		t.Fatal(tables, err)
	}
	w.name = tables.TableNames[0]
	return w
}

// put stores an item by the SDK. What the table must have is what the SDK reads.
func (w *world) put(it attributes) {
	w.Helper()
	ctx := context.Background()
	if _, err := w.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &w.name, Item: it}); err != nil {
		w.Fatalf("%v: %v", shown(it), err)
	}
	out, err := w.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &w.name, Key: attributes{"pk": it["pk"], "sk": it["sk"]}, ConsistentRead: aws.Bool(true),
	})
	fatal.If(w, err)
	if got, want := shown(out.Item), shown(it); !strings.Contains(want, "N:") && got != want {
		w.Fatalf("the engine has stored %s, not %s", got, want)
	}
	w.items[keyOf(it)] = out.Item
}

func keyOf(it attributes) string { return textOf(it["pk"]) + " " + textOf(it["sk"]) }

func textOf(v value) string {
	t, _ := v.(*types.AttributeValueMemberS)
	if t == nil {
		return ""
	}
	return t.Value
}

// mutate sends a mutation and returns what is in its payload.
func (w *world) mutate(name, input, selection string) map[string]any {
	w.Helper()
	document := fmt.Sprintf("mutation { it: %s(input: {%s}) { %s userErrors { field message code } } }",
		name, input, selection)
	body, err := json.Marshal(map[string]string{"query": document})
	fatal.If(w, err)
	request := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/graphql", bytes.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	w.handler.ServeHTTP(recorder, request)
	var response struct {
		Data struct {
			It map[string]any
		}
		Errors []any
	}
	err = json.Unmarshal(recorder.Body.Bytes(), &response)
	if errs, _ := response.Data.It["userErrors"].([]any); err != nil || len(response.Errors) > 0 || len(errs) > 0 {
		w.Fatalf("%s\n%s", document, recorder.Body)
	}
	return response.Data.It
}

func globalID(values ...string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strings.Join(values, ":")))
}

// compare compares the whole table with what it must have.
func (w *world) compare() {
	w.Helper()
	stored := map[string]attributes{}
	pages := dynamodb.NewScanPaginator(w.client, &dynamodb.ScanInput{TableName: &w.name})
	for pages.HasMorePages() {
		out, err := pages.NextPage(context.Background())
		fatal.If(w, err)
		for _, it := range out.Items {
			stored[keyOf(it)] = it
		}
	}
	for _, key := range slices.Sorted(maps.Keys(stored)) {
		if w.items[key] == nil {
			w.Errorf("%s must not exist: %s", key, shown(stored[key]))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(w.items)) {
		want, got := w.items[key], stored[key]
		for _, name := range slices.Compact(slices.Sorted(func(yield func(string) bool) {
			for name := range maps.Keys(want) {
				_ = yield(name)
			}
			for name := range maps.Keys(got) {
				_ = yield(name)
			}
		})) {
			if name == "deletedAt" && want[name] != nil && got[name] != nil {
				continue
			}
			if a, b := shownValue(got[name]), shownValue(want[name]); a != b {
				w.Errorf("%s: %s is\n%.1500s, and must be\n%.1500s", key, name, a, b)
			}
		}
	}
}

// check fails if `table check` finds something.
func (w *world) check() {
	w.Helper()
	report, err := check.Table(context.Background(), admin.Scanner{Table: w.engine.Table}, check.Options{
		Design: w.schema.Design, Found: func(v check.Violation) { w.Errorf("table check: %+v", v) },
	})
	if err != nil {
		w.Error(err, report)
	}
}

// shown returns an item as text, with sets in order.
func shown(it attributes) string { return shownValue(&types.AttributeValueMemberM{Value: it}) }

func shownValue(v value) string {
	set := func(kind string, texts []string) string {
		return kind + fmt.Sprintf("%q", slices.Sorted(slices.Values(texts)))
	}
	switch v := v.(type) {
	case nil:
		return "nothing"
	case *types.AttributeValueMemberS:
		return strconv.Quote(v.Value)
	case *types.AttributeValueMemberN:
		return "N:" + v.Value
	case *types.AttributeValueMemberBOOL:
		return strconv.FormatBool(v.Value)
	case *types.AttributeValueMemberNULL:
		return "NULL"
	case *types.AttributeValueMemberB:
		return fmt.Sprintf("B:%x", v.Value)
	case *types.AttributeValueMemberSS:
		return set("SS", v.Value)
	case *types.AttributeValueMemberNS:
		return set("NS", v.Value)
	case *types.AttributeValueMemberBS:
		var texts []string
		for _, b := range v.Value {
			texts = append(texts, string(b))
		}
		return set("BS", texts)
	case *types.AttributeValueMemberL:
		var parts []string
		for _, e := range v.Value {
			parts = append(parts, shownValue(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case *types.AttributeValueMemberM:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(v.Value)) {
			parts = append(parts, name+"="+shownValue(v.Value[name]))
		}
		return "{" + strings.Join(parts, " ") + "}"
	default:
		panic(fmt.Sprintf("%T", v))
	}
}
