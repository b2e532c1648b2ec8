package loaders

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// days returns a model with so many items in each day, and the condition of a field over these days.
func days(t *testing.T, field string, counts ...int) (*model, *keys.Condition) {
	t.Helper()
	m := &model{cut: 1000}
	first := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for day, count := range counts {
		for n := range count {
			at := first.AddDate(0, 0, day).Add(time.Duration(n) * time.Second).Format(item.TimeLayout)
			m.items = append(m.items, item.Item{text("PK", "DAY#"+at[:len("2026-01-01")]), text("SK", at+"#1")})
		}
	}
	f := stocks.MustField("Query", field)
	last := first.AddDate(0, 0, len(counts)).Add(-time.Second)
	span := map[string]any{"from": first.Format(time.RFC3339), "to": last.Format(time.RFC3339)}
	c, err := f.Bind(func(string) keys.Value { return keys.ArgumentValue(f.Arguments[0], span) }).Condition()
	if err != nil {
		t.Fatal(err)
	}
	return m, &c
}

func repeated(count, days int) []int { return slices.Repeat([]int{count}, days) }

// TestBucketsAreReadUntilThePageIsFull counts the requests and waves of the first page, and of all pages.
func TestBucketsAreReadUntilThePageIsFull(t *testing.T) {
	for _, c := range []struct {
		name   string
		counts []int
		size   int
		// first are the requests and waves of the first page, all those of all pages.
		first, all string
	}{
		{"dense", repeated(200, 12), 10, "1 in 1", "262 in 262"},
		{"dense, large pages", repeated(200, 12), 100, "1 in 1", "46 in 46"},
		{"a page for each", repeated(10, 36), 10, "2 in 2", "139 in 106"},
		{"a few pages for each", repeated(31, 13), 10, "1 in 1", "54 in 54"},
		{"several for a page", repeated(5, 48), 10, "3 in 2", "94 in 71"},
		{"sparse", repeated(1, 48), 10, "11 in 2", "56 in 14"},
		{"the first days only", append([]int{60, 50, 30}, repeated(0, 45)...), 10, "1 in 1", "63 in 24"},
		{"nothing", repeated(0, 48), 10, "48 in 7", "48 in 7"},
		{"the last day only", append(repeated(0, 47), 1), 10, "48 in 7", "48 in 7"},
		{"few, then nothing", append([]int{9}, repeated(0, 47)...), 10, "48 in 7", "48 in 7"},
	} {
		for _, way := range []struct {
			field    string
			backward bool
		}{{"byDay", false}, {"byDay", true}, {"byDayDown", false}, {"byDayDown", true}} {
			descending := way.field == "byDayDown"
			counts := slices.Clone(c.counts)
			if descending != way.backward { // Reading begins with the last day.
				slices.Reverse(counts)
			}
			m, condition := days(t, way.field, counts...)
			page, walk := Paging{First: &c.size}, m.forward
			if way.backward {
				page, walk = Paging{Last: &c.size}, m.backward
			}
			m.page(t, condition, page)
			if got := m.sent(); got != c.first {
				t.Errorf("%s, %v: the first page is %s, want %s", c.name, way, got, c.first)
			}
			m.requests, m.waves = 0, 0
			if got, want := walk(t, condition, c.size), m.sortKeys(descending); !slices.Equal(got, want) {
				t.Errorf("%s, %v: the pages have %d items, want %d, or another order", c.name, way, len(got), len(want))
			}
			if got := m.sent(); got != c.all {
				t.Errorf("%s, %v: all pages are %s, want %s", c.name, way, got, c.all)
			}
		}
	}
}

// sent returns the requests and waves so far.
func (m *model) sent() string { return fmt.Sprintf("%d in %d", m.requests, m.waves) }

// sortKeys returns the sort keys of all items in the order of a field.
func (m *model) sortKeys(descending bool) []string {
	all := make([]string, len(m.items))
	for i, it := range m.items {
		all[i] = it.Text("SK")
	}
	if descending {
		slices.Reverse(all)
	}
	return all
}
