package write_test

import (
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// TestDistinguishing: the month in the key of a copy does not show which of the readings of that month it holds.
func TestDistinguishing(t *testing.T) {
	shape := func(pk, sk string) keys.Shape {
		return keys.Shape{PK: keys.MustTemplate(pk), SK: keys.MustTemplate(sk)}
	}
	reading := &design.Type{
		Name: "Reading", Identity: []string{"device", "at"}, Item: shape("DEVICE#{device}#{at:month}", "{at}"),
		Copies: []design.Copy{{Shape: shape("DEVICE#{device}#{at:month}", "LATEST"), Latest: "at"}},
	}
	at := item.Attribute{Name: "at", Value: item.StringValue("2026-01-31T09:30:00.000Z")}
	it := item.Item{{Name: "device", Value: item.StringValue("a")}, at}
	if got := write.Distinguishing(reading, reading.Copies[0], it); len(got) != 1 || got[0].Name != at.Name {
		t.Errorf("%v distinguish the readings of a copy, want %v", got, at)
	}
}
