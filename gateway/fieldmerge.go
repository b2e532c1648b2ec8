package gateway

import (
	"net/http"

	"github.com/vektah/gqlparser/v2/ast"
)

// Validation compares every two fields that share a response name in the merged selections of an object, and every two
// fragments that are spread there (GraphQL specification, section 5.3.2, Field Selection Merging). Each comparison
// takes microseconds, and each may add an error, so a document of 1,000 fields could take seconds.
const (
	// maxComparisons bounds these pairs. 100 fields of the same name in one place are just below it.
	maxComparisons = 5000
	// maxSelections bounds the selections that are looked at to count them.
	maxSelections = 50_000
)

// comparisons counts what validation would compare in a document whose fragments do not spread themselves.
type comparisons struct {
	fragments  map[string]*ast.FragmentDefinition
	merged     map[*ast.Selection]bool // by their first selection, the sets that were merged with no other
	pairs      int
	selections int
}

// checkComparisons refuses a document whose validation would compare too much.
func checkComparisons(doc *ast.QueryDocument) *requestError {
	c := &comparisons{
		fragments: make(map[string]*ast.FragmentDefinition, len(doc.Fragments)),
		merged:    map[*ast.Selection]bool{},
	}
	for _, fragment := range doc.Fragments {
		c.fragments[fragment.Name] = fragment
	}
	for _, operation := range doc.Operations {
		c.merge(operation.SelectionSet)
	}
	for _, fragment := range doc.Fragments {
		c.merge(fragment.SelectionSet)
	}
	if c.exceeded() {
		return requestErrorf(http.StatusUnprocessableEntity, codeValidationFailed,
			"The document selects fields of the same response name too often in one place. Split it into smaller operations.")
	}
	return nil
}

func (c *comparisons) exceeded() bool {
	return c.pairs > maxComparisons || c.selections > maxSelections
}

// merge counts the selections of one object, which fields of the same response name select together.
// A set that is merged with no other is compared once, however many fragments lead to it.
func (c *comparisons) merge(sets ...ast.SelectionSet) {
	if len(sets) == 1 && len(sets[0]) > 0 {
		first := &sets[0][0]
		if c.merged[first] {
			return
		}
		c.merged[first] = true
	}
	m := &merged{subsets: map[string][]ast.SelectionSet{}, spread: map[string]bool{}}
	for _, set := range sets {
		c.collect(m, set)
	}
	for _, number := range m.numbers() {
		c.pairs += number * (number - 1) / 2
	}
	for _, subsets := range m.subsets {
		if c.exceeded() {
			return
		}
		c.merge(subsets...)
	}
}

// merged are the selections of one object by response name.
type merged struct {
	subsets map[string][]ast.SelectionSet
	spread  map[string]bool // fragments, each of which is compared once
}

func (m *merged) numbers() []int {
	numbers := []int{len(m.spread)}
	for _, subsets := range m.subsets {
		numbers = append(numbers, len(subsets))
	}
	return numbers
}

func (c *comparisons) collect(m *merged, set ast.SelectionSet) {
	for _, selection := range set {
		if c.selections++; c.exceeded() {
			return
		}
		switch s := selection.(type) {
		case *ast.Field:
			m.subsets[s.Alias] = append(m.subsets[s.Alias], s.SelectionSet)
		case *ast.InlineFragment:
			c.collect(m, s.SelectionSet)
			// Its selections are compared once more for itself.
			c.merge(s.SelectionSet)
		case *ast.FragmentSpread:
			fragment := c.fragments[s.Name]
			if fragment != nil && !m.spread[s.Name] {
				m.spread[s.Name] = true
				c.collect(m, fragment.SelectionSet)
			}
		}
	}
}
