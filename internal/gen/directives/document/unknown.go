package document

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/sdl"
)

// checkType notes the use of a type that is declared nowhere, and finds one that is not allowed in its place. Only
// types that are allowed are likely.
func (c *Checker) checkType(at *ast.Position, coordinate, name string, allowed func(*ast.Definition) bool) {
	u := unknownType{at, coordinate, name, allowed}
	switch def := c.types[name]; {
	case def == nil:
		c.unknown = append(c.unknown, u)
	case !allowed(def):
		c.findWrongKind(u, def)
	}
}

// findWrongKind finds a type of a kind that is not allowed in its place, such as an input that a field returns.
func (c *Checker) findWrongKind(u unknownType, def *ast.Definition) {
	by := substitute(c.candidates(u))
	for _, other := range []string{u.name + "Input", strings.TrimSuffix(u.name, "Input")} {
		if t := c.types[other]; t != nil && u.allowed(t) {
			by = other
		}
	}
	fix := fmt.Sprintf("replace %s with %s, or another type that is", u.name, by)
	if of := c.types[u.coordinate]; of != nil && of.Kind == ast.Union {
		fix = fmt.Sprintf("remove %s from union %s, here", u.name, of.Name)
	}
	c.find(u.at, u.coordinate, fmt.Sprintf("%s is %s, which is not possible here", u.name, sdl.KindInWords(def.Kind)), fix)
}

// placeOfType returns where the name in a type is written, or else another place.
func placeOfType(t *ast.Type, otherwise *ast.Position) *ast.Position {
	for t.Elem != nil {
		t = t.Elem
	}
	if t.Position == nil {
		return otherwise
	}
	return t.Position
}

// checkUnknown finds the types that are declared nowhere: the definition with a misspelt name if several places use the
// right one, or else each use.
func (c *Checker) checkUnknown(own []*ast.Definition, query string) {
	unused := unusedTypes(own)
	renamed := c.checkRoots(own, unused, query)
	for _, u := range c.unknown {
		names := slices.DeleteFunc(slices.Sorted(maps.Keys(unused)), func(name string) bool {
			return name == query || name == "Mutation"
		})
		likely := finding.Likely(u.name, names)
		if len(names) == 1 && c.uses(u.name) > 2 && finding.Synonym(u.name) == "" {
			likely = names[0] // What else could be meant?
		}
		if likely == "" || slices.Contains(renamed, u.name) || c.uses(u.name) < 2 || !u.allowed(unused[likely]) {
			continue
		}
		renamed = append(renamed, u.name)
		c.findMisspelt(unused[likely], u.name)
	}
	for _, u := range c.unknown {
		base, isConnection := strings.CutSuffix(u.name, sdl.ConnectionSuffix)
		follows := slices.Contains(renamed, u.name) || isConnection && (c.lacksItem(own) ||
			slices.ContainsFunc(renamed, func(name string) bool { return sdl.HasLastWords(base, name) }))
		if !follows && !c.isOfMisspeltStep(u) {
			c.findUnknown(u)
		}
	}
	c.unknown = nil
}

// isOfMisspeltStep reports whether a type is the input or the payload of an action, which Load adds once the name of
// its @step is corrected.
func (c *Checker) isOfMisspeltStep(u unknownType) bool {
	parent, name, _ := strings.Cut(u.coordinate, ".")
	own := sdl.UpperFirst(name)
	def := c.types[parent]
	if def == nil || u.name != own+"Input" && u.name != own+"Payload" {
		return false
	}
	f := def.Fields.ForName(name)
	return f != nil && slices.ContainsFunc(f.Directives, func(d *ast.Directive) bool {
		return c.directives[d.Name] == nil && finding.Likely(d.Name, []string{"step"}) != ""
	})
}

// checkExtensions finds extensions of a type that is declared nowhere and probably misspelt. GraphQL itself would take
// one as another type, and all that it adds would be missing.
func (c *Checker) checkExtensions(document *ast.SchemaDocument, own []*ast.Definition) {
	roots := []string{sdl.QueryName(document), "Mutation", "Subscription"}
	for _, s := range slices.Concat(document.Schema, document.SchemaExtension) {
		for _, root := range s.OperationTypes {
			roots = append(roots, root.Type)
		}
	}
	isDeclared := func(name string) bool {
		return document.Definitions.ForName(name) != nil || slices.Contains(roots, name)
	}
	unused := unusedTypes(own)
	for _, def := range document.Extensions {
		isFound := func(f finding.Finding) bool { return f.Coordinate == def.Name }
		var names []string
		for _, name := range slices.Sorted(maps.Keys(c.types)) {
			if c.types[name].Kind == def.Kind && isDeclared(name) {
				names = append(names, name)
			}
		}
		likely := finding.Likely(def.Name, names)
		if isDeclared(def.Name) || likely == "" || slices.ContainsFunc(c.findings, isFound) {
			continue
		}
		if misspelt := unused[likely]; misspelt != nil && unused[def.Name] == nil {
			c.findMisspelt(misspelt, def.Name)
			continue
		}
		what := fmt.Sprintf("there is no %s %s to extend", sdl.Keyword(def.Kind), def.Name)
		c.find(def.Position, def.Name, finding.IsLikely(likely, what), fmt.Sprintf("replace %s with %s", def.Name, likely))
	}
}

// checkRoots finds an unused type that is probably the root of queries or mutations, and returns its right name.
func (c *Checker) checkRoots(own []*ast.Definition, unused map[string]*ast.Definition, query string) []string {
	var found []string
	for _, root := range []string{query, "Mutation"} {
		isRoot := func(def *ast.Definition) bool { return def.Name == root }
		likely := unused[finding.Likely(root, slices.Sorted(maps.Keys(unused)))]
		if likely == nil || likely.Kind != ast.Object || likely.Directives.ForName("item") != nil ||
			slices.ContainsFunc(own, isRoot) {
			continue
		}
		found = append(found, root)
		c.findMisspelt(likely, root)
	}
	return found
}

func (c *Checker) findMisspelt(def *ast.Definition, name string) {
	c.find(def.Position, def.Name,
		finding.IsLikely(name, fmt.Sprintf("there is no type %s, and %s is used nowhere", name, def.Name)),
		fmt.Sprintf("rename the %s %s to %s", sdl.Keyword(def.Kind), def.Name, name))
}

// uses returns how many places name a type that is declared nowhere, or a connection of it.
func (c *Checker) uses(name string) int {
	n := 0
	for _, u := range c.unknown {
		base, isConnection := strings.CutSuffix(u.name, sdl.ConnectionSuffix)
		if u.name == name || isConnection && sdl.HasLastWords(base, name) {
			n++
		}
	}
	return n
}

// lacksItem reports whether there is a finding for a directive of a stored type, so that its connections are missing.
func (c *Checker) lacksItem(own []*ast.Definition) bool {
	return slices.ContainsFunc(own, func(def *ast.Definition) bool {
		return def.Kind == ast.Object && slices.ContainsFunc(def.Directives, func(d *ast.Directive) bool {
			return c.directives[d.Name] == nil
		})
	})
}

// unusedTypes returns the definitions that no other one names, by name.
func unusedTypes(own []*ast.Definition) map[string]*ast.Definition {
	unused := map[string]*ast.Definition{}
	for _, def := range own {
		unused[def.Name] = def
	}
	for _, def := range own {
		names := slices.Concat(def.Interfaces, def.Types)
		for _, f := range def.Fields {
			names = append(names, f.Type.Name())
			for _, a := range f.Arguments {
				names = append(names, a.Type.Name())
			}
		}
		for _, name := range names {
			delete(unused, name)
			delete(unused, strings.TrimSuffix(name, sdl.ConnectionSuffix))
		}
	}
	return unused
}

// candidates returns the types that are allowed in the place of another one.
func (c *Checker) candidates(u unknownType) []string {
	types := maps.Clone(c.types)
	for _, def := range sdl.Types().Definitions {
		if types[def.Name] == nil {
			types[def.Name] = def
		}
	}
	var candidates []string
	for _, other := range slices.Sorted(maps.Keys(types)) {
		if !strings.HasPrefix(other, "__") && u.allowed(types[other]) {
			candidates = append(candidates, other)
		}
	}
	return candidates
}

func (c *Checker) findUnknown(u unknownType) {
	candidates := c.candidates(u)
	what := fmt.Sprintf("there is no type %s", u.name)
	if strings.HasSuffix(u.name, sdl.ConnectionSuffix) {
		what += ", and its name does not end with that of a stored type"
		candidates = nil
	}
	likely := candidates
	if u.allowed(&ast.Definition{Kind: ast.Object}) {
		likely = slices.Concat(candidates, c.connectionNames(u.name))
	}
	if meant := finding.Synonym(u.name); slices.Contains(candidates, meant) {
		c.find(u.at, u.coordinate, finding.IsLikely(meant, what), fmt.Sprintf("replace %s with %s", u.name, meant))
		return
	}
	if likely := likelyType(u.name, likely); likely != "" {
		c.find(u.at, u.coordinate, finding.IsLikely(likely, what), fmt.Sprintf("replace %s with %s", u.name, likely))
		return
	}
	if len(candidates) == 0 {
		candidates = likely
	}
	c.find(u.at, u.coordinate, what, "replace "+u.name+" with "+substitute(candidates)+", or declare "+u.name)
}

// likelyType returns the type that a misspelt name probably means, "" for none. That all connections end alike makes no
// two of them similar.
func likelyType(name string, candidates []string) string {
	base, isConnection := strings.CutSuffix(name, sdl.ConnectionSuffix)
	if !isConnection {
		return finding.Likely(name, candidates)
	}
	var bases []string
	for _, c := range candidates {
		bases = append(bases, strings.TrimSuffix(c, sdl.ConnectionSuffix))
	}
	if likely := finding.Likely(base, bases); likely != "" {
		return likely + sdl.ConnectionSuffix
	}
	return ""
}

// connectionNames returns the names of the connections that the schema has or that can be added: also with what a
// misspelt name has before that of a type, as in OpenInvoiceConnection.
func (c *Checker) connectionNames(misspelt string) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(c.types)) {
		switch def := c.types[name]; {
		case def.Kind == ast.Union, def.Directives.ForName("item") != nil:
			whole := name + sdl.ConnectionSuffix
			names = append(names, whole)
			for n := len(misspelt) - len(whole) - 1; n <= len(misspelt)-len(whole)+1; n++ {
				if n > 1 && finding.Distance(misspelt[n:], whole) == 1 {
					names = append(names, misspelt[:n]+whole)
				}
			}
		case def.Kind == ast.Object && strings.HasSuffix(name, sdl.ConnectionSuffix):
			names = append(names, name)
		}
	}
	return names
}

// substitute returns the type that most fields have, or else the first one.
func substitute(candidates []string) string {
	if slices.Contains(candidates, "String") || len(candidates) == 0 {
		return "String"
	}
	return candidates[0]
}
