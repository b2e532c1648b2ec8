// Package rollout_test runs gateways with an old and a new schema over one table while it is migrated.
package rollout_test

import (
	"flag"
	"testing"
	"time"

	"github.com/partita/partita/app"
	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/testservice"
)

func TestMain(m *testing.M) {
	// The migrations mostly wait for replicas.
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	processtest.Main(m, func() {
		app.Main(app.Application{
			Schema: testservice.Executable(), Design: testservice.Design(),
			Stream: stream.Settings{Interval: 100 * time.Millisecond, Lease: time.Second, Settled: 100 * time.Millisecond},
		})
	})
}
