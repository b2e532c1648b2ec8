package contract

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// unnamed returns a template without the names of its variables.
func unnamed(t keys.Template) string { return variables.ReplaceAllString(t.String(), "{") }

var variables = regexp.MustCompile(`\{[A-Za-z_]\w*`)

// shapes returns the templates of all keys of a type's items, those in indexes, too.
func shapes(t *design.Type) []keys.Shape {
	all := t.Shapes()
	for _, ix := range t.Indexes {
		all = append(all, ix.Shape)
	}
	return all
}

// storedIn returns the attribute with a name in the table, or nil.
func storedIn(t *design.Type, name string) *design.Attribute {
	for i := range t.Attributes {
		if a := &t.Attributes[i]; a.StoredName() == name {
			return a
		}
	}
	return nil
}

// part is something that has a name in both versions.
type part struct{ what, was, is string }

// renamed lists the parts that have another name, "" for none.
func renamed(parts []part) string {
	var changed []string
	for _, p := range parts {
		if p.was != p.is {
			changed = append(changed, fmt.Sprintf("%s was %s and is %s", p.what, quoted(p.was), quoted(p.is)))
		}
	}
	return strings.Join(changed, ", ")
}

func quoted(text string) string {
	if text == "" {
		return "none"
	}
	return `"` + text + `"`
}
