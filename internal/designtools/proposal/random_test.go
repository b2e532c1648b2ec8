package proposal_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"pgregory.net/rapid"

	"github.com/partita/partita/internal/designtools/proposal"
	"github.com/partita/partita/internal/folder"
	_ "github.com/partita/partita/internal/soak" // the cases of rapid
)

// randomTypes are types of which each may refer to others, and patterns over them.
type randomTypes struct {
	text     strings.Builder
	patterns []proposal.Pattern
}

var kinds = []string{"String", "Int", "Int64", "Time", "Date", "Boolean", "Float", "Color", "[String!]", "Money", "ID"}

func drawTypes(t *rapid.T) *randomTypes {
	r := &randomTypes{}
	r.text.WriteString("type Query { node(id: ID!): Node }\nenum Color { RED GREEN }\ntype Money { amount: Int! }\n")
	n := rapid.IntRange(1, 4).Draw(t, "types")
	fields := make([][]string, n)
	for i := range n {
		name := fmt.Sprintf("T%c", 'A'+i)
		fmt.Fprintf(&r.text, "type %s implements Node {\n  id: ID!\n", name)
		fields[i] = []string{"id"}
		for j := range rapid.IntRange(1, 5).Draw(t, "fields") {
			field := fmt.Sprintf("f%d", j)
			kind := rapid.SampledFrom(kinds).Draw(t, "kind")
			fmt.Fprintf(&r.text, "  %s: %s%s\n", field, kind, rapid.SampledFrom([]string{"!", ""}).Draw(t, "null"))
			fields[i] = append(fields[i], field)
		}
		for other := range n {
			if rapid.Bool().Draw(t, "refers") {
				field := fmt.Sprintf("t%cId", 'A'+other)
				fmt.Fprintf(&r.text, "  %s: ID!\n  t%c: T%[2]c\n", field, 'A'+other)
				fields[i] = append(fields[i], field)
			}
		}
		r.text.WriteString("}\n")
	}
	for i := range rapid.IntRange(1, 6).Draw(t, "patterns") {
		r.draw(t, i, fields)
	}
	return r
}

func (r *randomTypes) draw(t *rapid.T, i int, fields [][]string) {
	of := rapid.IntRange(0, len(fields)-1).Draw(t, "of")
	field := func(what string) string { return rapid.SampledFrom(append(fields[of], "missing")).Draw(t, what) }
	p := proposal.Pattern{
		Field: fmt.Sprintf("Query.p%d", i), Type: fmt.Sprintf("T%c", 'A'+of), Equals: map[string]string{},
		Result: rapid.SampledFrom([]string{"one", "list", "page", ""}).Draw(t, "result"),
		Order:  rapid.SampledFrom([]string{"", "ASC", "DESC"}).Draw(t, "order"),
		AtMost: rapid.SampledFrom([]int{0, 20}).Draw(t, "atMost"),
	}
	for range rapid.IntRange(0, 2).Draw(t, "equalities") {
		p.Equals[field("equal")] = ""
	}
	if parent := rapid.IntRange(-2, len(fields)-1).Draw(t, "parent"); parent >= 0 {
		p.Field = fmt.Sprintf("T%c.p%d", 'A'+parent, i)
		p.Equals[field("link")] = "id"
	}
	switch rapid.IntRange(0, 3).Draw(t, "sorts") {
	case 0:
		p.Range = field("range")
	case 1:
		p.Sort = field("sort")
	case 2:
		p.Prefix = []string{field("prefix")}
	}
	r.patterns = append(r.patterns, p)
}

// TestRandomTypes: whatever the types and the patterns are, the proposal has no findings, and each pattern is either
// served or named with a reason and what would help.
func TestRandomTypes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawTypes(t)
		sources := []*ast.Source{{Name: "random.graphqls", Input: r.text.String()}}
		p, err := proposal.Propose(context.Background(), sources, r.patterns, nil)
		if err != nil {
			t.Fatalf("%v\n%s%+v", err, r.text.String(), r.patterns)
		}
		files := []*ast.Source{{Name: "random.graphqls", Input: p.Files["random.graphqls"]}}
		if found := folder.Findings(files, false); len(found) > 0 {
			t.Fatalf("%v\n%s", found, files[0].Input)
		}
		named := map[string]int{}
		for _, s := range p.Patterns {
			named[s.Field]++
			if s.Requests > 1 && !strings.Contains(s.KeyCondition, "#0 to ") {
				t.Errorf("%s needs %d requests", s.Field, s.Requests)
			}
		}
		for _, u := range p.Unserved {
			named[u.Field]++
			if u.Reason == "" || u.Help == "" {
				t.Errorf("%s is not served without a reason or help", u.Field)
			}
		}
		for _, pattern := range r.patterns {
			if named[pattern.Field] != 1 {
				t.Errorf("%s is named %d times", pattern.Field, named[pattern.Field])
			}
		}
	})
}
