package document

import (
	"net/http"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gateway/response"
)

// Validation compares every two fields with the same response name in the merged selections of an object, and every
// two fragments that are spread there (GraphQL specification, section 5.3.2, Field Selection Merging). Each
// comparison takes microseconds and can add an error, so that a document of 1,000 fields could take seconds.
const (
	// maxMergePairs limits the comparisons. 100 fields with the same name in one place are just below it.
	maxMergePairs = 5000
	// maxMergeSelections limits the selections that are visited to count the comparisons.
	maxMergeSelections = 50_000
)

// fieldMergeCost is the number of comparisons that the validation of a document takes. The document's fragments must
// not spread themselves.
type fieldMergeCost struct {
	fragments  map[string]*ast.FragmentDefinition
	counted    map[*ast.Selection]bool // the sets that are merged with no other, by their first selection
	pairs      int
	selections int
}

// checkFieldMergeCost returns an error for a document whose validation takes too many comparisons.
func checkFieldMergeCost(doc *ast.QueryDocument) *response.Error {
	c := &fieldMergeCost{
		fragments: make(map[string]*ast.FragmentDefinition, len(doc.Fragments)),
		counted:   map[*ast.Selection]bool{},
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
		return response.Errorf(http.StatusUnprocessableEntity, response.CodeValidationFailed,
			"The document selects fields of the same response name too often in one place. "+
				"Split it into smaller operations.")
	}
	return nil
}

func (c *fieldMergeCost) exceeded() bool {
	return c.pairs > maxMergePairs || c.selections > maxMergeSelections
}

// merge counts the comparisons for the merged selections of one object, and for those of the objects below it. A set
// that is merged with no other is compared once, however many fragments lead to it.
func (c *fieldMergeCost) merge(sets ...ast.SelectionSet) {
	if len(sets) == 1 && len(sets[0]) > 0 {
		first := &sets[0][0]
		if c.counted[first] {
			return
		}
		c.counted[first] = true
	}
	m := &mergedSelections{subsets: map[string][]ast.SelectionSet{}, spread: map[string]bool{}}
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

// mergedSelections are the selections of one object by response name.
type mergedSelections struct {
	subsets map[string][]ast.SelectionSet
	spread  map[string]bool // fragments; each is compared once
}

// numbers returns how many fields have each response name, and how many fragments there are.
func (m *mergedSelections) numbers() []int {
	numbers := []int{len(m.spread)}
	for _, subsets := range m.subsets {
		numbers = append(numbers, len(subsets))
	}
	return numbers
}

func (c *fieldMergeCost) collect(m *mergedSelections, set ast.SelectionSet) {
	for _, selection := range set {
		if c.selections++; c.exceeded() {
			return
		}
		switch s := selection.(type) {
		case *ast.Field:
			m.subsets[s.Alias] = append(m.subsets[s.Alias], s.SelectionSet)
		case *ast.InlineFragment:
			c.collect(m, s.SelectionSet)
			// Validation also compares its selections with each other.
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
