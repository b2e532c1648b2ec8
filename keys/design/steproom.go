package design

import (
	"slices"
	"unicode/utf8"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/predicate"
)

// The largest sizes of values that an update sets without a read: an id or a time, and the id of a viewer.
const (
	boundedBytes = 40
	viewerBytes  = 128
)

// setRoom sets which attributes of a type updates may set without a read, and how many bytes each may then have.
func (d *Design) setRoom() {
	for _, m := range d.Mutations {
		for i := range m.Steps {
			s := &m.Steps[i]
			if t := d.Type(s.Type); t != nil && s.Kind == UpdateStep && !d.ReadsBefore(m, s) {
				t.grows(s)
			}
		}
		d.growsBy(m)
	}
}

// growsBy is grows for an update of what its input has.
func (d *Design) growsBy(m *Mutation) {
	t := d.Type(m.Type)
	if m.Kind != UpdateMutation || t == nil || len(m.Members) > 0 || !d.updatesDirectly(m, t) {
		return
	}
	for _, name := range slices.Concat(m.Inputs, m.Now, []string{t.Version}) {
		if d.isDirect(t, name) {
			t.grow(name, mostBytes(t.Attribute(name), utf8.UTFMax))
		}
	}
}

// grow says that updates may set an attribute to so many bytes.
func (t *Type) grow(name string, bytes int) {
	if t.room == nil {
		t.room = map[string]int{}
	}
	t.room[name] = max(t.room[name], bytes)
}

func (t *Type) grows(s *Step) {
	for _, name := range written(t, s) {
		t.grow(name, boundedBytes)
	}
	for _, a := range s.Set {
		n := len(a.Value.Text)
		if a.Value.Kind == predicate.Variable && a.Value.Text == predicate.Viewer {
			n = viewerBytes
		}
		t.grow(a.Attribute, n)
	}
}

// Room returns how many bytes an item of the type may grow by updates that do not read it before, and so do not know
// how large it is.
func (t *Type) Room(it item.Item) int {
	n := 0
	for name, most := range t.room {
		v, has := it.Get(name)
		own := item.Item{{Name: name, Value: v}}.Size()
		if !has {
			own = 0
		}
		n += max(0, len(name)+most-own)
	}
	return n
}
