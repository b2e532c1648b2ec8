package importer

import (
	"slices"

	"github.com/partita/partita/keys"
)

// shape is the templates of one kind of stored items.
type shape struct {
	pk, sk  template
	typ     string
	entries []*entry
	// hidden are the hidden values by label, those in keys of indexes included.
	hidden map[string]*hidden
}

// variables returns the variables of the keys, each once: with its whole value, if there is one.
func (s *shape) variables() template { return variablesOf(s.pk, s.sk) }

// identity returns the names of the variables that identify an item of the shape.
func (s *shape) identity() []string {
	var names []string
	for _, v := range s.variables() {
		if v.Bucket == 0 {
			names = append(names, v.Variable)
		}
	}
	return names
}

// sameKeys reports whether the keys of two shapes have the same literals, and variables in the same places.
func sameKeys(a, b *shape) bool { return samePattern(a.pk, b.pk) && samePattern(a.sk, b.sk) }

func sameTemplates(a, b *shape) bool {
	same := func(x, y keys.Segment) bool {
		return form(x) == form(y) && x.Variable == y.Variable && x.Width == y.Width
	}
	return a.typ == b.typ && slices.EqualFunc(a.pk, b.pk, same) && slices.EqualFunc(a.sk, b.sk, same)
}

// forget removes a hidden value from the items of a shape.
func forget(s *shape, label string) {
	delete(s.hidden, label)
	for _, e := range s.entries {
		delete(e.hidden, label)
	}
}

// hidden is what is known of a value that is only in keys.
type hidden struct {
	scalar
	// after is the literal before the value.
	after string
	// key is the attribute with the key that has the value first.
	key string
	// width is to how many digits a number is padded.
	width int
	// note is a comment for the person who reads the schema.
	note string
}
