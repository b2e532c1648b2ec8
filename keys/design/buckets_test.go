package design_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// events is a design with buckets of a month.
var events = design.MustDesign(
	nil,
	[]*design.Type{{Name: "Event", Identity: []string{"at"}, Item: shape("MONTH#{at:month}", "E#{at}")}},
	[]*design.Field{
		monthly("page", design.Connection, false),
		monthly("pageDown", design.Connection, true),
		monthly("first", design.One, false),
		monthly("latest", design.One, true),
		monthly("all", design.Many, true),
	},
)

func monthly(name string, result design.Result, descending bool) *design.Field {
	f := field("Query", name, design.Query, "MONTH#{at:month}", "E#", rangeOf("at", keys.Time))
	f.Result, f.Descending, f.AtMost = result, descending, 100
	return f
}

// eventsOf returns the condition of a field at noon of 10 June 2026. An empty end is left out.
func eventsOf(name, from, to string) (design.Condition, error) {
	f := events.MustField("Query", name)
	ends := map[string]any{}
	if from != "" {
		ends["from"] = from
	}
	if to != "" {
		ends["to"] = to
	}
	values := func(string) keys.Value { return keys.ArgumentValue(f.Arguments[0], ends) }
	return f.Bind(values).At(time.Date(2026, time.June, 10, 12, 0, 0, 0, time.UTC)).Condition()
}

// span returns the labels of the first and the last partition, and how many there are.
func span(parts []design.Partition) string {
	if len(parts) == 0 {
		return "none"
	}
	return fmt.Sprintf("%s to %s, %d", parts[0].Label, parts[len(parts)-1].Label, len(parts))
}

// TestOpenBuckets leaves out ends of a range over time buckets.
func TestOpenBuckets(t *testing.T) {
	const needsFrom = "at must have from: the collection is stored in time buckets, and this reads the oldest first"
	for _, c := range []struct{ field, from, to, want string }{
		{"pageDown", "", "", "2022-07 to 2026-06, 48"},
		{"pageDown", "", "2026-03-10T00:00:00Z", "2022-04 to 2026-03, 48"},
		{"pageDown", "", "0001-02-10T00:00:00Z", "0000-01 to 0001-02, 14"},
		{"pageDown", "2026-03-10T00:00:00Z", "", "2026-03 to 2026-06, 4"},
		{"pageDown", "0001-01-01T00:00:00Z", "0001-01-02T00:00:00Z", "0001-01 to 0001-01, 1"},
		{"page", "2026-03-10T00:00:00Z", "", "2026-03 to 2026-06, 4"},
		{"page", "2026-07-01T00:00:00Z", "", "none"},
		{"page", "2022-06-30T00:00:00Z", "", "at spans more than 48 time buckets; ask for a shorter span"},
		{"latest", "", "", "2022-07 to 2026-06, 48"},
		{"first", "", "", needsFrom},
		{"first", "2026-03-10T00:00:00Z", "", "2026-03 to 2026-06, 4"},
		{"all", "", "", needsFrom},
		{"all", "2026-03-10T00:00:00Z", "", "2026-03 to 2026-06, 4"},
	} {
		condition, err := eventsOf(c.field, c.from, c.to)
		got := span(condition.Partitions)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s from %q to %q: %s, want %s", c.field, c.from, c.to, got, c.want)
		}
		if err == nil && condition.HasNoBeginning() != (c.from == "") {
			t.Errorf("%s from %q to %q has no beginning: %v", c.field, c.from, c.to, condition.HasNoBeginning())
		}
	}
}

// TestCursorInOpenBuckets: a cursor may lead back to any time, with as many buckets beyond it as the first page has.
func TestCursorInOpenBuckets(t *testing.T) {
	for _, c := range []struct{ at, to, want string }{
		{"2026-06-01T00:00:00.000Z", "", "2022-07 to 2026-06, 48"},
		{"2026-05-31T00:00:00.000Z", "", "2022-06 to 2026-06, 49"},
		{"2010-02-01T00:00:00.000Z", "", "2006-03 to 2014-01, 95"},
		{"2010-02-01T00:00:00.000Z", "2010-03-31T00:00:00Z", "2006-03 to 2010-03, 49"},
	} {
		from, err := eventsOf("pageDown", "", c.at)
		if err != nil {
			t.Fatal(err)
		}
		last := len(from.Partitions) - 1
		cursor := from.Cursor(last, item.Item{{Name: "SK", Value: item.StringValue("E#" + c.at)}})

		condition, err := eventsOf("pageDown", "", c.to)
		if err != nil {
			t.Fatal(err)
		}
		p, err := condition.ParseCursor("after", cursor)
		if err != nil {
			t.Errorf("%s: %v", c.at, err)
			continue
		}
		if got := span(condition.Partitions); got != c.want || condition.Partitions[p.Partition].Label != c.at[:7] {
			t.Errorf("%s: the partitions are %s, the cursor is in number %d; want %s", c.at, got, p.Partition, c.want)
		}
	}
	later, err := eventsOf("pageDown", "", "2026-08-01T00:00:00Z")
	if err != nil {
		t.Fatal(err)
	}
	cursor := later.Cursor(47, item.Item{{Name: "SK", Value: item.StringValue("E#2026-08-01T00:00:00.000Z")}})
	now, err := eventsOf("pageDown", "", "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = now.ParseCursor("after", cursor)
	wantInputError(t, err, "after", notACursor)
}

// TestGrow: an open range has the buckets that begin later, at the end.
func TestGrow(t *testing.T) {
	at := func(month time.Month, day int) time.Time { return time.Date(2026, month, day, 0, 0, 0, 0, time.UTC) }
	for _, c := range []struct{ from, to, want, next string }{
		{"2026-03-10T00:00:00Z", "", "2026-03 to 2026-08, 6", "2026-09-01"},
		{"", "", "2022-07 to 2026-08, 50", "2026-09-01"},
		{"2026-03-10T00:00:00Z", "2026-05-01T00:00:00Z", "2026-03 to 2026-05, 3", "0001-01-01"},
	} {
		condition, err := eventsOf("pageDown", c.from, c.to)
		if err != nil {
			t.Fatal(err)
		}
		for _, now := range []time.Time{at(time.June, 30), at(time.July, 1), at(time.August, 31)} {
			next, err := condition.Grow(now)
			if err != nil {
				t.Fatal(err)
			}
			if now == at(time.August, 31) && next.Format(time.DateOnly) != c.next {
				t.Errorf("from %q to %q: the next bucket begins at %v, want %s", c.from, c.to, next, c.next)
			}
		}
		if got := span(condition.Partitions); got != c.want {
			t.Errorf("from %q to %q: %s, want %s", c.from, c.to, got, c.want)
		}
	}
}

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
