package app_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/processtest"
)

func TestMetricsAreBesideGraphQLOnTheLocalEngineAlone(t *testing.T) {
	t.Parallel()
	local := processtest.Start(t)
	a, err := askAda(local)
	wantAda(t, a, err)
	status, body := local.Get(t, "/metrics")
	const oneGet = `partita_dynamodb_requests_total{action="GetItem",outcome="ok"} 1`
	if status != http.StatusOK || !strings.Contains(body, oneGet) {
		t.Errorf("/metrics of the local engine is %d %s", status, body)
	}

	// Any other table may be a real one.
	remote := processtest.Start(t, "DYNAMODB_ENDPOINT=http://"+local.EngineAddress)
	if status, body := remote.Get(t, "/metrics"); status != http.StatusNotFound {
		t.Errorf("/metrics of a remote table is %d %s", status, body)
	}

	apart := processtest.Start(t, "DYNAMODB_ENDPOINT=http://"+local.EngineAddress, "METRICS_ADDR=127.0.0.1:0")
	a, err = askAda(apart)
	wantAda(t, a, err)
	if status, _ := apart.Get(t, "/metrics"); status != http.StatusNotFound {
		t.Errorf("/metrics on the public address is %d", status)
	}
	response, err := http.Get("http://" + apart.MetricsAddress + "/metrics")
	fatal.If(t, err)
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	const oneQuery = `partita_operations_total{operation="",outcome="ok",type="query"} 1`
	if err != nil || !strings.Contains(string(text), oneQuery) {
		t.Errorf("/metrics on its own address is %d %s, %v", response.StatusCode, text, err)
	}
	for path, want := range map[string]int{"/graphql": http.StatusNotFound, "/": http.StatusNotFound} {
		other, err := http.Get("http://" + apart.MetricsAddress + path)
		fatal.If(t, err)
		_ = other.Body.Close()
		if other.StatusCode != want {
			t.Errorf("%s on the address of the metrics is %d", path, other.StatusCode)
		}
	}
}

// TestGarbageCollector: the defaults are the program's own, unless the variables of the Go runtime are set.
func TestGarbageCollector(t *testing.T) {
	t.Parallel()
	for want, settings := range map[string][]string{
		"go_gc_gogc_percent 100\n":             nil,
		"go_gc_gogc_percent 150\n":             {"GOGC=150"},
		"go_gc_gomemlimit_bytes 5e+08\n":       {"GOMEMLIMIT=500000000"},
		"go_gc_gomemlimit_bytes 1.23456e+08\n": {"GOMEMLIMIT=123456000", "GOGC=off"},
	} {
		if _, text := processtest.Start(t, settings...).Get(t, "/metrics"); !strings.Contains(text, want) {
			t.Errorf("%v: the metrics lack %q", settings, want)
		}
	}
}

func TestAddressOfMetricsInUse(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	defer func() { _ = listener.Close() }()
	p := processtest.Launch(t, "serve", "DATA_DIR="+processtest.DemoData(t), "METRICS_ADDR="+listener.Addr().String())
	p.WantExit(t, "exit status 69", "set METRICS_ADDR to another address")
}

func TestSpansAreExportedBeforeTheEnd(t *testing.T) {
	t.Parallel()
	exported := make(chan string, 16)
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		exported <- r.URL.Path
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	defer collector.Close()
	p := processtest.Start(t, "OTEL_EXPORTER_OTLP_ENDPOINT="+collector.URL, "OTEL_BSP_SCHEDULE_DELAY=600000")
	a, err := askAda(p)
	wantAda(t, a, err)
	p.Signal(t, syscall.SIGTERM)
	p.WantExit(t, "exit status 0", "")
	if len(exported) != 1 || <-exported != "/v1/traces" {
		t.Error("the span of the operation is not exported")
	}
}

func TestTracesThatCannotBeExported(t *testing.T) {
	t.Parallel()
	p := processtest.Launch(t, "serve", "DATA_DIR="+processtest.DemoData(t), "OTEL_TRACES_EXPORTER=zipkin")
	p.WantExit(t, "exit status 78", "set OTEL_TRACES_EXPORTER=none")
}

// TestOperationsOfTheManifestHaveMetricsAtOnce: the name of any other operation must recur.
func TestOperationsOfTheManifestHaveMetricsAtOnce(t *testing.T) {
	t.Parallel()
	const body = "query Listed { __typename }"
	path := filepath.Join(t.TempDir(), "manifest.json")
	manifest := fmt.Sprintf(`{"format":"apollo-persisted-query-manifest","version":1,"operations":[`+
		`{"id":"1","name":"Listed","type":"query","body":%q}]}`, body)
	fatal.If(t, os.WriteFile(path, []byte(manifest), 0o600))
	for setting, want := range map[string]string{
		"OPERATIONS_MANIFEST=" + path: `{operation="Listed",outcome="ok",type="query"} 1`,
		"OPERATIONS_MANIFEST=":        `{operation="other",outcome="ok",type="query"} 1`,
	} {
		p := processtest.Start(t, setting)
		response, err := http.Post(p.URL+"/graphql", "application/json", strings.NewReader(`{"query":"`+body+`"}`))
		fatal.If(t, err)
		_ = response.Body.Close()
		if _, text := p.Get(t, "/metrics"); !strings.Contains(text, "partita_operations_total"+want) {
			t.Errorf("%s: the metrics lack %s", setting, want)
		}
	}
}
