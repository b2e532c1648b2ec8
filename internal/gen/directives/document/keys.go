package document

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
)

// keyText is a directive with a pk and a sk, as texts: no template has been read yet.
type keyText struct {
	// parent is the type that has it, or whose field has it. typ is the type whose keys it names.
	parent, typ string
	pk, sk      string
	// isStored is set for a key that a type declares, not one with which a field reads.
	isStored bool
}

// other returns the template beside the one with a name.
func (k keyText) other(name string) string {
	if name == "pk" {
		return k.sk
	}
	return k.pk
}

func (k keyText) named(name string) string {
	if name == "pk" {
		return k.pk
	}
	return k.sk
}

// missingKey returns the pk or sk that a directive lacks, as a literal: that of another directive with the same type
// and with the other template. It is "" if there is none.
func (c *Checker) missingKey(name string, d *ast.Directive, coordinate string) string {
	parent, field, _ := strings.Cut(coordinate, ".")
	def := c.types[parent]
	if def == nil || name != "pk" && name != "sk" {
		return ""
	}
	own := keyText{parent: parent, typ: parent, pk: sdl.RawText(d, "pk"), sk: sdl.RawText(d, "sk")}
	f := def.Fields.ForName(field)
	if f != nil {
		own.typ = strings.TrimSuffix(f.Type.Name(), sdl.ConnectionSuffix)
	}
	best, most := "", 0
	for _, k := range c.keyTexts(cmp.Or(sdl.RawText(d, "index"), sdl.RawText(d, "name"))) {
		likeness := 2 * like(k.other(name), own.other(name))
		isRoot := c.types[k.parent].Directives.ForName("item") == nil
		if likeness > 0 && (f == nil && isRoot || f != nil && k.isStored) {
			likeness++ // The arguments of a root field have the names of what is stored.
		}
		isStored := f == nil && (k.isStored || c.isServed(k, d))
		if k.typ != own.typ || likeness <= most || k.named(name) == "" || isStored {
			continue
		}
		if text, ok := c.inScope(k, k.named(name), def, f); ok {
			best, most = strconv.Quote(text), likeness
		}
	}
	return best
}

// isServed reports whether a type stores the key of a read already, with another directive.
func (c *Checker) isServed(k keyText, d *ast.Directive) bool {
	def := c.types[k.typ]
	return def != nil && slices.ContainsFunc(def.Directives, func(other *ast.Directive) bool {
		return other != d && slices.Contains([]string{"item", "copy", "index"}, other.Name) &&
			like(sdl.RawText(other, "pk"), k.pk) == 2 && like(sdl.RawText(other, "sk"), k.sk) > 0
	})
}

// like returns how alike two templates are, whatever their variables are: 0 if they cannot be of the same key.
func like(a, b string) int {
	a, b = sdl.Braced.ReplaceAllString(a, "{}"), sdl.Braced.ReplaceAllString(b, "{}")
	switch {
	case a == b:
		return 2
	case strings.HasPrefix(a, b), strings.HasPrefix(b, a):
		return 1
	}
	return 0
}

// keyTexts returns the directives with both templates, those of an index or of the table with "". Those of types are
// the first.
func (c *Checker) keyTexts(index string) []keyText {
	var all []keyText
	add := func(parent, typ string, directives ast.DirectiveList) {
		for _, d := range directives {
			isEntry := d.Name == "index"
			if !slices.Contains([]string{"item", "copy", "index", "get", "query"}, d.Name) || isEntry && index == "" ||
				!isEntry && sdl.RawText(d, "index") != index {
				continue
			}
			k := keyText{parent, strings.TrimSuffix(typ, sdl.ConnectionSuffix), sdl.RawText(d, "pk"), sdl.RawText(d, "sk"),
				isEntry ||
					d.Name == "item" || d.Name == "copy"}
			if k.pk != "" {
				all = append(all, k)
			}
		}
	}
	names := slices.Sorted(maps.Keys(c.types))
	for _, name := range names {
		add(name, name, c.types[name].Directives)
	}
	for _, name := range names {
		for _, f := range c.types[name].Fields {
			add(name, f.Type.Name(), f.Directives)
		}
	}
	return all
}

// inScope returns a template with the names that its variables have in a type, or for a field of the type; ok is false
// if one has none. The id of the parent is {id} there, and {taskId} elsewhere.
func (c *Checker) inScope(k keyText, text string, def *ast.Definition, f *ast.FieldDefinition) (string, bool) {
	item := def.Directives.ForName("item")
	isStored := item == nil || strings.Contains(sdl.RawText(item, "pk")+sdl.RawText(item, "sk"), "{id}")
	has := func(name string) bool {
		if name == "id" && !isStored && (f == nil || f.Arguments.ForName(name) == nil) {
			return false // It consists of others.
		}
		return f != nil && f.Arguments.ForName(name) != nil || def.Fields.ForName(name) != nil
	}
	isOther := f != nil && k.parent == k.typ && k.typ != def.Name // Its id is not that of the parent.
	ok := true
	text = sdl.Braced.ReplaceAllStringFunc(text, func(s string) string {
		name := sdl.Braced.FindStringSubmatch(s)[1]
		own, isPrefixed := strings.CutPrefix(name, sdl.LowerFirst(def.Name))
		for _, other := range []string{name, sdl.LowerFirst(k.parent) + "Id", sdl.LowerFirst(own)} {
			isOwnID := isPrefixed && other == sdl.LowerFirst(own)
			isSame := other == name && (name != "id" || !isOther || f.Arguments.ForName(name) != nil)
			if has(other) && (isSame || other != name && (name == "id" && other != "id" || isOwnID)) {
				return strings.Replace(s, name, other, 1)
			}
		}
		ok = false
		return s
	})
	return text, ok
}

// MissingKeyIn returns the pk or sk that a directive in a schema with these types lacks: see missingKey.
func MissingKeyIn(types map[string]*ast.Definition, name string, d *ast.Directive, coordinate string) string {
	return (&Checker{types: types}).missingKey(name, d, coordinate)
}
