package contract

import (
	"fmt"
	"strings"

	"github.com/partita/partita/keys"
)

// layout compares the names of the table.
func (d *designs) layout(at positions) {
	was, is := d.base.Layout, d.head.Layout
	changed := renamed([]part{
		{"the partition key", was.PK, is.PK}, {"the sort key", was.SK, is.SK},
		{"the attribute of the type", was.Type, is.Type},
	})
	if changed != "" {
		d.dangerous("schema", at, "%s: objects that are stored with the former are not found", changed)
	}
	for _, name := range d.base.IndexNames() {
		a, b := was.Index(name), is.Index(name)
		changed := renamed([]part{
			{"the partition key of index " + name, a.PK.String(), b.PK.String()},
			{"the sort key of index " + name, a.SK.String(), b.SK.String()},
		})
		if changed != "" {
			d.dangerous("schema", at, "%s: entries that are stored with the former are not found", changed)
		}
	}
}

// stored compares how objects of a type are stored, besides their keys.
func (d *designs) stored(base, head *keys.Type, at positions) {
	if was, is := base.TypeValue(), head.TypeValue(); was != is {
		d.dangerous(base.Name, at, "the type was stored as %q and is stored as %q: objects with the former are not found",
			was, is)
	}
	for _, a := range base.Attributes {
		b := head.Attribute(a.Name)
		if b == nil || a.StoredName() == b.StoredName() && a.As == b.As {
			continue
		}
		d.dangerous(base.Name+"."+a.Name, at,
			"it was stored as %s and is stored as %s: values in the former are not read until their items have been changed",
			storedAs(a), storedAs(*b))
	}
}

// storedAs returns the name of an attribute in the table, and its format.
func storedAs(a keys.Attribute) string {
	return strings.TrimSpace(a.StoredName() + " " + a.As.String())
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
