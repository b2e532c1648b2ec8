package design

import (
	"strings"

	"github.com/partita/partita/keys"
)

// WithHandWritten sets the fields that IsHandWritten reports, as schema coordinates such as
// Query.recommendations, and returns the design. The generator lists them.
func (d *Design) WithHandWritten(coordinates ...string) *Design {
	d.handWritten = make(map[coordinate]bool, len(coordinates))
	for _, c := range coordinates {
		parent, name, _ := strings.Cut(c, ".")
		d.handWritten[coordinate{parent, name}] = true
	}
	return d
}

// IsHandWritten reports whether the value of a field of an object type depends on Go code that is not
// generated: a resolver, the Go code of a scalar or of a directive, or a Go type or method that
// gqlgen.yml names. The value of any other field that a directive serves, or that is stored, follows
// from the schema, the design and what is stored.
func (d *Design) IsHandWritten(parent, name string) bool {
	return d.handWritten[coordinate{parent, name}]
}

// WithoutGo sets that there is no Go code at all, as for a folder of schema files, and returns the design.
func (d *Design) WithoutGo() *Design {
	d.withoutGo = true
	return d
}

// IsWithoutGo reports whether there is no Go code at all. A field without a directive that is no attribute is then an
// error at each place where it is selected.
func (d *Design) IsWithoutGo() bool { return d.withoutGo }

// WithGoOf sets what WithHandWritten, WithoutGo, WithOwners, WithModelValues and WithAllow have set for another design,
// and returns the design.
func (d *Design) WithGoOf(other *Design) *Design {
	d.handWritten, d.withoutGo, d.owners, d.values = other.handWritten, other.withoutGo, other.owners, other.values
	d.allow = other.allow
	return d
}

// WithOwners sets the function that ModelOwner uses, and returns the design. owners returns the
// stored type of a model, "" for one without a rule, and the id in a field of the model.
func (d *Design) WithOwners(owners func(object any, field string) (typ string, id keys.ID)) *Design {
	d.owners = owners
	return d
}

// ModelOwner returns the stored type of a model with a rule, or "", and the raw id in a field of
// the model.
func (d *Design) ModelOwner(object any, field string) (typ, id string) {
	if d.owners == nil {
		return "", ""
	}
	typ, owner := d.owners(object, field)
	return typ, owner.Value()
}

// WithModelValues sets the function that ModelValue uses, and returns the design. values returns the value of a field
// of a model by which a rule decides: one that is a variable of a member's key, or that Go code gets.
func (d *Design) WithModelValues(values func(object any, field string) keys.Value) *Design {
	d.values = values
	return d
}

// ModelValue returns the value of a field of a model by which a rule decides; none for other fields.
func (d *Design) ModelValue(object any, field string) keys.Value {
	if d.values == nil {
		return keys.Value{}
	}
	return d.values(object, field)
}
