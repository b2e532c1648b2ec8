package plan_test

import (
	"sync"
	"testing"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plantest"
	"github.com/partita/partita/internal/testservice"
)

// TestConcurrentBound uses a bound plan as batches of resolvers do, which are read concurrently. The race detector
// reports what is not safe.
func TestConcurrentBound(t *testing.T) {
	t.Parallel()
	doc := plantest.Parse(t, plantest.ServiceSchema(), `{
		reader(id: "Reader:r001") { name recommendations(first: 2) { nodes { title } } }
	}`)
	p := plan.NewDocument(plantest.ServiceSchema(), doc).Plan(doc.Operations[0], nil)
	b := p.Bind(nil, &testservice.Ada, false)
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			if reader := p.Root.Fields[0].Children[0]; !b.HasLaterGets(reader) {
				t.Error("the books of the reader are no later Gets")
			}
		})
	}
	readers.Wait()
}
