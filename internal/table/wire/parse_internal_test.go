package wire

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestParse checks what the fuzz test does not: which body is an error, and why.
func TestParse(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]error{
		`{"Item":{"a":` + strings.Repeat(`{"L":[`, 32) + strings.Repeat(`]}`, 32) + `}}`: nil,
		`{"Item":{"a":` + strings.Repeat(`{"L":[`, 33) + strings.Repeat(`]}`, 33) + `}}`: errDepth,
		`{"Item":{"a":` + strings.Repeat(`{"M":{"a":`, 1e6):                              errDepth,
		`{"X":` + strings.Repeat("[", 1e6):                                               errDepth,
		`{"X":` + strings.Repeat(`{"":`, 1e6):                                            errDepth,
		`{"Item":{"a":{"S":"x","N":"1"}}}`:                                               errTwoTypes,
		`{"Item":{"a":{"S":"x"}}} x`:                                                     errTrailing,
		"{}\x00":                                                                         errTrailing,
		`{"Item":{"a":{"FUTURE":{"x":[1,true,null]}}}}`:                                  nil,
		`{"ConsumedCapacity":{"CapacityUnits":0.5,"Table":{"CapacityUnits":7}},"Item":{"a":{"S":""}}}`: nil,
	} {
		if _, err := parse(getItem, body, aTable); !errors.Is(err, want) {
			t.Errorf("%.40q: got %v, want %v", body, err, want)
		}
	}
	for i := range len(aBatch) {
		if _, err := parse(batchGetItem, aBatch[:i], aTable); err == nil {
			t.Errorf("no error for the first %d bytes", i)
		}
	}
}

// page returns the body of a Query of n items with ten attributes.
func page(n int) string {
	var b strings.Builder
	b.WriteString(`{"ConsumedCapacity":{"CapacityUnits":12.5,"TableName":"t"},"Count":100,"Items":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"PK":{"S":"USER#7"},"SK":{"S":"ORDER#2026-11-21T10:30:00.000Z#%04d"},"entityType":{"S":"Order"},`+
			`"id":{"S":"018f3a6e-7c5d-7000-8000-%012d"},"userId":{"S":"7"},"status":{"S":"PENDING"},"total":{"N":"1200"},`+
			`"currency":{"S":"EUR"},"createdAt":{"S":"2026-11-21T10:30:00.000Z"},"version":{"N":"3"}}`, i, i)
	}
	b.WriteString(`],"ScannedCount":100}`)
	return b.String()
}

// Items cost a few allocations together, whatever their number.
func TestParseAllocations(t *testing.T) {
	for n, limit := range map[int]float64{1: 4, 100: 5} {
		body := page(n)
		if got := testing.AllocsPerRun(10, func() {
			if a, err := parse(query, body, aTable); err != nil || len(a.items) != n {
				t.Error(err)
			}
		}); got > limit {
			t.Errorf("%d items: %v allocations, want at most %v", n, got, limit)
		}
	}
}

// Appending to an item must not reach into the next one of its page.
func TestItemsAreApart(t *testing.T) {
	a := must(parse(query, page(5), aTable))
	for i, it := range a.items {
		if cap(it) > len(it) {
			t.Errorf("item %d has room to grow", i)
		}
	}
}
