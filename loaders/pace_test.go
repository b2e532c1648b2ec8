package loaders_test

import (
	"math"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/share"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/viewer"
)

// TestPlanningGivesWay: an operation gives its turn on the CPUs up while it works out what to read, before it waits for
// anything.
func TestPlanningGivesWay(t *testing.T) {
	t.Parallel()
	schema := testservice.Executable().Schema()
	engine := loaders.New(testservice.Design(), schema, newMemory(), loaders.Options{})
	doc, errs := gqlparser.LoadQueryWithRules(plan.API(schema), `query($ids: [ID!]!) { nodes(ids: $ids) { id } }`,
		rules.NewDefaultRules())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	ids := make([]any, plan.MaxPage) // of what no viewer without a token may read: there is no request
	for i := range ids {
		ids[i] = testservice.Encoded("Loan:l001")
	}
	variables := map[string]any{"ids": ids}
	compiled := engine.Compile(doc).Plan(doc.Operations[0], variables)
	bound := engine.Bind(compiled, variables, viewer.Viewer{}, http.Header{})
	cpus := share.NewPool(share.Limits{Size: 1, PerCaller: 1, Beside: 1, Waiting: math.MaxInt})
	turn, other := &share.Turn{CPUs: cpus, Caller: share.Caller{Viewer: "large"}}, share.Caller{Viewer: "small"}
	fatal.If(t, turn.Begin(t.Context()))
	ctx := engine.Begin(share.NewContext(t.Context(), turn), bound)
	var isRead, cameBefore atomic.Bool
	asking, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		close(asking)
		if err := cpus.Acquire(t.Context(), other); err != nil {
			t.Error(err)
			return
		}
		cameBefore.Store(!isRead.Load())
		cpus.Release(other)
	}()
	<-asking
	for range 1000 { // until the other one has had the place
		loaders.OperationOf(ctx).Read()
		if cameBefore.Load() {
			break
		}
	}
	isRead.Store(true)
	turn.End()
	<-done
	if cost := engine.Cost(ctx); cost.Requests != 0 {
		t.Errorf("%d requests", cost.Requests)
	}
	if !cameBefore.Load() {
		t.Error("the operation has kept its turn while it worked out what to read")
	}
}
