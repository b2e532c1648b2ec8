package loaders

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// day returns the beginning of a day, counted from the first one of the models.
func day(n int) time.Time { return time.Date(2026, 1, 1+n, 0, 0, 0, 0, time.UTC) }

// daily returns a model with so many items in each day.
func daily(counts ...int) *model {
	m := &model{cut: 1000}
	for number, count := range counts {
		for n := range count {
			at := day(number).Add(time.Duration(n) * time.Second).Format(item.TimeLayout)
			m.items = append(m.items, item.Item{text("PK", "DAY#"+at[:len("2026-01-01")]), text("SK", at+"#1")})
		}
	}
	return m
}

// between returns the condition of a field, without a lower end if from is zero.
func between(t *testing.T, field string, from, to time.Time) *design.Condition {
	t.Helper()
	f := stocks.MustField("Query", field)
	span := map[string]any{"to": to.Format(time.RFC3339)}
	if !from.IsZero() {
		span["from"] = from.Format(time.RFC3339)
	}
	c, err := f.Bind(func(string) keys.Value { return keys.ArgumentValue(f.Arguments[0], span) }).Condition()
	fatal.If(t, err)
	return &c
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
			m := daily(counts...)
			condition := between(t, way.field, day(0), day(len(counts)).Add(-time.Second))
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

// TestBucketsWithoutABeginning pages through 100 days of a range without a lower end, and back from the last page.
func TestBucketsWithoutABeginning(t *testing.T) {
	m, to := daily(repeated(3, 100)...), day(100).Add(-time.Second)
	for field, backward := range map[string]bool{"byDayDown": false, "byDay": true} {
		want := m.sortKeys(field == "byDayDown")
		walk := m.forward
		if backward {
			walk = m.backward
		}
		for _, size := range []int{1, 2, 3, 4, 5, 6, 7, 100} {
			if got := walk(t, between(t, field, time.Time{}, to), size); !slices.Equal(got, want) {
				t.Errorf("%s by %d: the pages have %d items, want %d, or another order", field, size, len(got), len(want))
			}
		}

		// The second page leads back to the first, which has an end.
		c, size := between(t, field, time.Time{}, to), 10
		var first, second, again *Page
		if backward {
			first, _ = m.page(t, c, Paging{Last: &size})
			second, _ = m.page(t, c, Paging{Last: &size, Before: first.StartCursor()})
			again, _ = m.page(t, c, Paging{First: &size, After: second.EndCursor()})
		} else {
			first, _ = m.page(t, c, Paging{First: &size})
			second, _ = m.page(t, c, Paging{First: &size, After: first.EndCursor()})
			again, _ = m.page(t, c, Paging{Last: &size, Before: second.StartCursor()})
		}
		if !slices.Equal(sortKeys(again), sortKeys(first)) || again.HasNextPage == backward ||
			again.HasPreviousPage != backward {
			t.Errorf("%s: back at the first page are %v, next %v, previous %v; want %v",
				field, sortKeys(again), again.HasNextPage, again.HasPreviousPage, sortKeys(first))
		}
	}

	m.requests, m.waves = 0, 0
	m.forward(t, between(t, "byDayDown", time.Time{}, to), 10)
	if got, want := m.sent(), "182 in 93"; got != want {
		t.Errorf("all pages of 10 are %s, want %s", got, want)
	}
}

// TestSparseBucketsWithoutABeginning: pages of all sizes have all items, also if the buckets of a page do not fill it.
func TestSparseBucketsWithoutABeginning(t *testing.T) {
	for name, counts := range map[string][]int{
		"each day":       repeated(1, 150),
		"each 24th day":  slices.Repeat(append(repeated(0, 23), 1), 8),
		"two of 40 days": slices.Repeat(slices.Concat([]int{1}, repeated(0, 16), []int{2}, repeated(0, 22)), 5),
	} {
		m, to := daily(counts...), day(len(counts)).Add(-time.Second)
		for field, walk := range map[string]func(failer, *design.Condition, int) []string{
			"byDayDown": m.forward, "byDay": m.backward,
		} {
			want := m.sortKeys(field == "byDayDown")
			for _, size := range []int{1, 2, 3, 4, 5, 6, 7, 100} {
				if got := walk(t, between(t, field, time.Time{}, to), size); !slices.Equal(got, want) {
					t.Errorf("%s, %s by %d: the pages have %d items, want %d, or another order",
						name, field, size, len(got), len(want))
				}
			}
		}
	}
}

// TestBucketsEndAfterAGap: without a lower end, paging ends at a gap of 48 buckets.
func TestBucketsEndAfterAGap(t *testing.T) {
	for gap, want := range map[int]int{46: 8, 47: 5} {
		m, to := daily(slices.Concat([]int{3}, repeated(0, gap), []int{5})...), day(2+gap).Add(-time.Second)
		if got := m.forward(t, between(t, "byDayDown", time.Time{}, to), 10); len(got) != want {
			t.Errorf("with a gap of %d days, the pages have %d items, want %d", gap, len(got), want)
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
