package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/processtest"
)

// TestCache: with CACHE_BYTES, items are answered from the cache once the stream has been read.
func TestCache(t *testing.T) {
	t.Parallel()
	p := processtest.Start(t, "CACHE_BYTES=1000000", "METRICS_ADDR=127.0.0.1:0")
	const none = `partita_reused_reads_total{by="item"} 0` + "\n"
	wantMetrics(t, p, none)
	for tick := time.Tick(10 * time.Millisecond); strings.Contains(metricsOf(t, p), none); {
		a, err := askAda(p)
		wantAda(t, a, err)
		<-tick
	}
	wantMetrics(t, p, "partita_cache_used 1\n", "partita_cache_items 1\n")
}
