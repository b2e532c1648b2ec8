package systems

import (
	"strings"
	"testing"

	"github.com/partita/partita/systems/foreign/devices/graph"
	"github.com/partita/partita/systems/foreign/devices/graph/model"
	"github.com/partita/partita/systems/foreign/devices/resolvers"
	"github.com/partita/partita/systems/foreign/devices/typed"
)

func TestForeignDevices(t *testing.T) {
	f := startForeign(t, "devices", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}),
		typed.Design, devicesObject)
	readings := func(device, field, arguments string, from, to float64) connection {
		return connection{
			query: "{ device(id: <Device:" + device + ">) { " + field + "(" + arguments + "PAGE) SELECTION } }",
			holds: func(r raw) bool {
				return r.text("device") == device && from <= r.number("ts") && r.number("ts") <= to
			},
			sortKey: attribute("ts"), descending: field == "readings",
		}
	}
	const (
		all = `at: {from: "2025-10-01T00:00:00Z", to: "2026-04-01T00:00:00Z"}, `
		// From one reading to another; the milliseconds exclude them.
		some    = `at: {from: "2025-10-07T06:30:00Z", to: "2026-02-04T06:30:00Z"}, `
		without = `at: {from: "2025-10-07T06:30:00.001Z", to: "2026-02-04T06:29:59.999Z"}, `
		end     = 1e10
	)
	from, to := 1759818600.0, 1770186600.0
	f.check(t,
		readings("attic", "readings", all, 0, end), readings("cellar", "readings", all, 0, end),
		readings("garage", "readings", all, 0, end),
		readings("attic", "readings", some, from, to), readings("attic", "readings", without, from+1, to-1),
		readings("attic", "history", "", 0, end), readings("garage", "history", "", 0, end),
		readings("attic", "history", some, from, to), readings("attic", "history", without, from+1, to-1))
	f.checkWrites(t,
		writes("Device", model.NewDevice, typed.StoredDevice),
		writes("Reading", model.NewReading, typed.StoredReading))
}

// devicesObject returns the object of an item.
func devicesObject(r raw) object {
	switch r.text("_et") {
	case "dev":
		return object{
			"__typename": "Device", "id": id("Device", cut(r.text("hash_key"), "DEV::")), "place": r.text("location"),
		}
	case "rdg":
		at, sensor := epoch(r.number("ts")), strings.Split(r.text("range_key"), "::")[2]
		return object{
			"__typename": "Reading", "id": id("Reading", r.text("device"), utc(at), sensor),
			"deviceId": id("Device", r.text("device")), "at": at, "sensor": sensor, "celsius": r.number("celsius"),
		}
	default:
		return nil
	}
}
