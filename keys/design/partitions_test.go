package design_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// TestBuckets lists the partitions that a span of time touches, in buckets of each size.
func TestBuckets(t *testing.T) {
	for _, c := range []struct{ bucket, from, to, want string }{
		{"year", "2024-12-31T23:59:59Z", "2026-01-01T00:00:00Z", "2024 2025 2026"},
		{"month", "2025-12-31T23:59:59Z", "2026-02-01T00:00:00Z", "2025-12 2026-01 2026-02"},
		{"day", "2024-02-28T12:00:00Z", "2024-03-01T00:00:00Z", "2024-02-28 2024-02-29 2024-03-01"},
		{"year", "9999-12-31T00:00:00Z", "9999-12-31T23:59:59.999Z", "9999"},
		{"month", "9999-11-30T00:00:00Z", "9999-12-31T23:59:59.999Z", "9999-11 9999-12"},
		{"day", "9999-12-30T00:00:00Z", "9999-12-31T23:59:59.999Z", "9999-12-30 9999-12-31"},
		{"hour", "9999-12-31T22:00:00Z", "9999-12-31T23:59:59.999Z", "9999-12-31T22 9999-12-31T23"},
		{"hour", "2025-12-31T23:59:59Z", "2026-01-01T01:00:00Z", "2025-12-31T23 2026-01-01T00 2026-01-01T01"},
	} {
		design := design.MustDesign(
			nil,
			[]*design.Type{{Name: "Event", Identity: []string{"at"}, Item: shape("DAY#{at:"+c.bucket+"}", "{at}")}},
			[]*design.Field{field("Query", "events", design.Query, "DAY#{at:"+c.bucket+"}", "", rangeOf("at", keys.Time))})
		f := design.MustField("Query", "events")
		values := func(string) keys.Value {
			return keys.ArgumentValue(f.Arguments[0], map[string]any{"from": c.from, "to": c.to})
		}
		got, err := f.Bind(values).Condition()
		if err != nil || !got.Chronological() {
			t.Errorf("%s: %v, chronological %v", c.bucket, err, got.Chronological())
		}
		var labels []string
		for _, p := range got.Partitions {
			labels = append(labels, p.Label)
		}
		if fmt.Sprint(labels) != "["+c.want+"]" {
			t.Errorf("%s: the buckets are %v, want %s", c.bucket, labels, c.want)
		}
		if n, _, err := f.PartitionCount(values, time.Time{}); n != len(strings.Fields(c.want)) || err != nil {
			t.Errorf("%s: %d partitions are counted, %v", c.bucket, n, err)
		}
	}
}

func TestPartitionCountOfShards(t *testing.T) {
	nothing := func(string) keys.Value { return keys.Value{} }
	for name, want := range map[string]int{"ordersByStatus": 4, "stores": 1} {
		if n, _, err := shop.MustField("Query", name).PartitionCount(nothing, time.Time{}); n != want || err != nil {
			t.Errorf("%s: %d partitions, %v, want %d", name, n, err, want)
		}
	}
	if _, _, err := shop.MustField("Query", "readings").PartitionCount(nothing, time.Time{}); err == nil {
		t.Error("time buckets are counted without a span")
	}
}
