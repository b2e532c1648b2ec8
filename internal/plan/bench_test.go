package plan_test

import (
	"testing"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/internal/plantest"
	"github.com/partita/partita/internal/testservice"
)

// benchmarks are operations of typical sizes.
var benchmarks = []struct{ name, text, variables string }{
	{"object", `query($id: ID!) { reader(id: $id) { id name interests } }`, `{"id": "Reader:r001"}`},
	{
		"page", `query($id: ID!, $first: Int!) {
			reader(id: $id) {
				name
				recommendations(first: $first) {
					edges { stars node { title branch { name } } }
					pageInfo { endCursor }
				}
			}
		}`, `{"id": "Reader:r001", "first": 20}`,
	},
	{"nodes", `query($ids: [ID!]!) { nodes(ids: $ids) { id ... on Reader { name } ... on Book { title } } }`, ""},
	{"busy", "", ""},
}

// benchmark runs a benchmark for each operation.
func benchmark(b *testing.B, run func(b *testing.B, p *plan.Plan, variables map[string]any)) {
	for _, o := range benchmarks {
		busy, variables := testservice.BusyQuery()
		if o.text == "" {
			o.text = busy
		}
		doc := plantest.Parse(b, plantest.ServiceSchema(), o.text)
		operation := doc.Operations[0]
		if o.variables != "" {
			variables = plantest.Coerced(b, plantest.ServiceSchema(), operation, o.variables)
		} else {
			variables = map[string]any{"ids": anySlice(variables["ids"].([]string))}
		}
		p := plan.NewDocument(plantest.ServiceSchema(), doc).Plan(operation, variables)
		b.Run(o.name, func(b *testing.B) {
			b.ReportAllocs()
			run(b, p, variables)
		})
	}
}

func anySlice(texts []string) []any {
	all := make([]any, len(texts))
	for i, text := range texts {
		all[i] = text
	}
	return all
}

func BenchmarkCompile(b *testing.B) {
	benchmark(b, func(b *testing.B, p *plan.Plan, variables map[string]any) {
		for b.Loop() {
			p.Schema.Compile(nil, p.Operation, variables)
		}
	})
}

func BenchmarkBind(b *testing.B) {
	benchmark(b, func(b *testing.B, p *plan.Plan, variables map[string]any) {
		for b.Loop() {
			p.Bind(variables, &testservice.Ada, false)
		}
	})
}

// BenchmarkPrice is of a request whose sizes are known.
func BenchmarkPrice(b *testing.B) {
	benchmark(b, func(b *testing.B, p *plan.Plan, variables map[string]any) {
		bound := p.Bind(variables, &testservice.Ada, false)
		for b.Loop() {
			price.Of(bound)
		}
	})
}

// BenchmarkExplain includes a price of new sizes.
func BenchmarkExplain(b *testing.B) {
	benchmark(b, func(b *testing.B, p *plan.Plan, variables map[string]any) {
		bound := p.Bind(variables, &testservice.Ada, false)
		for b.Loop() {
			price.Explain(bound)
		}
	})
}
