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

// CurrentID returns the global id of the object that an id of a former form names, as far as its values suffice. Any
// other id is returned as it is.
func (d *Design) CurrentID(id keys.ID) keys.ID {
	if !d.hasFormerIDs {
		return id
	}
	typeName, values := id.Type(), id.Values()
	if t := d.types[typeName]; t != nil && len(t.Identity) == len(values) {
		return id
	}
	for _, t := range d.Types {
		for _, form := range t.FormerIDs {
			if form.Type == typeName && len(form.Identity) == len(values) && !form.lacks(t.Identity) {
				return form.current(t, values)
			}
		}
	}
	return id
}

// CurrentIDText is CurrentID for the text of an id in a request. What is no id is returned as it is.
func (d *Design) CurrentIDText(text string) string {
	if !d.hasFormerIDs {
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
