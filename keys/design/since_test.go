package design_test

import (
	"testing"
	"time"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// TestSince: a range without a lower end begins with the bucket of since, unless that is unknown. Of more buckets than
// a range may have, it has the last ones, none before since. PartitionCount, which prices it, agrees.
func TestSince(t *testing.T) {
	now := time.Date(2026, 6, 10, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		since, value, from string
		partitions         int
		isCut              bool
	}{
		{since: "2026-04-30", partitions: 3},
		{since: "2026-06-01T00:00:00Z", partitions: 1},
		{since: "2026-07-01", partitions: 0},
		{since: "2022-07-01", partitions: 48},
		{since: "2022-06-01", partitions: 48, isCut: true},
		{since: "2026-04-30", from: "2026-01-01T00:00:00Z", partitions: 6},
		{since: "{createdAt}", value: "2026-04-30T10:00:00.000Z", partitions: 3},
		{since: "{createdAt}", value: "2026-04-30", partitions: 3},
		{since: "{createdAt}", partitions: 48, isCut: true},
	} {
		f := monthly("page", design.Connection, true)
		f.Since = c.since
		d := design.MustDesign(nil, []*design.Type{
			{Name: "Event", Identity: []string{"at"}, Item: shape("MONTH#{at:month}", "E#{at}")},
		}, []*design.Field{f})
		f = d.MustField("Query", "page")
		ends := map[string]any{}
		if c.from != "" {
			ends["from"] = c.from
		}
		values := func(name string) keys.Value {
			switch {
			case name == "at":
				return keys.ArgumentValue(f.Arguments[0], ends)
			case name == "createdAt" && c.value != "":
				return keys.StringValue(c.value)
			}
			return keys.Value{}
		}
		got, err := f.Bind(values).At(now).Condition()
		count, hasNoBeginning, err2 := f.PartitionCount(values, now)
		if err != nil || err2 != nil || len(got.Partitions) != c.partitions || count != c.partitions {
			t.Errorf("since %s %s: %d partitions, a price of %d: %v %v", c.since, c.value, len(got.Partitions), count, err, err2)
		}
		if got.IsCut(true) != c.isCut || hasNoBeginning != c.isCut {
			t.Errorf("since %s %s: has more is %v, has no beginning %v", c.since, c.value, got.IsCut(true), hasNoBeginning)
		}
	}
}
