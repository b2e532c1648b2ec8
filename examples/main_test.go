package examples

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
