package plan_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/internal/plantest"
	"github.com/partita/partita/internal/testservice"
)

// TestDocumentKeepsPlans: an operation has one plan for each combination of the values of its conditions, wherever they
// are, and for nothing else.
func TestDocumentKeepsPlans(t *testing.T) {
	doc := plantest.Parse(t, plantest.ServiceSchema(), `
		query A($a: Boolean!, $b: Boolean = true, $id: ID!) {
			reader(id: $id) { name @skip(if: $a) recommendations(first: 1) { nodes { ...F } } }
		}
		query B($a: Boolean!) { book(id: "Book:b001") { id title @include(if: $a) } }
		fragment F on Book { ... @include(if: $b) { title } }
	`)
	d := plan.NewDocument(plantest.ServiceSchema(), doc)
	seen := map[*plan.Plan]string{}
	for _, operation := range doc.Operations {
		for _, a := range []any{true, false} {
			for _, b := range []any{true, false, nil} {
				key := fmt.Sprint(operation.Name, a, b)
				if operation.Name == "B" {
					key = fmt.Sprint(operation.Name, a)
				}
				for _, id := range []string{"x", "y"} {
					p := d.Plan(operation, map[string]any{"a": a, "b": b, "id": id})
					if other, found := seen[p]; found && other != key {
						t.Errorf("%s has the plan of %s", key, other)
					}
					seen[p] = key
				}
			}
		}
	}
	if len(seen) != 8 {
		t.Errorf("%d plans, want 8", len(seen))
	}
}

// TestDocumentIsBounded: a caller who sends all combinations of conditions fills no memory.
func TestDocumentIsBounded(t *testing.T) {
	for _, tt := range []struct {
		conditions, kept int
	}{{20, 8}, {32, 8}, {33, 0}} {
		t.Run(fmt.Sprint(tt.conditions), func(t *testing.T) {
			var declared, selected strings.Builder
			for i := range tt.conditions {
				fmt.Fprintf(&declared, "$v%d: Boolean!, ", i)
				fmt.Fprintf(&selected, "f%d: name @skip(if: $v%d) ", i, i)
			}
			text := fmt.Sprintf("query(%s) { viewer { id %s } }", &declared, &selected)
			doc := plantest.Parse(t, plantest.ServiceSchema(), text)
			d := plan.NewDocument(plantest.ServiceSchema(), doc)
			get := func(skipped int) *plan.Plan {
				variables := map[string]any{}
				for i := range tt.conditions {
					variables[fmt.Sprintf("v%d", i)] = i == skipped
				}
				return d.Plan(doc.Operations[0], variables)
			}
			kept := 0
			for i := range tt.conditions {
				p := get(i)
				if fields := p.Root.Fields[0].Children[0].Fields; len(fields) != tt.conditions {
					t.Errorf("variant %d has %d fields", i, len(fields))
				}
				if get(i) == p {
					kept++
				}
			}
			if kept != tt.kept {
				t.Errorf("%d plans are kept, want %d", kept, tt.kept)
			}
		})
	}
}

// TestDocumentInParallel: all get the same plan, and its prices.
func TestDocumentInParallel(t *testing.T) {
	const text = `query($n: Int!) { loansByState(state: LENT, first: $n) { nodes { id } } }`
	doc := plantest.Parse(t, plantest.ServiceSchema(), text)
	d := plan.NewDocument(plantest.ServiceSchema(), doc)
	const goroutines = 8
	plans := make([]*plan.Plan, goroutines)
	var group sync.WaitGroup
	for i := range goroutines {
		group.Go(func() {
			for n := range 40 {
				variables := map[string]any{"n": n}
				plans[i] = d.Plan(doc.Operations[0], variables)
				// Three shards are read.
				want := 3 * 0.5 * float64((512*(n+1)+4095)/4096)
				if p := price.Of(plans[i].Bind(variables, nil, false)); p.ReadUnits != want {
					t.Errorf("first: %d costs %v read units, want %v", n, p.ReadUnits, want)
				}
			}
		})
	}
	group.Wait()
	for _, p := range plans {
		if p != plans[0] {
			t.Error("there are several plans")
		}
	}
}

// TestDocumentBytes compares the estimated size of documents with the heap.
func TestDocumentBytes(t *testing.T) {
	g := testservice.Schema().Generator()
	busy, _ := testservice.BusyQuery()
	texts := []string{
		busy,
		`{ __typename }`,
		`{ nodes(ids: ["` + strings.Repeat(`Book:b001", "`, 99) + `Book:b001"]) { id } }`,
		`{ ` + strings.Repeat("# a comment\n", 200) + ` viewer { id } }`,
		`{ viewer { ` + strings.Repeat(`a: id `, 60) + ` } }`,
	}
	for seed := range uint64(20) {
		texts = append(texts, g.Seeded(seed).Document)
	}
	for _, text := range texts {
		const copies = 32
		var documents [copies]*plan.Document
		used := heap()
		for i := range documents {
			doc := plantest.Parse(t, plantest.ServiceSchema(), strings.Clone(text))
			documents[i] = plan.NewDocument(plantest.ServiceSchema(), doc)
			variables := conditions(doc.Operations[0])
			p := documents[i].Plan(doc.Operations[0], variables)
			for n := range 40 {
				variables["n"] = n
				price.Of(p.Bind(variables, nil, n%2 == 0))
			}
			p.CachePolicy()
		}
		used = heap() - used
		estimated := 0
		for _, d := range documents {
			estimated += d.Bytes()
		}
		if used > estimated || estimated > 8*max(used, copies<<10) {
			t.Errorf("%d bytes are estimated, the heap has %d:\n%.200s", estimated/copies, used/copies, text)
		}
	}
}

// heap returns the bytes of the heap that are in use.
func heap() int {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}

// conditions returns values of an operation's Boolean variables.
func conditions(operation *ast.OperationDefinition) map[string]any {
	variables := map[string]any{}
	for _, v := range operation.VariableDefinitions {
		if v.Type.NamedType == "Boolean" {
			variables[v.Variable] = true
		}
	}
	return variables
}
