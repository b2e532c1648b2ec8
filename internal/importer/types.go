package importer

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/partita/partita/internal/gen/directives/sdl"
)

// buildTypes makes a type of the shapes whose items are the same objects.
func buildTypes(m *model, shapes []*shape) {
	byValue := groupBy(shapes, func(s *shape) string { return s.typ })
	for _, value := range slices.Sorted(maps.Keys(byValue)) {
		left := byValue[value]
		slices.SortStableFunc(left, preferBase)
		var types []*typ
		for len(left) > 0 {
			t := typeOf(m.layout, left)
			types = append(types, t)
			left = slices.DeleteFunc(left, func(s *shape) bool {
				return slices.ContainsFunc(t.stored, func(x *storedType) bool { return x.shape == s })
			})
		}
		m.types = append(m.types, largest(m, value, types)...)
	}
	slices.SortStableFunc(m.types, func(a, b *typ) int {
		return cmp.Or(
			slices.Compare(literals(a.item().pk), literals(b.item().pk)),
			cmp.Compare(len(a.item().identity()), len(b.item().identity())),
			cmp.Compare(isDetail(a), isDetail(b)),
		)
	})
}

// isDetail is 1 for a type whose sort key names something else than the object of its partition.
func isDetail(t *typ) int {
	item := t.item()
	literal := literalOf(item.sk)
	if literal == literalOf(item.pk) || slices.Contains(about, strings.ToUpper(literal)) {
		return 0
	}
	return 1
}

// typeOf returns the type with the most items of the shapes.
func typeOf(table *layout, shapes []*shape) *typ {
	var best *typ
	for _, base := range shapes {
		t := &typ{stored: []*storedType{{shape: base}}}
		for _, other := range shapes {
			if other == base {
				continue
			}
			if copied, ok := isCopy(table, base, other); ok {
				t.stored = append(t.stored, copied)
			}
		}
		if best == nil || len(t.stored) > len(best.stored) {
			best = t
		}
	}
	return best
}

// isCopy reports whether the items of a shape are copies of those of the base: their keys consist of values that the
// base has, and they have the same attributes. If the copy's key lacks a variable of the base's key, the copy has the
// object with its greatest value.
func isCopy(table *layout, base, other *shape) (copied *storedType, ok bool) {
	for _, v := range other.variables() {
		if label, isHidden := labelOf(v.Variable); isHidden && base.hidden[label] == nil {
			return nil, false
		}
	}
	var missing template
	for _, v := range base.variables() {
		if v.Bucket == 0 && !slices.Contains(other.identity(), v.Variable) {
			missing = append(missing, v)
		}
	}
	if len(missing) > 1 {
		return nil, false
	}
	contents := make(map[uint64]bool, len(base.entries))
	for _, e := range base.entries {
		contents[e.content] = true
	}
	same := 0
	for _, e := range other.entries {
		if contents[e.content] {
			same++
		}
	}
	copied = &storedType{shape: other}
	isSame := same*10 >= len(other.entries)*9
	switch {
	case len(missing) == 1:
		copied.latest = missing[0].Variable
		return copied, isSame && missing[0].Width > 0
	case !isSame && table.partial && table.Type != "" && base.typ != "" && !differ(table, base.entries, other.entries):
		// In a sample, the item of a copy is often missing.
		copied.note = "Most of these items were read without the item that they are a copy of: check one."
		return copied, true
	}
	return copied, isSame
}

// preferBase orders shapes: first those that identify an object by fewer values.
func preferBase(a, b *shape) int {
	return cmp.Or(
		cmp.Compare(len(a.identity()), len(b.identity())),
		cmp.Compare(isView(a), isView(b)),
		-cmp.Compare(len(a.entries), len(b.entries)),
	)
}

// isView is 1 for a shape whose sort key has a literal as copies often have it, such as BY_NAME or LATEST.
func isView(s *shape) int {
	if view.MatchString(literalOf(s.sk)) {
		return 1
	}
	return 0
}

var view = regexp.MustCompile(`(?i)^BY|_BY$|_OF$|^LATEST$`)

// largest returns the one of several types with the same value of the type attribute that has the most items: items
// are recognised by that value. All types are returned if they have none.
func largest(m *model, value string, types []*typ) []*typ {
	if value == "" {
		return types
	}
	best := slices.MaxFunc(types, func(a, b *typ) int { return cmp.Compare(weight(a.entries()), weight(b.entries())) })
	for _, t := range types {
		if t != best {
			m.unclassified = append(m.unclassified, withReason(t.entries(),
				fmt.Sprintf("its key has another pattern than most items whose %s is %q", m.Type, value))...)
		}
	}
	return []*typ{best}
}

// reservedNames are names of types that every schema has, or that it can have without declaring them, and that of
// Query.nodes.
var reservedNames = append(sdl.TypeNames(), "String", "Int", "Float", "Boolean", "ID", "Nodes")

// nameTypes gives each type a name of its own: first those with a partition of their own, because others are named
// after what they belong to.
func nameTypes(m *model) {
	taken := slices.Clone(reservedNames)
	isTaken := func(name string) bool { return slices.Contains(taken, name) }
	byOwnership := slices.SortedStableFunc(slices.Values(m.types), func(a, b *typ) int {
		return cmp.Compare(len(a.item().identity()), len(b.item().identity()))
	})
	for _, t := range byOwnership {
		names := t.proposedNames(m.name)
		t.name = unused(names[len(names)-1], isTaken)
		if i := slices.IndexFunc(names, func(name string) bool { return !isTaken(name) }); i >= 0 {
			t.name = names[i]
		}
		taken = append(taken, t.name)
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
		if w := sdl.UpperFirst(camel(t.wordOf(literal))); w != "" && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	var names []string
	last := ""
	if len(words) > 0 {
		last = words[len(words)-1]
	}
	switch value := sdl.UpperFirst(camel(t.item().typ)); {
	case value != "" && abbreviates(value, last):
		names = append(names, last, value)
	case value != "":
		names = append(names, value)
	case last != "":
		names = append(names, last)
	}
	if len(words) > 0 {
		names = append(names, strings.Join(words, ""))
	} else if table = sdl.UpperFirst(camel(table)); table != "" && len(names) == 0 {
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
