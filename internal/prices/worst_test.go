package prices_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
	"pgregory.net/rapid"

	"github.com/partita/partita/internal/executors"
	"github.com/partita/partita/internal/gen/contract"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/internal/prices"
	_ "github.com/partita/partita/internal/soak" // the cases of rapid
	"github.com/partita/partita/internal/testservice"
)

// TestWorstIsAnUpperBound: with no values of its variables, an operation costs more than at worst.
func TestWorstIsAnUpperBound(t *testing.T) {
	schema := testservice.Schema()
	version := contract.Version{API: plan.API(schema.Executable.Schema()), Design: schema.Design}
	plans := plan.NewSchema(version.Design, version.API)
	generator := schema.Generator()
	now := time.Now()
	below, priced, unread := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		var operation executors.Operation
		if rapid.Bool().Draw(t, "mutation") {
			operation = generator.Mutation(random)
		} else {
			operation = generator.Operation(random)
		}
		document, faults := gqlparser.LoadQueryWithRules(version.API, operation.Document, rules.NewDefaultRules())
		if len(faults) > 0 {
			t.Fatalf("%v\n%s", faults, operation.Document)
		}
		o := document.Operations[0]
		variables, err := validator.VariableValues(version.API, o, operation.Variables)
		if err != nil {
			t.Skip("the values are wrong on purpose")
		}
		bound := plans.Compile(document, o, variables).Bind(variables, nil, o.Operation == ast.Mutation)
		bound.Now = now
		price := price.Of(bound)
		worst, err := prices.Worst(prices.Listed("", "body", operation.Document), version, now)
		if _, is := errors.AsType[gqlerror.List](err); is {
			unread++
			t.Skip("a field is never read")
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, operation.Document)
		}
		if worst.ReadUnits < price.ReadUnits || worst.WriteUnits < price.WriteUnits || worst.Objects < price.Objects ||
			worst.Requests < price.Requests || worst.Waves < price.Waves {
			t.Errorf("with %v it costs %+v, and at worst %+v:\n%s", operation.Variables, price, worst, operation.Document)
		}
		priced++
		if price.ReadUnits < worst.ReadUnits {
			below++
		}
	})
	if below == 0 || priced < unread {
		t.Errorf("%d operations have a price, of which %d cost less, and %d have none", priced, below, unread)
	}
}

// TestNeverRead: an operation has no price if one of its fields is not read, whatever values its variables have.
func TestNeverRead(t *testing.T) {
	version := load(t, tasks)
	for arguments, want := range map[string]string{
		"": "Task.notes: ", "(first: 1000)": "Task.notes: ", "(first: $n)": "", "(last: $n)": "", "(last: 1)": "",
	} {
		document := "query($id: ID!, $n: Int) { task(id: $id) { list notes" + arguments + " { nodes { n } } } }"
		if !strings.Contains(arguments, "$n") {
			document = strings.Replace(document, ", $n: Int", "", 1)
		}
		got, err := prices.Worst(prices.Listed("", "", document), version, time.Now())
		faults, _ := errors.AsType[gqlerror.List](err)
		if want == "" && (err != nil || got.ReadUnits == 0) ||
			want != "" && (len(faults) != 1 || !strings.HasPrefix(faults[0].Message, want)) {
			t.Errorf("%s costs %+v, %v", document, got, err)
		}
	}
}

// TestInputsThatContainThemselves: the values of such types end, and are not of exponential size.
func TestInputsThatContainThemselves(t *testing.T) {
	version := load(t, tasks+`
extend type Query { count(filter: Filter): Int @cost(readUnits: 3) }
input Filter {
  all: [Filter!]!, a: Filter, b: [Filter], c: Filter, d: Filter, e: Filter, f: Filter, g: Filter, h: Filter
}
`)
	price, err := prices.Worst(prices.Listed("", "", `query($f: Filter) { count(filter: $f) }`), version, time.Now())
	if err != nil || price.ReadUnits != 3 {
		t.Errorf("got %+v, %v", price, err)
	}
}
