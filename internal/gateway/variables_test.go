package gateway_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/partita/partita/internal/fatal"
)

// TestVariables: an operation, and a line with its variables.
func TestVariables(t *testing.T) {
	c, _ := config(t)
	server := serve(t, c)
	datadriven.RunTest(t, "testdata/variables", func(t *testing.T, d *datadriven.TestData) string {
		query, variables, _ := strings.Cut(d.Input, "\n")
		body, err := json.Marshal(map[string]any{"query": query, "variables": json.RawMessage(variables)})
		fatal.If(t, err)
		a := postBody(t, server, string(body))
		for _, e := range a.result.Errors {
			if len(e.Locations) != 1 || e.Path != nil {
				t.Errorf("got %+v", e)
			}
		}
		return a.text()
	})
}
