package randomtable

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/gateway/federation"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/viewer"
)

// engine is the local engine with a table for each random schema.
type engine struct {
	endpoint string
	tables   int
}

func startEngine(t *testing.T) *engine {
	t.Helper()
	binary, err := local.FindEngine(os.Getenv("DYNOXIDE"))
	fatal.If(t, err)
	log := slog.New(slog.DiscardHandler)
	process, err := local.StartEngine(t.Context(), local.EngineSettings{Binary: binary, Log: log})
	fatal.If(t, err)
	t.Cleanup(func() {
		if err := process.Close(); err != nil {
			t.Error(err)
		}
	})
	return &engine{endpoint: process.Endpoint()}
}

// service is a gateway over one table.
type service struct {
	schema *directives.Schema
	// direct is not counted.
	direct  *table.Table
	counted *table.Table
	proxy   *tabletest.Proxy
	log     *gatewaytest.Log
	handler http.Handler
	// hidden is set if some items read as missing: the estimate does not include them.
	hidden bool
}

// read reads a schema as a folder is read. The findings are those of a schema that is rejected.
func read(text string) (*directives.Schema, directives.Findings, error) {
	var findings directives.Findings
	loaded, err := directives.Load(&ast.Source{Name: "schema.graphqls", Input: text})
	if err == nil {
		var schema *directives.Schema
		if schema, err = directives.Read(loaded); err == nil {
			return schema, schema.Unread, nil
		}
	}
	if errors.As(err, &findings) {
		return nil, findings, nil
	}
	return nil, nil, err
}

// serve creates a table with items, and serves it.
func (e *engine) serve(ctx context.Context, schema *directives.Schema, items []*stored) (*service, error) {
	design := schema.WithoutGo()
	s := &service{schema: schema, log: &gatewaytest.Log{}}
	layout := table.SchemaOf(design)
	proxy, err := tabletest.NewProxy(e.endpoint, layout.Layout())
	if err != nil {
		return nil, err
	}
	s.proxy = proxy
	e.tables++
	settings := table.Settings{
		TableName: fmt.Sprintf("random%d", e.tables), Endpoint: e.endpoint, Region: "us-east-1", StartTimeout: time.Minute,
		RequestTimeout: time.Minute,
	}
	if s.direct, err = table.Open(ctx, settings, layout, slog.New(slog.DiscardHandler)); err != nil {
		return nil, err
	}
	settings.Endpoint = proxy.URL()
	if s.counted, err = table.Open(ctx, settings, layout, slog.New(slog.DiscardHandler)); err != nil {
		return nil, err
	}
	if err := admin.Create(ctx, s.direct); err != nil {
		return nil, err
	}
	if _, err := admin.Load(ctx, s.direct, bytes.NewReader(lines(items))); err != nil {
		return nil, err
	}
	log := slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	subgraph := federation.New(answer.NewFolder(schema.AST), design)
	s.handler = gateway.New(gateway.Config{
		Schema: subgraph.Schema,
		Engine: loaders.New(subgraph.Design, subgraph.Schema.Schema(), s.counted,
			loaders.Options{Logger: log, SDL: subgraph.SDL}),
		Callers:    operation.Callers{Authenticate: gatewaytest.Authenticate},
		Monitoring: gateway.Monitoring{Logger: log},
		Limits: operation.Limits{
			Limits: document.Limits{
				MaxVariablesBytes: 1e6, MaxListItems: 1e6, MaxAliases: 1e6, MaxRootFields: 1e6, MaxTokens: 1e6, MaxFields: 1e6,
			},
			OperationTimeout: time.Minute,
		},
	})
	return s, nil
}

func (s *service) close() {
	_ = s.counted.Close()
	_ = s.direct.Close()
	s.proxy.Close()
}

// reply is the body of an answer.
type reply struct {
	Data       map[string]any
	Errors     []any
	Extensions struct{ Cost response.Cost }
}

// send sends an operation. The error is one that no answer may have: other costs than the engine's, more than was
// estimated, or a Scan.
func (s *service) send(ctx context.Context, document string) (reply, error) {
	return s.sendAs(ctx, viewer.Viewer{}, document)
}

// sendAs is send as a viewer.
func (s *service) sendAs(ctx context.Context, v viewer.Viewer, document string) (reply, error) {
	body, err := json.Marshal(map[string]any{"query": document})
	if err != nil {
		return reply{}, err
	}
	request := httptest.NewRequestWithContext(ctx, http.MethodPost, "/graphql", bytes.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	gatewaytest.SetViewer(request.Header, v)
	s.proxy.Reset()
	recorder := httptest.NewRecorder()
	s.handler.ServeHTTP(recorder, request)
	decoder := json.NewDecoder(recorder.Body)
	decoder.UseNumber()
	var r reply
	if err := decoder.Decode(&r); err != nil {
		return r, err
	}
	counts, cost := s.proxy.Counts(), r.Extensions.Cost
	switch {
	case cost.Requests != counts.Total() || cost.ReadUnits != counts.ReadUnits:
		err = fmt.Errorf("the answer has the cost %+v, the engine %+v", cost, counts)
	case cost.WriteUnits > cost.EstimatedWriteUnits || counts.WriteUnits > cost.WriteUnits:
		err = fmt.Errorf("more than the estimate: %+v, and the engine %+v: %q", cost, counts, s.proxy.Log())
	case !s.hidden && cost.ReadUnits > cost.EstimatedReadUnits || float64(cost.Objects) > cost.EstimatedObjects:
		err = fmt.Errorf("more than the estimate: %+v: %q", cost, s.proxy.Log())
	case counts.Requests["Scan"] > 0:
		err = fmt.Errorf("a Scan: %q", s.proxy.Log())
	}
	return r, err
}

// check returns what `table check` finds, or `table repair` with repair.
func (s *service) check(ctx context.Context, repair bool) (check.Report, error) {
	options := check.Options{Design: s.schema.Design}
	if repair {
		// What another program may have meant is repaired only if it is named.
		options.Scope.Only = []check.Kind{check.IndexEntryWrong, check.CopyMissing, check.CopyDiffers, check.LatestWrong}
		return check.Repair(ctx, admin.Scanner{Table: s.direct}, options)
	}
	return check.Table(ctx, admin.Scanner{Table: s.direct}, options)
}

// export returns the items of the table by their keys.
func (s *service) export(ctx context.Context, m *tableModel) (map[string]map[string]any, error) {
	var b bytes.Buffer
	if _, err := admin.Export(ctx, s.direct, &b); err != nil {
		return nil, err
	}
	all := map[string]map[string]any{}
	for line := range strings.SplitSeq(strings.TrimSpace(b.String()), "\n") {
		if line == "" {
			continue
		}
		var it struct{ Item map[string]any }
		if err := json.Unmarshal([]byte(line), &it); err != nil {
			return nil, err
		}
		for _, attribute := range it.Item {
			for _, kind := range []string{"SS", "NS"} {
				if set, _ := attribute.(map[string]any)[kind].([]any); set != nil {
					slices.SortFunc(set, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
				}
			}
		}
		all[m.keyOf(it.Item)] = it.Item
	}
	return all, nil
}

// keyOf returns the primary key of an item as one text.
func (m *tableModel) keyOf(attributes map[string]any) string {
	pk, _ := textOf(attributes[m.pk])
	sk, _ := textOf(attributes[m.sk])
	return fmt.Sprintf("%q %q", pk, sk)
}
