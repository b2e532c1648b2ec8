package sweep_test

import (
	"testing"

	"github.com/partita/partita/app"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/shop"
	"github.com/partita/partita/table"
)

func TestMain(m *testing.M) { processtest.Main(m, func() { app.Main(shop.Application()) }) }

func tableSchema() table.Schema { return table.SchemaOf(typed.Design) }
