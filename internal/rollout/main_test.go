// Package rollout_test runs gateways with an old and a new schema over one table while it is migrated.
package rollout_test

import (
	"testing"

	"github.com/partita/partita/app"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/testservice"
)

func TestMain(m *testing.M) {
	processtest.Main(m, func() {
		app.Main(app.Application{Schema: testservice.Executable(), Design: testservice.Design()})
	})
}
