// Package examples tests the folders below it, which have no Go.
package examples

import (
	"hash/fnv"
	"strings"
	"testing"

	"github.com/partita/partita/internal/exampletest"
	"github.com/partita/partita/internal/soak"
)

// TestOperations sends the operations of each example. Answers, requests and units are those in operations.txt and in
// the tables of the README, the conditions of writes are those of the plans, and the table is consistent afterwards.
func TestOperations(t *testing.T) {
	for _, e := range exampletest.All(t, ".") {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			s := e.Serve(t)
			s.ComparesPlans = true
			s.RunFirst(t)
			rows := s.Run(t)
			e.CheckReadme(t, rows)
			s.Check(t)
		})
	}
}

// TestTenants serves some of the examples, each over one table to several tenants: each has what it has in a table of
// its own, and nothing of the others. One tenant has all objects, one has some of them, and one has none. The name of
// one begins with that of another.
func TestTenants(t *testing.T) {
	for _, e := range soak.Some(exampletest.All(t, "."), 5) {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			all := e.Data(t)
			data := map[string]string{"zz9": all, "zz": some(all), "ünï cörp *": ""}
			e.ServeTenants(t, data).Compare(t, data)
			e.ServeTenants(t, map[string]string{"zz": all, "zz9": all}).Run(t)
		})
	}
}

// some returns every second line.
func some(lines string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		h := fnv.New32a()
		_, _ = h.Write([]byte(line))
		if h.Sum32()%2 == 0 {
			b.WriteString(line)
		}
	}
	return b.String()
}
