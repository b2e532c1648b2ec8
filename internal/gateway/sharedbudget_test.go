package gateway_test

import (
	"context"
	"math"
	"net/http"
	"runtime"
	"sync"
	"testing"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/storetest"
	"github.com/partita/partita/loaders"
)

// TestReplicasShareABudget: what an operation has consumed at one gateway is missing at the other one; if the store is
// gone, each gateway answers from its own budgets.
func TestReplicasShareABudget(t *testing.T) {
	server := storetest.Start(t)
	var gateways []string
	consumed := 0.0
	for range 2 {
		c, _ := config(t)
		c.Consumption.Budget = operation.Budget{Maximum: 100, Restore: 1e-12}
		c.Consumption.Store = server.Open(t)
		e := withEngine(&c)
		e.price = costing(plan.Price{ReadUnits: 40})
		e.cost = func(context.Context) loaders.Cost { return loaders.Cost{ReadUnits: consumed} }
		gateways = append(gateways, serve(t, c))
	}
	for i, tt := range []struct {
		gateway             int
		consumed, available float64
		status              int
		killed              bool
	}{
		{gateway: 0, consumed: 30, available: 70, status: http.StatusOK},
		{gateway: 1, consumed: 31, available: 39, status: http.StatusOK},
		{gateway: 0, consumed: 1, available: 39, status: http.StatusTooManyRequests},
		{gateway: 1, consumed: 1, available: 39, status: http.StatusTooManyRequests},
		{gateway: 0, consumed: 1, available: 69, status: http.StatusOK, killed: true},
		{gateway: 1, consumed: 1, available: 68, status: http.StatusOK},
	} {
		if tt.killed {
			server.Kill()
		}
		consumed = tt.consumed
		a := post(t, gateways[tt.gateway], `{ __typename }`, nil)
		status := a.result.Extensions.Cost.ThrottleStatus
		if a.status != tt.status || status == nil || math.Abs(status.CurrentlyAvailable-tt.available) > 0.01 {
			t.Errorf("operation %d has status %d, %+v; want %d and %v available", i, a.status, status, tt.status, tt.available)
		}
	}
}

// TestTurnWhileStoreIsAwaited: operations that wait for the shared store have no turn on the CPUs.
func TestTurnWhileStoreIsAwaited(t *testing.T) {
	server := storetest.Start(t)
	c, _ := config(t)
	c.Consumption.Budget = operation.Budget{Maximum: 100, Restore: 1}
	c.Consumption.Store = server.Open(t)
	c.MaxOperations, c.MaxOperationsPerCaller = 1000, 1000
	e := withEngine(&c)
	n := 8 * runtime.GOMAXPROCS(0) // more than turns
	priced := make(chan struct{}, n)
	e.price = func(*plan.Bound) (plan.Price, error) {
		priced <- struct{}{}
		return plan.Price{}, nil
	}
	url := serve(t, c)
	server.Pause(t)
	var waiting sync.WaitGroup
	for range n {
		waiting.Go(func() {
			if a := post(t, url, `{ __typename }`, nil); a.status != http.StatusOK {
				t.Errorf("after the store has answered, got %d %s", a.status, a.body)
			}
		})
	}
	for range n / 2 { // as many as turns
		<-priced
	}
	if a := post(t, url, `{`, nil); a.status != http.StatusBadRequest {
		t.Errorf("beside operations that wait for the store, got %d %s", a.status, a.body)
	}
	server.Resume(t)
	waiting.Wait()
}
