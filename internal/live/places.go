package live

import (
	"hash/maphash"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// place is the hash of a tenant, an index and a partition key. What is found by it is compared with the keys
// themselves, so that collisions are harmless.
type place uint64

// scheme has the places of a design's items.
type scheme struct {
	seed    maphash.Seed
	indexes []indexed
}

// indexed is an index with the names of its attributes; the first one is the table.
type indexed struct {
	pk, sk string
	salt   place
}

func newScheme(d *design.Design) (scheme, map[string]int) {
	s, numbers := scheme{seed: maphash.MakeSeed()}, map[string]int{}
	for i, name := range slices.Concat([]string{""}, d.IndexNames()) {
		numbers[name] = i
		s.indexes = append(s.indexes, indexed{
			pk: keys.IndexPK(name), sk: keys.IndexSK(name), salt: place(maphash.String(s.seed, name)),
		})
	}
	return s, numbers
}

// place returns the place of a partition of an index.
func (s *scheme) place(tenant string, index int, pk keys.PK) place {
	p := place(maphash.String(s.seed, string(pk))) + s.indexes[index].salt
	if tenant != "" {
		p ^= place(maphash.String(s.seed, tenant)) << 1
	}
	return p
}

// images are the keys of an item in an index, or in the table, before and after a change. A key's PK is "" if the item
// is not there.
type images struct{ old, new keys.Key }

// read sets the images in each index, and appends the places of the partitions that have the item before or after the
// change, each once.
func (s *scheme) read(c *Change, in []images, places []place) []place {
	for i := range s.indexes {
		e := images{s.entry(i, c.Old), s.entry(i, c.New)}
		if e.old.PK != "" {
			places = append(places, s.place(c.Tenant, i, e.old.PK))
		}
		if e.new.PK != "" && e.new.PK != e.old.PK {
			places = append(places, s.place(c.Tenant, i, e.new.PK))
		}
		in[i] = e
	}
	return places
}

func (s *scheme) entry(index int, it item.Item) keys.Key {
	pk := it.Text(s.indexes[index].pk)
	if pk == "" {
		return keys.Key{}
	}
	return keys.Key{PK: keys.PK(pk), SK: keys.SK(it.Text(s.indexes[index].sk))}
}
