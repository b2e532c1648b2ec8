package loaders

import (
	"context"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders/request"
)

// idle returns at once, so that a benchmark measures only the loaders.
type idle struct {
	Source // for the methods that no benchmark calls
	sent   time.Time
}

func (s *idle) GetItem(context.Context, request.GetItem) (request.Result, error) {
	s.sent = time.Now()
	return request.Result{Items: []item.Item{{{Name: item.EntityType, Value: item.StringValue("T")}}}}, nil
}

func (s *idle) BatchGetItem(context.Context, request.BatchGetItem) (request.Result, error) {
	s.sent = time.Now()
	return request.Result{}, nil
}

func (s *idle) Query(context.Context, request.Query) (request.Result, error) {
	s.sent = time.Now()
	return request.Result{}, nil
}

// BenchmarkTick measures the time between the registration and the request of a Read that is alone in its wave:
// the tick that ends the wave.
func BenchmarkTick(b *testing.B) {
	source := &idle{}
	design, err := keys.NewDesign(nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	engine := New(design, source, Options{})
	request := &graphql.OperationContext{Operation: &ast.OperationDefinition{Operation: ast.Query}}
	b.ReportAllocs()
	var waited time.Duration
	for b.Loop() {
		op := engine.newOperation(b.Context(), request, engine.newExecutor(request))
		start := time.Now()
		op.read([]Read{{Kind: Get, Key: keys.Key{PK: "T#1", SK: "T#1"}}}, func() {})
		waited += source.sent.Sub(start)
	}
	b.ReportMetric(float64(waited.Microseconds())/float64(b.N), "µs/tick")
}

// BenchmarkPlan plans the wave of a page of 100 nodes that each have a Range.
func BenchmarkPlan(b *testing.B) {
	design, err := keys.NewDesign(nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	var reads []Read
	for i := range 100 {
		pk := keys.PK("T#" + string(rune('a'+i%26)) + string(rune('a'+i/26)))
		reads = append(reads,
			Read{Kind: Get, Key: keys.Key{PK: pk, SK: keys.SK(pk)}},
			Read{Kind: Range, Query: request.Query{PK: pk, Prefix: "R#", Limit: 11}})
	}
	b.ReportAllocs()
	for b.Loop() {
		Plan(design, reads)
	}
}
