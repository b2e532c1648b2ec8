package stream

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/klauspost/compress/s2"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
)

// encoder encodes the records that a replica publishes.
type encoder struct {
	schema table.Schema
	layout *stored.Layout
	places live.Scheme
	// scheme identifies what the keys and places of changes depend on.
	scheme string
	// images and block are buffers.
	images, block []byte
}

func newEncoder(s table.Schema) encoder {
	return encoder{schema: s, layout: s.Layout(), places: live.NewScheme(s.Indexes), scheme: schemeOf(&s)}
}

// encode appends the items of a record to a text, and returns the rest. The record becomes a change.
func (e *encoder) encode(r *record, c *live.Change, items []byte) (head, []byte) {
	h := head{sequence: r.sequence, at: r.at.UnixMilli()}
	if r.isReserved = e.layout.IsReserved(r.stored()); r.isReserved {
		return h, items
	}
	e.images = e.images[:0]
	if r.old != nil {
		e.images = wire.AppendItem(e.images, r.old)
	}
	if h.old = len(e.images); r.new != nil {
		e.images = wire.AppendItem(e.images, r.new)
	}
	e.block = s2.Encode(e.block[:cap(e.block)], e.images)
	h.bytes = len(e.block)
	r.fill(c, &e.schema, e.layout)
	r.change = c
	h.tenant, h.key, h.places = c.Tenant, c.Key, e.places.Places(c, nil)
	return h, append(items, e.block...)
}

// schemeFormat is that of a scheme: another one if the same record gets other keys or places in this version.
const schemeFormat = 1

// schemeOf returns a text that is the same if the keys and the places of all records are.
func schemeOf(s *table.Schema) string {
	h := sha256.New()
	// A hash has no errors.
	_, _ = fmt.Fprintf(h, "%d %q %t %q %+v", schemeFormat, s.Indexes, s.Tenants, s.First, *s.Layout())
	if s.Owner != nil {
		_, _ = fmt.Fprintf(h, " %q %q", s.Owner.Name, s.Owner.Prefix)
	}
	if s.Design != nil {
		for _, t := range s.Design.Types {
			_, _ = fmt.Fprintf(h, "\n%q %q %q %v", t.Name, t.TypeValue(), t.Values, t.Constants)
			for _, shape := range t.Shapes() {
				_, _ = fmt.Fprintf(h, " %q %q", shape.PK, shape.SK)
			}
			for i := range t.Attributes {
				a := &t.Attributes[i]
				_, _ = fmt.Fprintf(h, " %q %q %t", a.Name, a.StoredName(), a.InKeys)
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
