package designpage

import (
	"fmt"
	"strings"

	"github.com/partita/partita/internal/gen/contract"
	"github.com/partita/partita/internal/gen/directives"
)

// Facts returns what descriptions of fields do not say, by the coordinates of the fields, each a list in Markdown: the
// key condition of a field that reads, its price at worst, and who may read it; what a mutation reads and writes, and
// who may call it; who may read a field that has a rule of its own.
func Facts(s *directives.Schema) map[string]string {
	facts := map[string]string{}
	for _, r := range s.Rules {
		facts[r.Parent+"."+r.Name] = list("Read by", contract.Allowed(r.Rule))
	}
	for _, g := range groupsOf(s) {
		for _, p := range g.Patterns {
			facts[p.Field] = p.facts()
		}
	}
	for _, f := range s.Live {
		first := Pattern{Pattern: s.Pattern(f, true), Who: readers(s, f.Live)}
		of := list("Live data of", "`"+f.Live.Coordinate()+"`, whose first state it reads")
		facts[f.Coordinate()] = of + "\n" + first.facts()
	}
	for _, m := range mutationsOf(s) {
		facts[s.AST.Mutation.Name+"."+m.Name] = list(
			"Called by", m.Who, "Reads before", m.Reads, "Writes", m.Writes,
			"At worst", fmt.Sprintf("%s read units, %s write units", m.ReadUnits, m.WriteUnits),
		)
	}
	return facts
}

func (p Pattern) facts() string {
	price := p.Cost.Text + " read units"
	if p.Cost.Requests > 1 {
		price += fmt.Sprintf(", %d requests", p.Cost.Requests)
	}
	return list("Key condition", p.Request+": "+p.Condition, "At worst", price, "Read by", p.Who)
}

// list returns texts with their titles as Markdown.
func list(pairs ...string) string {
	var lines []string
	for i := 0; i < len(pairs); i += 2 {
		lines = append(lines, fmt.Sprintf("- %s: %s", pairs[i], pairs[i+1]))
	}
	return strings.Join(lines, "\n")
}
