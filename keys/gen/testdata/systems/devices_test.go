package systems

import (
	"testing"
	"time"

	"github.com/partita/partita/keys"

	"systems/devices/graph"
	"systems/devices/graph/model"
	"systems/devices/resolvers"
	"systems/devices/typed"
)

func TestDevices(t *testing.T) {
	attic := keys.NewID("Device", "attic")
	reading := func(month time.Month, celsius float64) *model.Reading {
		return &model.Reading{DeviceID: attic, At: time.Date(2026, month, 15, 6, 0, 0, 0, time.UTC), Celsius: celsius}
	}
	runQueries(t, "devices", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}), typed.Design,
		storedItems(t, typed.StoredDevice, &model.Device{ID: attic, Place: "the attic"}),
		storedItems(t, typed.StoredReading,
			reading(time.January, -1.5), reading(time.February, 3), reading(time.March, 9.25)),
	)
}
