package telemetry_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/telemetry"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/viewer"
)

// startMeasured starts a service, and returns a function that scrapes its metrics.
func startMeasured(t *testing.T, options telemetry.MetricsOptions) (*testservice.Service, func() scrape) {
	t.Helper()
	metrics := telemetry.NewMetrics(options)
	metrics.ObserveStore(lostStore{})
	metrics.ObserveStream(readStream{})
	metrics.ObserveCache(smallCache{})
	observer := telemetry.NewObserver(metrics, nil)
	s := testservice.Start(t, func(c *gateway.Config, o *loaders.Options) {
		c.Monitoring.Observer, o.Observer = observer, observer
		c.Monitoring.Metrics = metrics.Handler()
	})
	return s, func() scrape {
		t.Helper()
		return scrapeOf(t, s.Client, strings.TrimSuffix(s.URL, "/graphql")+"/metrics")
	}
}

// readStream is a stream that this replica has read up to two seconds ago.
type readStream struct{}

func (readStream) Lag() (time.Duration, bool) { return 2 * time.Second, true }
func (readStream) Records() int64             { return 9 }
func (readStream) Requests() int64            { return 10 }
func (readStream) Shards() int                { return 3 }

// lostStore is a shared store that was not reachable three times.
type lostStore struct{}

// smallCache is a cache that is used, with two items in 900 bytes.
type smallCache struct{}

func (smallCache) Reused() map[string]int64    { return map[string]int64{"request": 5, "item": 6} }
func (smallCache) Misses() int64               { return 7 }
func (smallCache) Evictions() map[string]int64 { return map[string]int64{"change": 8} }
func (smallCache) Size() (int, int64)          { return 2, 900 }
func (smallCache) IsUsed() bool                { return true }

func (lostStore) IsReachable() bool { return false }
func (lostStore) Fallbacks() int64  { return 3 }

// scrape has the families of metrics by name.
type scrape map[string]*dto.MetricFamily

func scrapeOf(t *testing.T, client *http.Client, url string) scrape {
	t.Helper()
	response, err := client.Get(url)
	fatal.If(t, err)
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("the scrape has status %d", response.StatusCode)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(response.Body)
	fatal.If(t, err)
	return families
}

// lines returns the series of a family that are not zero, as "a=1,b=2: value". The value of a histogram is its count
// and sum.
func (s scrape) lines(name string) []string {
	var lines []string
	for _, m := range s[name].GetMetric() {
		var labels []string
		for _, l := range m.GetLabel() {
			labels = append(labels, l.GetName()+"="+l.GetValue())
		}
		value := m.GetCounter().GetValue() + m.GetGauge().GetValue()
		text := fmt.Sprint(value)
		if h := m.GetHistogram(); h != nil {
			value = float64(h.GetSampleCount())
			text = fmt.Sprintf("%d of %g", h.GetSampleCount(), h.GetSampleSum())
		}
		if value != 0 {
			lines = append(lines, strings.Join(labels, ",")+": "+text)
		}
	}
	slices.Sort(lines)
	return lines
}

func (s scrape) want(t *testing.T, name string, lines ...string) {
	t.Helper()
	if s[name] == nil {
		t.Errorf("there is no metric %s", name)
	}
	if got := s.lines(name); !slices.Equal(got, lines) {
		t.Errorf("%s is\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(lines, "\n"))
	}
}

// wantCount compares the count of a histogram.
func (s scrape) wantCount(t *testing.T, name string, labels string, count uint64) {
	t.Helper()
	for _, line := range s.lines(name) {
		if strings.HasPrefix(line, fmt.Sprintf("%s: %d of ", labels, count)) {
			return
		}
	}
	t.Errorf("%s has no %d of %s: %s", name, count, labels, s.lines(name))
}

func TestMetricsAfterKnownOperations(t *testing.T) {
	s, scraped := startMeasured(t, telemetry.MetricsOptions{
		Operations: []string{"Name", "Fans", "Refused", "Partial", "Create"},
	})
	const (
		name   = `query Name { reader(id: "Reader:r001") { name } }`
		create = `mutation Create { countVisit(input: {branchId: "Branch:c1", door: "NEW"}) { userErrors { code } } }`
	)
	s.Must(t, name, nil)
	s.Must(t, name, nil)
	// Two waves: the edges, then ten readers and the existence check of the book.
	s.Must(t, `query Fans { book(id: "Book:b001") { recommendedBy(last: 10) { nodes { name } } } }`, nil)
	s.Must(t, `{ __typename }`, nil)
	s.Ask(t, `query Refused { nope }`, nil)
	s.Ask(t, `query Partial { reader(id: "Reader:r001") { name } node(id: "!") { id } }`, nil)
	created := s.Must(t, create, nil)
	// The code is that of a condition that failed, which costs as much.
	s.Must(t, create, nil)
	s.Proxy.Inject(tabletest.Faults{ErrorCode: "ValidationException"})
	s.Ask(t, name, nil)
	s.Proxy.Inject(tabletest.Faults{})

	m := scraped()
	m.want(t, "partita_operations_total",
		"operation=,outcome=ok,type=query: 1",
		"operation=,outcome=refused,type=: 1",
		"operation=Create,outcome=ok,type=mutation: 2",
		"operation=Fans,outcome=ok,type=query: 1",
		"operation=Name,outcome=ok,type=query: 2",
		"operation=Name,outcome=partial,type=query: 1",
		"operation=Partial,outcome=partial,type=query: 1",
	)
	m.want(t, "partita_operation_errors_total",
		"code=BAD_USER_INPUT: 1", "code=GRAPHQL_VALIDATION_FAILED: 1", "code=INTERNAL_SERVER_ERROR: 1")
	m.wantCount(t, "partita_operation_duration_seconds", "operation=Name,type=query", 3)
	m.want(t, "partita_operation_waves",
		"operation=: 1 of 0",
		"operation=Create: 2 of 0",
		"operation=Fans: 1 of 2",
		"operation=Name: 3 of 3",
		"operation=Partial: 1 of 1",
	)
	m.want(t, "partita_operation_requests",
		"operation=: 1 of 0",
		"operation=Create: 2 of 2",
		"operation=Fans: 1 of 2",
		"operation=Name: 3 of 3",
		"operation=Partial: 1 of 1",
	)
	m.want(t, "partita_operation_read_units_total",
		"operation=Fans: 6", "operation=Name: 1", "operation=Partial: 0.5")
	writeUnits := fmt.Sprint(2 * created.Extensions.Cost.WriteUnits)
	m.want(t, "partita_operation_write_units_total", "operation=Create: "+writeUnits)
	m.want(t, "partita_dynamodb_requests_total",
		"action=BatchGetItem,outcome=ok: 1",
		"action=GetItem,outcome=error: 1",
		"action=GetItem,outcome=ok: 3",
		"action=PutItem,outcome=condition_failed: 1",
		"action=PutItem,outcome=ok: 1",
		"action=Query,outcome=ok: 1",
	)
	m.want(t, "partita_dynamodb_read_units_total",
		"action=BatchGetItem: 5.5", "action=GetItem: 1.5", "action=Query: 0.5")
	m.want(t, "partita_dynamodb_write_units_total", "action=PutItem: "+writeUnits)
	m.wantCount(t, "partita_dynamodb_request_duration_seconds", "action=GetItem", 4)
	m.want(t, "partita_dynamodb_batch_keys", ": 1 of 11")
	m.want(t, "partita_shared_store_fallbacks_total", ": 3")
	m.want(t, "partita_stream_lag_seconds", ": 2")
	m.want(t, "partita_stream_reader", ": 1")
	m.want(t, "partita_stream_shards", ": 3")
	m.want(t, "partita_stream_changes_total", ": 9")
	m.want(t, "partita_stream_requests_total", ": 10")
	m.want(t, "partita_reused_reads_total", "by=item: 6", "by=request: 5")
	m.want(t, "partita_cache_misses_total", ": 7")
	m.want(t, "partita_cache_evictions_total", "cause=change: 8")
	m.want(t, "partita_cache_items", ": 2")
	m.want(t, "partita_cache_bytes", ": 900")
	m.want(t, "partita_cache_used", ": 1")
	for _, none := range []string{
		"partita_shared_store_reachable",
		"partita_dynamodb_retries_total", "partita_dynamodb_throttles_total", "partita_dynamodb_unprocessed_keys_total",
		"partita_dynamodb_requests_in_flight", "partita_operations_in_flight",
	} {
		m.want(t, none)
	}
	for _, name := range []string{"go_goroutines", "process_resident_memory_bytes", "go_build_info"} {
		if len(m.lines(name)) != 1 {
			t.Errorf("%s is %v", name, m.lines(name))
		}
	}
}

func TestMetricsOfThrottlingAreWhatTheTableDid(t *testing.T) {
	s, scraped := startMeasured(t, telemetry.MetricsOptions{})
	s.Proxy.Reset()
	s.Proxy.Inject(tabletest.Faults{Seed: 1, Throttled: 0.3, Unprocessed: 0.3})
	query, variables := testservice.BusyQuery()
	s.Must(t, query, variables)
	s.Proxy.Inject(tabletest.Faults{})
	counts, m := s.Proxy.Counts(), scraped()
	sum := func(name string) (total int) {
		for _, metric := range m[name].GetMetric() {
			total += int(metric.GetCounter().GetValue())
		}
		return total
	}
	if got := sum("partita_dynamodb_throttles_total"); got != counts.Throttled || got == 0 {
		t.Errorf("%d throttles are counted, %d were made", got, counts.Throttled)
	}
	if got := sum("partita_dynamodb_retries_total"); got != counts.Throttled {
		t.Errorf("%d retries are counted, %d requests were throttled", got, counts.Throttled)
	}
	if got := sum("partita_dynamodb_unprocessed_keys_total"); got != counts.Unprocessed || got == 0 {
		t.Errorf("%d unprocessed keys are counted, %d were made", got, counts.Unprocessed)
	}
}

// TestMetricsLimitTheNamesOfOperations: callers choose the names, and the time series of each name remain.
func TestMetricsLimitTheNamesOfOperations(t *testing.T) {
	s, scraped := startMeasured(t, telemetry.MetricsOptions{MaxOperations: 5, Operations: []string{"Listed", ""}})
	for i := range 50 {
		for range 3 {
			s.Ask(t, fmt.Sprintf(`query Refused%d { nope }`, i), nil)
			s.Ask(t, fmt.Sprintf(`query Misled%d($id: ID!) { reader(id: $id) { id } }`, i), nil)
		}
		s.Must(t, fmt.Sprintf(`query Once%d { __typename }`, i), nil)
	}
	repeat := func(v viewer.Viewer, name string, times int) {
		for range times {
			s.As(v).Must(t, `query `+name+` { __typename }`, nil)
		}
	}
	repeat(viewer.Viewer{}, strings.Repeat("L", 65), 5)
	repeat(viewer.Viewer{}, "Listed", 1)
	repeat(testservice.Ada, "Own", 3) // does not count among those that anonymous callers may add
	repeat(viewer.Viewer{}, "Recurs", 5)
	for i := range 50 { // half of the names are for anonymous callers
		repeat(viewer.Viewer{}, fmt.Sprintf("Flood%d", i), 5)
	}
	repeat(testservice.Ada, "Signed", 3)
	repeat(testservice.Ada, "Late", 5) // all names are used
	scraped().want(t, "partita_operations_total",
		"operation=,outcome=refused,type=: 150",
		"operation=Flood0,outcome=ok,type=query: 3",
		"operation=Listed,outcome=ok,type=query: 1",
		"operation=Own,outcome=ok,type=query: 1",
		"operation=Recurs,outcome=ok,type=query: 3",
		"operation=Signed,outcome=ok,type=query: 1",
		fmt.Sprintf("operation=other,outcome=ok,type=query: %d", 50+5+2+2+2+49*5+2+5),
		"operation=other,outcome=refused,type=query: 150",
	)
}

// TestOneOffNamesDoNotDisplaceThoseThatRecur: however many names are used once in between.
func TestOneOffNamesDoNotDisplaceThoseThatRecur(t *testing.T) {
	metrics := telemetry.NewMetrics(telemetry.MetricsOptions{MaxOperations: 2})
	observer := telemetry.NewObserver(metrics, nil)
	execute := func(name string, signedIn bool) {
		_, ended := observer.Operation(httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", nil))
		ended(operation.Report{Name: name, Type: "query", Outcome: operation.OutcomeOK, SignedIn: signedIn})
	}
	for i := range 4 {
		execute("Recurs", true)
		for k := range 2000 {
			execute(fmt.Sprintf("Once%d_%d", i, k), false)
		}
	}
	w := httptest.NewRecorder()
	metrics.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	for _, line := range []string{
		`partita_operations_total{operation="Recurs",outcome="ok",type="query"} 2`,
		`partita_operations_total{operation="other",outcome="ok",type="query"} 8002`,
	} {
		if !strings.Contains(w.Body.String(), line+"\n") {
			t.Errorf("the metrics lack %s", line)
		}
	}
}

func TestOperationInFlightIsAGauge(t *testing.T) {
	s, scraped := startMeasured(t, telemetry.MetricsOptions{})
	hold := s.Proxy.Hold(func(tabletest.Request) bool { return true })
	defer hold.Release()
	done := make(chan error)
	go func() {
		_, err := s.Send(t.Context(), `query Held { reader(id: "Reader:r001") { name } }`, nil)
		done <- err
	}()
	<-hold.Arrived()
	m := scraped()
	m.want(t, "partita_operations_in_flight", ": 1")
	m.want(t, "partita_dynamodb_requests_in_flight", ": 1")
	hold.Release()
	fatal.If(t, <-done)
}

// TestMetricOfDamagedItems: each damaged item that an operation reads counts once, under its type if there is one, and
// so does each field that it selects and cannot read.
func TestMetricOfDamagedItems(t *testing.T) {
	s, scraped := startMeasured(t, telemetry.MetricsOptions{})
	for _, it := range testservice.Items() {
		switch sk := it.Text(keys.AttributeSK); {
		case it.Text(keys.AttributePK) != "BOOK#b001":
		case sk == "AWARD#2001":
			s.Load(t, slices.DeleteFunc(slices.Clone(it), func(a item.Attribute) bool { return a.Name == "prize" }))
		case sk == "AWARD#2004":
			it = slices.Clone(it)
			for i := range it {
				if it[i].Name == item.EntityType {
					it[i].Value = item.StringValue("Newer")
				}
			}
			s.Load(t, it)
		}
	}
	const query = `{
		book(id: "Book:b001") { awards { year } again: awards { prize } }
		node(id: "Award:b001/2001") { ... on Award { prize } }
	}`
	s.Ask(t, query, nil)
	s.Ask(t, query, nil)
	scraped().want(t, "partita_damaged_items_total", "type=: 2")
	scraped().want(t, "partita_unreadable_fields_total", "type=Award: 2")
}
