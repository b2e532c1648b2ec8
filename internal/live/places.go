package live

import (
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// Place is the hash of a tenant, an index and a partition key, the same in all replicas. What is found by it is
// compared with the keys themselves, so that collisions are harmless.
type Place uint64

// Scheme has the places of the items of a table.
type Scheme struct{ indexes []indexed }

// indexed is an index with the names of its attributes; the first one is the table.
type indexed struct {
	pk, sk string
	salt   Place
}

// NewScheme returns the scheme of a table that has indexes with these names.
func NewScheme(indexes []string) Scheme {
	var s Scheme
	for _, name := range slices.Concat([]string{""}, indexes) {
		s.indexes = append(s.indexes, indexed{
			pk: keys.IndexPK(name), sk: keys.IndexSK(name), salt: Place(xxhash.Sum64String(name)),
		})
	}
	return s
}

// Places appends the places of a change, each once.
func (s *Scheme) Places(c *Change, to []Place) []Place {
	for i := range s.indexes {
		to = s.append(to, c.Tenant, i, s.pk(i, c.Old), s.pk(i, c.New))
	}
	return to
}

func (s *Scheme) append(to []Place, tenant string, index int, old, current keys.PK) []Place {
	if old != "" {
		to = append(to, s.place(tenant, index, old))
	}
	if current != "" && current != old {
		to = append(to, s.place(tenant, index, current))
	}
	return to
}

// place returns the place of a partition of an index.
func (s *Scheme) place(tenant string, index int, pk keys.PK) Place {
	p := Place(xxhash.Sum64String(string(pk))) + s.indexes[index].salt
	if tenant != "" {
		p ^= Place(xxhash.Sum64String(tenant)) << 1
	}
	return p
}

// images are the keys of an item in an index, or in the table, before and after a change. A key's PK is "" if the item
// is not there.
type images struct{ old, new keys.Key }

// read sets the images in each index, and appends the places of the partitions that have the item before or after the
// change, each once.
func (s *Scheme) read(c *Change, in []images, places []Place) []Place {
	for i := range s.indexes {
		in[i] = images{s.entry(i, c.Old), s.entry(i, c.New)}
		places = s.append(places, c.Tenant, i, in[i].old.PK, in[i].new.PK)
	}
	return places
}

func (s *Scheme) pk(index int, it item.Item) keys.PK { return keys.PK(it.Text(s.indexes[index].pk)) }

func (s *Scheme) entry(index int, it item.Item) keys.Key {
	pk := s.pk(index, it)
	if pk == "" {
		return keys.Key{}
	}
	return keys.Key{PK: pk, SK: keys.SK(it.Text(s.indexes[index].sk))}
}
