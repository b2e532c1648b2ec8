package importer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/partita/partita/internal/gen/directives/sdl"
)

// reservedNames are names of types that every schema has, or that it can have without declaring them, and that of
// Query.nodes.
var reservedNames = append(sdl.TypeNames(), "String", "Int", "Float", "Boolean", "ID", "Nodes")

// nameTypes gives each type a name of its own: first those with a partition of their own, because others are named
// after what they belong to.
func nameTypes(m *model) {
	taken := map[string]bool{}
	for _, name := range reservedNames {
		taken[name] = true
	}
	byOwnership := slices.SortedStableFunc(slices.Values(m.types), func(a, b *typ) int {
		return cmp.Compare(len(a.item().identity()), len(b.item().identity()))
	})
	for _, t := range byOwnership {
		names := t.proposedNames(m.name)
		i := slices.IndexFunc(names, func(name string) bool { return !taken[name] })
		if i >= 0 {
			t.name = names[i]
		} else {
			for n := 2; t.name == "" || taken[t.name]; n++ {
				t.name = names[len(names)-1] + strconv.Itoa(n)
			}
		}
		taken[t.name] = true
	}
}

// about are literals that do not name a type, but are in the sort key of an item that describes its partition.
var about = []string{"META", "METADATA", "PROFILE", "INFO", "DETAILS", "DATA", "ROOT", "ITEM", "A", "V", "LATEST", "R"}

// proposedNames returns names for a type, the best first: the word for its type attribute, the last literal of its key,
// all literals; without any, that of the table.
func (t *typ) proposedNames(table string) []string {
	var words []string
	for _, p := range slices.Concat(t.item().pk, t.item().sk) {
		literal := strings.Trim(p.Literal, signs)
		switch {
		case t.item().typ != "" && literal != p.Literal && p.Variable != "":
			continue // The label of a value.
		case literal == "v" && p.Variable != "":
			literal = "version"
		case !isWord(literal) && !isNumbered(literal) || slices.Contains(about, strings.ToUpper(literal)):
			continue
		}
		if w := upperFirst(camel(t.wordOf(literal))); w != "" && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	var names []string
	last := ""
	if len(words) > 0 {
		last = words[len(words)-1]
	}
	switch value := upperFirst(camel(t.item().typ)); {
	case value != "" && abbreviates(value, last):
		names = append(names, last, value)
	case value != "":
		names = append(names, value)
	case last != "":
		names = append(names, last)
	}
	if len(words) > 0 {
		names = append(names, strings.Join(words, ""))
	} else if table = upperFirst(camel(table)); table != "" && len(names) == 0 {
		names = append(names, singular(table))
	}
	return append(names, strings.Join(words, "")+"Item")
}

// wordOf returns the word for a literal of one letter or two: that of an attribute with the name or the id of what the
// literal means, such as employeeName for E, or else the literal.
func (t *typ) wordOf(literal string) string {
	if len(literal) > 2 {
		return literal
	}
	for _, a := range t.item().entries[0].Item {
		word, isNamed := strings.CutSuffix(camel(a.Name), "Name")
		if !isNamed && isIDName(word) {
			word = word[:len(word)-len("id")]
		} else if !isNamed {
			continue
		}
		if len(word) > len(literal) && strings.EqualFold(word[:len(literal)], literal) {
			return word
		}
	}
	return literal
}
