package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/internal/plantest"
)

// TestCompile compares the nodes of operations. A node has a number when it occurs first, and is only named when it
// occurs again.
func TestCompile(t *testing.T) {
	plantest.Cases(t, "testdata/compile", func(t *testing.T, d *datadriven.TestData, schema *plan.Schema) string {
		p := plantest.Bind(t, d, schema).Plan
		w := nodeWriter{numbers: map[*plan.Object]int{}}
		w.object(p.Root, "")
		if p.HandWritten {
			w.WriteString("hand-written\n")
		}
		return w.String()
	})
}

type nodeWriter struct {
	strings.Builder
	numbers map[*plan.Object]int
}

var kindNames = map[plan.Kind]string{
	plan.GoField: "Go", plan.TypenameField: "typename", plan.AttributeField: "attribute", plan.IdentityField: "identity",
	plan.ReadField: "read", plan.MutationField: "mutation",
	plan.EdgesField: "edges", plan.NodesField: "nodes", plan.TotalCountField: "count",
	plan.PageInfoField: "page info", plan.CursorField: "cursor", plan.NodeField: "node",
	plan.HasNextPageField: "page info", plan.HasPreviousPageField: "page info",
	plan.StartCursorField: "page info", plan.EndCursorField: "page info",
	plan.IntrospectionField: "introspection",
	plan.LiveField:          "live", plan.ChangeField: "change", plan.EdgeField: "edge", plan.ItemField: "item",
	plan.NodeIDField: "node id", plan.NotReadyField: "not ready",
}

func (w *nodeWriter) object(o *plan.Object, indent string) {
	n, repeated := w.numbers[o]
	if repeated {
		fmt.Fprintf(w, "%s%s %d, as above\n", indent, o.Name, n)
		return
	}
	w.numbers[o] = len(w.numbers) + 1
	fmt.Fprintf(w, "%s%s %d\n", indent, o.Name, w.numbers[o])
	for _, f := range o.Fields {
		name := f.Name
		if f.Alias != f.Name {
			name = f.Alias + ": " + f.Name
		}
		fmt.Fprintf(w, "%s  %s  %s\n", indent, name, kindNames[f.Kind])
		for _, child := range f.Children {
			w.object(child, indent+"    ")
		}
	}
}

// TestBind compares the arguments of the fields that read, with their errors.
func TestBind(t *testing.T) {
	plantest.Cases(t, "testdata/bind", func(t *testing.T, d *datadriven.TestData, schema *plan.Schema) string {
		b := plantest.Bind(t, d, schema)
		var text strings.Builder
		for _, f := range b.Root.Fields {
			a := b.Arguments(f)
			fmt.Fprintf(&text, "%s:", f.Alias)
			for _, id := range a.IDs {
				fmt.Fprintf(&text, " %s", string(id))
			}
			switch {
			case a.Err != nil:
				fmt.Fprintf(&text, " error at %v: %v", a.Err.Path, a.Err)
			case a.WindowErr != nil:
				fmt.Fprintf(&text, " error: %v", a.WindowErr)
			case a.Window != (plan.Window{}):
				fmt.Fprintf(&text, " %d items", a.Window.Count)
				if a.Window.Backward {
					text.WriteString(", backward")
				}
			}
			text.WriteByte('\n')
		}
		return text.String()
	})
}

// TestFragmentsThatDouble: a document in which each fragment spreads the next one at two places has exponentially many
// paths, and a node for each level.
func TestFragmentsThatDouble(t *testing.T) {
	const levels = 60
	var text strings.Builder
	text.WriteString(`{ loan(id: "Loan:l004") { ...F0 } }`)
	for i := range levels {
		next := fmt.Sprintf("reminders(first: %%d) { nodes { loan { ...F%d } } }", i+1)
		fmt.Fprintf(&text, " fragment F%d on Loan { a: "+next+" b: "+next+" c: "+next+" }", i, 1, 1, 2)
	}
	fmt.Fprintf(&text, " fragment F%d on Loan { id }", levels)
	doc := plantest.Parse(t, plantest.ServiceSchema(), text.String())
	operation := doc.Operations[0]
	b := plantest.ServiceSchema().Compile(doc, operation, nil).Bind(nil, nil, false)
	nodes := map[*plan.Object]bool{}
	countNodes(b.Root, nodes)
	// Each level has three connections, three nodes of them and three loans.
	if len(nodes) > 9*levels+3 {
		t.Errorf("%d nodes for %d levels", len(nodes), levels)
	}
	if p := price.Of(b); p.ReadUnits != 1e12 || p.Requests != 1e12 {
		t.Errorf("the price is %+v, want the greatest one", p)
	}
	if err := price.Check(b, price.Limits{ReadUnits: 1e6}); err == nil {
		t.Error("no error for the greatest price")
	}
	if x := price.Explain(b); !x.Cut {
		t.Error("the explanation is not cut")
	}
	b.CachePolicy()
}

func countNodes(o *plan.Object, nodes map[*plan.Object]bool) {
	if nodes[o] {
		return
	}
	nodes[o] = true
	for _, f := range o.Fields {
		for _, child := range f.Children {
			countNodes(child, nodes)
		}
	}
}
