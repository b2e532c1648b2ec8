package design

import (
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
	}
}

func (t *Type) grows(s *Step) {
	if t.room == nil {
		t.room = map[string]int{}
	}
	for _, name := range written(t, s) {
		t.room[name] = max(t.room[name], boundedBytes)
	}
	for _, a := range s.Set {
		n := len(a.Value.Text)
		if a.Value.Kind == predicate.Variable && a.Value.Text == predicate.Viewer {
			n = viewerBytes
		}
		t.room[a.Attribute] = max(t.room[a.Attribute], n)
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
