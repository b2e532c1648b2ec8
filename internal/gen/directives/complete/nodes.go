package complete

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
)

// prepositions end the part of a name that says what something is: OrdersByStatus are orders.
var prepositions = []string{"By", "Of", "In", "For", "From", "With", "To", "At", "On"}

// nodeOf returns the type whose objects the connection has, by its name without the suffix: an object type, union or
// interface of that name, or else the longest name of a stored type, union or interface that ends it before the first
// preposition, in the singular or plural. It is "" if there is none.
func (c *connectionCompleter) nodeOf(base string) string {
	longest := ""
	words := sdl.CamelWords(base)
	if i := slices.IndexFunc(words, func(w string) bool { return slices.Contains(prepositions, w) }); i > 0 {
		words = words[:i]
	}
	head := strings.Join(words, "")
	for _, def := range sdl.Declarations(c.all) {
		isStored := def.Kind == ast.Object && def.Directives.ForName("item") != nil
		isAbstract := def.Kind == ast.Union || def.Kind == ast.Interface
		if def.Name == base && (def.Kind == ast.Object || isAbstract) {
			return base
		}
		if !isStored && !isAbstract || len(def.Name) <= len(longest) {
			continue
		}
		if sdl.HasLastWords(head, def.Name) || sdl.HasLastWords(head, sdl.Plural(def.Name)) {
			longest = def.Name
		}
	}
	return longest
}
