package telemetry

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMostThrottled: the counts have the bounds of the algorithm, whatever the distribution is.
func TestMostThrottled(t *testing.T) {
	const requests = 20_000
	for _, skew := range []float64{1.01, 1.2, 2} {
		random := rand.New(rand.NewPCG(7, 7))
		zipf := rand.NewZipf(random, skew, 1, 5000)
		var m mostThrottled
		exact := map[string]int{}
		for range requests {
			key := fmt.Sprint(zipf.Uint64())
			exact[key]++
			m.add("", key)
		}
		if len(m.keys) != sketchKeys {
			t.Errorf("%v: %d keys are remembered", skew, len(m.keys))
		}
		for _, k := range m.keys {
			if n := exact[k.Key]; k.Least() > n || n > k.Most || k.Error > requests/sketchKeys {
				t.Errorf("%v: %d requests, counted as %+v", skew, n, k)
			}
		}
		for key, n := range exact {
			isKey := func(k ThrottledKey) bool { return k.Key == key }
			if n > requests/sketchKeys && !slices.ContainsFunc(m.keys, isKey) {
				t.Errorf("%v: %d requests of %s are forgotten", skew, n, key)
			}
		}
		top := m.top()
		if len(top) != shownKeys || top[0].Key != "0" || top[1].Key != "1" {
			t.Errorf("%v: first %+v", skew, top)
		}
	}
}

// TestMostThrottledOfIndexes: equal keys of the table and of an index are different ones.
func TestMostThrottledOfIndexes(t *testing.T) {
	var m mostThrottled
	m.add("", "A")
	m.add("GSI1", "A")
	m.add("GSI1", "A")
	if top := m.top(); len(top) != 2 || top[0].Index != "GSI1" || top[0].Least() != 2 || top[1].Least() != 1 {
		t.Errorf("got %+v", top)
	}
}
