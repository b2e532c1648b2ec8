package agents

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// maxMatches is how many elements of the schema a search returns.
const maxMatches = 20

// element is a part of the schema that can be found.
type element struct {
	// Coordinate is its schema coordinate, Declaration its type with its arguments.
	Coordinate  string `json:"coordinate"`
	Declaration string `json:"declaration"`
	Description string `json:"description,omitempty"`
	// words are those of the coordinate and the description, in lower case.
	words string
}

// elementsOf returns the elements of a schema that a query can use, by names.
func elementsOf(schema *ast.Schema) []element {
	var all []element
	add := func(e element) {
		e.words = strings.ToLower(splitNames(e.Coordinate) + " " + e.Description)
		all = append(all, e)
	}
	used := map[string]bool{}
	reach(schema, schema.Query, used)
	for _, name := range slices.Sorted(maps.Keys(used)) {
		t := schema.Types[name]
		add(element{Coordinate: name, Declaration: kinds[t.Kind], Description: t.Description})
		for _, f := range t.Fields {
			if !strings.HasPrefix(f.Name, "__") {
				add(element{Coordinate: name + "." + f.Name, Declaration: declarationOf(f), Description: f.Description})
			}
		}
		for _, v := range t.EnumValues {
			add(element{Coordinate: name + "." + v.Name, Declaration: "value", Description: v.Description})
		}
	}
	return all
}

// kinds are the keywords of the kinds of types.
var kinds = map[ast.DefinitionKind]string{
	ast.Object: "type", ast.Interface: "interface", ast.Union: "union", ast.Enum: "enum", ast.InputObject: "input",
	ast.Scalar: "scalar",
}

// reach adds the types that a type leads to, but for those of the specification.
func reach(schema *ast.Schema, t *ast.Definition, used map[string]bool) {
	if t == nil || used[t.Name] || strings.HasPrefix(t.Name, "__") || t.OneOf("Int", "Float", "String", "Boolean", "ID") {
		return
	}
	used[t.Name] = true
	for _, f := range t.Fields {
		reach(schema, schema.Types[f.Type.Name()], used)
		for _, a := range f.Arguments {
			reach(schema, schema.Types[a.Type.Name()], used)
		}
	}
	if t.IsAbstractType() {
		for _, possible := range schema.GetPossibleTypes(t) {
			reach(schema, possible, used)
		}
	}
}

// declarationOf returns a field as the schema declares it, without its name.
func declarationOf(f *ast.FieldDefinition) string {
	var arguments []string
	for _, a := range f.Arguments {
		text := a.Name + ": " + a.Type.String()
		if a.DefaultValue != nil {
			text += " = " + a.DefaultValue.String()
		}
		arguments = append(arguments, text)
	}
	text := f.Type.String()
	if len(arguments) > 0 {
		text = "(" + strings.Join(arguments, ", ") + "): " + text
	}
	return text
}

// splitNames adds the parts of names such as orderLines to a text.
func splitNames(text string) string {
	var b strings.Builder
	for i, c := range text {
		if i > 0 && c >= 'A' && c <= 'Z' {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
	}
	return text + " " + b.String()
}

// search returns the elements that have most of the words, and how many have some. Root fields come first.
func search(all []element, words []string) (found []element, total int) {
	type scored struct {
		element
		score int
	}
	var matches []scored
	for _, e := range all {
		score := 0
		for _, w := range words {
			if strings.Contains(e.words, w) {
				score += 2
			}
			if strings.Contains(strings.ToLower(e.Coordinate), w) {
				score++
			}
		}
		if score > 0 {
			if strings.HasPrefix(e.Coordinate, "Query.") {
				score++
			}
			matches = append(matches, scored{e, score})
		}
	}
	slices.SortStableFunc(matches, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	for _, m := range matches[:min(len(matches), maxMatches)] {
		found = append(found, m.element)
	}
	return found, len(matches)
}

// matches is the structured content of a search.
type matches struct {
	Elements []element `json:"elements"`
	// Others is how many more there are.
	Others int `json:"others,omitempty"`
}

// lines returns an element in each line.
func (m *matches) lines() []string {
	var all []string
	for _, e := range m.Elements {
		line := e.Coordinate + " " + e.Declaration
		if strings.HasPrefix(e.Declaration, "(") {
			line = e.Coordinate + e.Declaration
		}
		if e.Description != "" {
			line += " # " + strings.Join(strings.Fields(e.Description), " ")
		}
		all = append(all, line)
	}
	if m.Others > 0 {
		all = append(all, number(float64(m.Others), "other element")+" have some of the words.")
	}
	if len(all) == 0 {
		all = []string{"Nothing in the schema has these words. Try others, or fewer."}
	}
	return all
}
