package telemetry_test

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/telemetry"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/request"
)

// TestOperationEndsBeforeItsRequests: a cancelled operation may end while a wave of it begins. The race detector
// reports counts that are read without their lock.
func TestOperationEndsBeforeItsRequests(t *testing.T) {
	o := telemetry.NewObserver(telemetry.NewMetrics(telemetry.MetricsOptions{}), nil)
	ctx, ended := o.Operation(httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", nil))
	var late sync.WaitGroup
	late.Go(func() {
		wave, waveEnded := o.Wave(ctx, 1)
		_, answered := o.Request(wave, loaders.Sent{Action: loaders.ActionGetItem, Keys: 1})
		answered(request.Result{ReadUnits: 0.5}, nil)
		waveEnded()
	})
	ended(operation.Report{Type: "query", Outcome: operation.OutcomeOK, Status: http.StatusOK})
	late.Wait()
}
