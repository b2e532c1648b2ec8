package share

import (
	"strconv"
	"testing"
)

// TestCallersWhoHaveLeft: any number of callers, such as the addresses of a network, need no more memory than maxLeft.
func TestCallersWhoHaveLeft(t *testing.T) {
	p := NewPool(Limits{Size: 1, PerCaller: 1, Beside: 1})
	for i := range 5 * maxLeft {
		for _, caller := range []Caller{{Viewer: strconv.Itoa(i)}, {Viewer: "returning"}} {
			if err := p.Acquire(t.Context(), caller); err != nil {
				t.Fatal(err)
			}
			p.Release(caller)
		}
		if p.left != len(p.members) || p.left > maxLeft {
			t.Fatalf("%d claims of %d callers who have left are kept, counted as %d", len(p.members), i+2, p.left)
		}
	}
}
