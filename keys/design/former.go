package design

import (
	"slices"

	"github.com/partita/partita/keys"
)

// IDForm is a form of global ids: the name of a type and the variables whose values an id has.
type IDForm struct {
	Type     string
	Identity []string
}

// formerID is a form of global ids that name objects of a type.
type formerID struct {
	IDForm
	of *Type
}

func (t *Type) formerIDs(all []formerID, forms []IDForm) []formerID {
	for _, form := range forms {
		all = append(all, formerID{form, t})
	}
	return all
}

// WithFormer returns a copy of the design for a table that has had others: with further forms of global ids, by the
// types that they name now, and with what distinguishes the cursors of connections from former ones, by coordinate.
func (d *Design) WithFormer(ids map[string][]IDForm, cursors map[string]string) *Design {
	if len(ids) == 0 && len(cursors) == 0 {
		return d
	}
	c := d.withFields(func(f *Field) { f.Cursors = cursors[f.Coordinate()] + f.Cursors })
	c.formerIDs = slices.Clone(d.formerIDs)
	for _, t := range d.Types {
		c.formerIDs = t.formerIDs(c.formerIDs, ids[t.Name])
	}
	return c
}

// withFields returns a copy of the design with other fields.
func (d *Design) withFields(change func(*Field)) *Design {
	c := *d
	c.fields = make(map[coordinate]*Field, len(d.fields))
	copied := make(map[*Field]*Field, len(d.fields))
	copies := func(fields []*Field) []*Field {
		all := make([]*Field, len(fields))
		for i, f := range fields {
			of := *f
			change(&of)
			if of.Live != nil {
				of.Live = copied[of.Live]
			}
			all[i], copied[f] = &of, &of
		}
		return all
	}
	c.Fields = copies(d.Fields) // first: those of Live refer to them
	c.Live = copies(d.Live)
	for at, f := range d.fields {
		c.fields[at] = copied[f]
	}
	return &c
}

// CurrentID returns the global id of the object that an id of a former form names, as far as its values suffice. Any
// other id is returned as it is.
func (d *Design) CurrentID(id keys.ID) keys.ID {
	if len(d.formerIDs) == 0 {
		return id
	}
	typeName, values := id.Type(), id.Values()
	if t := d.types[typeName]; t != nil && len(t.Identity) == len(values) {
		return id
	}
	for i := range d.formerIDs {
		form := &d.formerIDs[i]
		if form.Type == typeName && len(form.Identity) == len(values) && !form.lacks(form.of.Identity) {
			return form.current(form.of, values)
		}
	}
	return id
}

// CurrentIDText is CurrentID for the text of an id in a request. What is no id is returned as it is.
func (d *Design) CurrentIDText(text string) string {
	if len(d.formerIDs) == 0 {
		return text
	}
	id, err := keys.ParseID(text)
	if err != nil {
		return text
	}
	if current := d.CurrentID(id); current != id {
		return current.Encode()
	}
	return text
}

func (f *IDForm) lacks(identity []string) bool {
	return slices.ContainsFunc(identity, func(name string) bool { return !slices.Contains(f.Identity, name) })
}

func (f *IDForm) current(t *Type, values []string) keys.ID {
	texts := make([]string, len(t.Identity))
	for i, name := range t.Identity {
		texts[i] = values[slices.Index(f.Identity, name)]
	}
	return keys.NewID(t.Name, texts...)
}
