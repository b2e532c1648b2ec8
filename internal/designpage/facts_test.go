package designpage_test

import (
	"strings"
	"testing"

	"github.com/partita/partita/internal/designpage"
)

// TestFacts: the facts of fields are those of the page.
func TestFacts(t *testing.T) {
	schema := designpage.ReadFolder(t, "../../examples/billing")
	facts, page := designpage.Facts(schema), designpage.New(designpage.Options{}, schema)
	for _, g := range page.Groups {
		for _, p := range g.Patterns {
			for _, text := range []string{p.Request, p.Condition, p.Cost.Text, p.Who} {
				if !strings.Contains(facts[p.Field], text) {
					t.Errorf("%s has no %q:\n%s", p.Field, text, facts[p.Field])
				}
			}
		}
	}
	for _, m := range page.Mutations {
		for _, text := range []string{"Called by: " + m.Who + "\n", "Writes: " + m.Writes + "\n"} {
			if fact := facts["Mutation."+m.Name]; !strings.Contains(fact, text) {
				t.Errorf("%s has no %q:\n%s", m.Name, text, fact)
			}
		}
	}
}
