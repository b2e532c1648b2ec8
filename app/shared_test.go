package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/storetest"
	"github.com/partita/partita/internal/testservice"
)

// TestSharedStore: two processes share what anonymous callers may send, one mutation a minute. After the store is
// killed, each continues with what it has granted itself.
func TestSharedStore(t *testing.T) {
	t.Parallel()
	server := storetest.Start(t)
	local := processtest.Start(t)
	settings := []string{
		"DYNAMODB_ENDPOINT=http://" + local.EngineAddress, "METRICS_ADDR=127.0.0.1:0",
		"SHARED_STORE=" + server.URL(""), "SHARED_STORE_TIMEOUT=1m", "ANONYMOUS_MUTATIONS_PER_MINUTE=1",
	}
	one, other := processtest.Start(t, settings...), processtest.Start(t, settings...)
	wantMutation(t, one, "")
	wantMutation(t, other, "RATE_LIMITED")
	for _, p := range []*processtest.Process{one, other} {
		wantMetrics(t, p, "partita_shared_store_reachable 1\n", "partita_shared_store_fallbacks_total 0\n")
	}

	server.Kill()
	wantMutation(t, one, "RATE_LIMITED")
	wantMutation(t, other, "")
	for _, p := range []*processtest.Process{one, other} {
		wantMetrics(t, p, "partita_shared_store_reachable 0\n")
	}

	server.Restart(t) // without its data
	const reachable = "partita_shared_store_reachable 1\n"
	for tick := time.Tick(10 * time.Millisecond); !strings.Contains(metricsOf(t, one), reachable); {
		<-tick
	}
	wantMutation(t, one, "")
}

// TestUnusableStore: a process with a wrong password for the store starts and answers.
func TestUnusableStore(t *testing.T) {
	t.Parallel()
	p := processtest.Start(t, "SHARED_STORE="+storetest.Start(t).URL(":wrong"))
	a, err := askAda(p)
	wantAda(t, a, err)
	wantMutation(t, p, "")
}

// wantMutation sends an anonymous mutation, and compares the code of its error, which is empty for none.
func wantMutation(t *testing.T, p *processtest.Process, code string) {
	t.Helper()
	const countVisit = `mutation { countVisit(input: {branchId: %q, door: "NEW"}) { userErrors { code } } }`
	body, err := json.Marshal(map[string]string{"query": fmt.Sprintf(countVisit, testservice.Branch(1).Encode())})
	fatal.If(t, err)
	response, err := http.Post(p.URL+"/graphql", "application/json", strings.NewReader(string(body)))
	fatal.If(t, err)
	defer func() { _ = response.Body.Close() }()
	a, err := readAnswer(response.Body)
	fatal.If(t, err)
	got := ""
	if len(a.Errors) > 0 {
		got = a.Errors[0].Extensions.Code
	}
	if got != code {
		t.Errorf("got %+v, want the code %q", a.Errors, code)
	}
}

func metricsOf(t *testing.T, p *processtest.Process) string {
	t.Helper()
	_, body := processtest.Get(t, "http://"+p.MetricsAddress+"/metrics")
	return body
}

func wantMetrics(t *testing.T, p *processtest.Process, lines ...string) {
	t.Helper()
	body := metricsOf(t, p)
	for _, line := range lines {
		if !strings.Contains(body, line) {
			t.Errorf("the metrics lack %q", line)
		}
	}
}
