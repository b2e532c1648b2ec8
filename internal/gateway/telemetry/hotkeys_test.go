package telemetry_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/gateway/telemetry"
)

// TestHotKeys: metrics have the units a second of the keys that consume most, by hashes. The keys are in the log, at
// most once a minute when one has a third of what it can consume, and in what is for this machine.
func TestHotKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		m := telemetry.NewMetrics(telemetry.MetricsOptions{Logger: slog.New(slog.NewTextHandler(&log, nil))})
		for range 60 {
			m.Usage().Writes.Add("GSI1", "STATUS#A", 650)
			m.Usage().Reads.Add("", "USER#1", 1000)
			m.Usage().Reads.Add("", "USER#cold", 0.5)
			time.Sleep(time.Second)
		}
		get := func(h http.Handler) string {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
			return w.Body.String()
		}
		metrics := get(m.Handler())
		var lines []string
		for line := range strings.Lines(metrics) {
			if value, is := strings.CutPrefix(line, "partita_dynamodb_key_units_per_second"); is {
				number, _, _ := strings.Cut(strings.TrimSpace(value), ".")
				lines = append(lines, number)
			}
		}
		want := []string{
			`{index="",key="3c2263ab8ba2",units="read"} 626`,
			`{index="GSI1",key="f71cf62f6df0",units="write"} 407`,
			`_missing{units="read"} 0`,
			`_missing{units="write"} 0`,
		}
		if diff := cmp.Diff(want, lines); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
		for _, key := range []string{"USER", "STATUS"} {
			if strings.Contains(metrics, key) {
				t.Errorf("the metrics have %s in clear", key)
			}
		}
		keys := `{"3c2263ab8ba2":"USER#1","f71cf62f6df0":"STATUS#A"}`
		if got := strings.TrimSpace(get(m.Keys())); got != keys {
			t.Errorf("got %s", got)
		}
		_, logged, _ := strings.Cut(strings.TrimSpace(log.String()), "level=WARN ")
		line := `msg="a partition key comes near its limit" units=write index=GSI1 partition=STATUS#A perSecond=335 ` +
			`limit=1000 fix="a partition takes 1,000 write units a second: spread the key by shards in its @index; if the ` +
			`table or index is new, set its warm throughput before there is load"`
		if diff := cmp.Diff(line, logged); diff != "" {
			t.Errorf("the log: -want +got\n%s", diff)
		}
	})
}
