package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/storetest"
)

// TestSharedStore: two processes share a budget. Without the store, which has the wrong password or is killed, they
// start and answer.
func TestSharedStore(t *testing.T) {
	server := storetest.Start(t)
	local := processtest.Start(t)
	// Each operation costs half a unit and has two objects. The budget is hardly restored during the test.
	endpoint := "DYNAMODB_ENDPOINT=http://" + local.EngineAddress
	settings := []string{
		endpoint, "METRICS_ADDR=127.0.0.1:0", "SHARED_STORE=" + server.URL(""), "SHARED_STORE_TIMEOUT=1m",
		"READ_UNITS_BUCKET=1.1", "READ_UNITS_RESTORE=0.001",
	}
	one, other := processtest.Start(t, settings...), processtest.Start(t, settings...)
	for _, p := range []*processtest.Process{one, other} {
		a, err := askAda(p)
		wantAda(t, a, err)
	}
	for _, p := range []*processtest.Process{one, other} {
		if a, err := askAda(p); err != nil || len(a.Errors) != 1 || a.Errors[0].Extensions.Code != "RATE_LIMITED" {
			t.Errorf("got %+v, %v although the budget is used up", a, err)
		}
		wantMetric(t, p, "partita_shared_store_reachable 1\n", "partita_shared_store_fallbacks_total 0\n")
	}

	server.Kill()
	for _, p := range []*processtest.Process{one, other} {
		a, err := askAda(p) // half of this replica's own budget is left
		wantAda(t, a, err)
		wantMetric(t, p, "partita_shared_store_reachable 0\n")
	}
	server.Restart(t)
	const reachable = "partita_shared_store_reachable 1\n"
	for tick := time.Tick(10 * time.Millisecond); !strings.Contains(metricsOf(t, one), reachable); {
		<-tick
	}
	a, err := askAda(one) // the new server has no bucket yet
	wantAda(t, a, err)

	wrong := processtest.Start(t, endpoint, "SHARED_STORE=redis://:s3cret@"+server.Address, "SHARED_STORE_PASSWORD=s3cret")
	a, err = askAda(wrong)
	wantAda(t, a, err)
}

func metricsOf(t *testing.T, p *processtest.Process) string {
	t.Helper()
	_, body := processtest.Get(t, "http://"+p.MetricsAddress+"/metrics")
	return body
}

func wantMetric(t *testing.T, p *processtest.Process, lines ...string) {
	t.Helper()
	body := metricsOf(t, p)
	for _, line := range lines {
		if !strings.Contains(body, line) {
			t.Errorf("the metrics lack %q", line)
		}
	}
}
