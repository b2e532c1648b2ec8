package run

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/follow"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// sampleItems is about how many items an estimate reads. Those of a larger table are from as many segments of it.
const (
	sampleItems    = 4000
	sampleSegments = 10
)

// Step is one step of an Estimate.
type Step struct {
	// What is a sentence.
	What string `json:"what"`
	// Items is how many items are written or deleted.
	Items      int     `json:"items"`
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits"`
	// IsFinish is set for a step of `migrate finish`, which cannot be undone.
	IsFinish bool `json:"finish,omitempty"`
}

// sampled are the sums over a sample of a table, and the factor from it to the whole table.
type sampled struct {
	items  int
	isAll  bool
	factor float64
	// scanUnits are those of a scan, size that of all items, and added and removed by how much that changes.
	scanUnits            float64
	size, added, removed int
	// readUnits are those of the other form of all objects, repeated those of objects that are then written, and after
	// what the proof reads.
	readUnits, repeated, after float64
	// written are the items that are written, with writeUnits.
	written    int
	writeUnits float64
	// gone are the items of which something is removed, which is read and written.
	gone                 int
	goneReads, goneUnits float64
	counted
	partitions
}

// counted are the objects with a counter that only the later design has, and the bytes of what is counted.
type counted struct {
	parents, bytes    int
	reads, writeUnits float64
}

// Package check reads what is counted this often before it sets a counter, with the object before and after.
const countReads = 8

// step returns what counting reads and writes beside a scan.
func (c counted) step() (reads, written float64) {
	if c.parents == 0 {
		return 0, 0
	}
	each := capacity.Get(c.bytes/c.parents, true) * float64(c.parents)
	return countReads*(2*c.reads+each) + c.reads + each, c.writeUnits
}

// scan returns the units of a scan of the table with so many bytes more.
func (s *sampled) scan(more int) float64 {
	if s.size == 0 {
		return s.scanUnits
	}
	return s.scanUnits * float64(s.size+more) / float64(s.size)
}

// steps returns what is done, each pass as it reads the table: while it is filled, about half of what is new is read as
// well.
func (s *sampled) steps(d migrate.Difference, makesUnique bool) []Step {
	times := func(n float64) float64 { return math.Ceil(n * s.factor) }
	steps := []Step{
		{What: "write both designs, and fill what is missing", Items: int(times(float64(s.written))),
			ReadUnits: times(s.scan(s.added/2) + s.readUnits + s.repeated), WriteUnits: times(s.writeUnits)},
		{What: "prove by reading everything that nothing is missing", ReadUnits: times(s.scan(s.added) + s.after)},
	}
	if makesUnique {
		steps = append(steps, Step{What: "prove again that unique values are so, since gateways keep them",
			ReadUnits: times(s.scan(s.added) + s.after)})
	}
	if len(countedTypes(d)) > 0 {
		reads, written := s.counted.step()
		steps = append(steps, Step{What: "count what only the new design counts", Items: int(times(float64(s.parents))),
			ReadUnits: times(s.scan(s.added) + reads), WriteUnits: times(written)})
	}
	passes := 2 // in each of the last two states, until one removes nothing
	left := s.added - s.removed
	reads := float64(passes)*s.scan(left) + s.goneReads
	if s.gone > 0 {
		reads += s.scan(s.added)
	}
	return append(steps, Step{What: "remove what only the former design has", Items: int(times(float64(s.gone))),
		ReadUnits: times(reads), WriteUnits: times(s.goneUnits), IsFinish: true})
}

// source is what a sample is taken from.
type source struct {
	// pages yields what is stored, and its error.
	pages func(yield func(samplePage, error) bool)
	// preview returns what would be written with a transaction.
	preview func(context.Context, write.Transaction) (table.Preview, error)
}

// samplePage is a page of a source. isLast is set if nothing is left.
type samplePage struct {
	request.Result
	isLast bool
}

// ofTable returns the table as a source, which has about so many items. A page may have a part of one partition only,
// so that those of a large table are from different places.
func (p pair) ofTable(ctx context.Context, items int) source {
	scans := []admin.Scan{{}}
	if items > sampleItems {
		scans = nil
		for i := range sampleSegments {
			scans = append(scans, admin.Scan{Segment: i, Segments: sampleSegments, Limit: sampleItems / sampleSegments})
		}
	}
	return source{preview: p.reads(migrate.Filling).Preview, pages: func(yield func(samplePage, error) bool) {
		for left := scans; len(left) > 0; {
			next := left[0]
			page, err := (admin.Scanner{Table: p.raw()}).Scan(ctx, next)
			left = left[1:]
			if next.Start = page.Last.Base; next.Start != (keys.Key{}) {
				left = append(slices.Clip(left), next)
			}
			if !yield(samplePage{page, len(left) == 0}, err) || err != nil {
				return
			}
		}
	}}
}

// sample computes what the first pages of a source need, which are about sampleItems.
func (p pair) sample(ctx context.Context, from source) (sampled, error) {
	s := sampled{partitions: partitions{}}
	for page, err := range from.pages {
		if err != nil {
			return s, err
		}
		s.items += len(page.Items)
		s.scanUnits += page.ReadUnits
		for i, it := range page.Items {
			ctx := ctx
			if page.Tenants != nil {
				ctx = request.WithTenant(ctx, page.Tenants[i])
			}
			s.size += it.Size()
			p.sampleRemoval(it, &s)
			if err := p.sampleItem(ctx, from, it, &s); err != nil {
				return s, err
			}
		}
		if s.isAll = page.isLast; s.items >= sampleItems {
			break
		}
	}
	return s, nil
}

// sampleItem adds what is read and written for the object of a base item.
func (p pair) sampleItem(ctx context.Context, from source, stored item.Item, s *sampled) error {
	side := p.side(migrate.From)
	it := side.fromStored(stored)
	typ := p.from.Type(it.Type())
	isObject := typ != nil && typ.IsBase(keys.KeyOf(it))
	if !isObject && !side.isLoose(keys.KeyOf(it)) || p.from.ExpiryAt(time.Now()).IsExpired(it) {
		return nil
	}
	if isObject {
		s.partitions.add(p.from.Design, typ, it, false)
		if object, is := side.forward.Object(it); is {
			s.partitions.add(p.to.Design, p.to.Type(object.Type()), object, true)
			p.addCounted(object.Type(), stored, &s.counted)
		}
		if _, is := side.blocks(typ, it, nil); is {
			return nil
		}
		s.after += p.claimUnits(typ, it)
	}
	preview, err := from.preview(ctx, touchOf(it))
	if err != nil {
		return err
	}
	s.readUnits += preview.Read.ReadUnits
	s.after += preview.ReadUnitsAfter
	if preview.Writes > 0 {
		s.written += preview.Writes
		s.added += preview.Bytes
		s.repeated += preview.Read.ReadUnits
		s.writeUnits += preview.WriteUnits
	}
	return nil
}

// addCounted adds an object that has a counter that only the later design has, or is counted by one.
func (p pair) addCounted(typeName string, stored item.Item, s *counted) {
	parents := countedTypes(migrate.Compare(p.from, p.to))
	for _, c := range p.to.Counters {
		if !slices.Contains(parents, c.Parent) {
			continue
		}
		if c.Type == typeName {
			s.bytes += stored.Size()
		}
		if c.Parent == typeName {
			s.parents++
			s.reads += capacity.Get(stored.Size(), true)
			s.writeUnits += float64(capacity.Write(stored.Size()))
		}
	}
}

// claimUnits returns what the proof that an object's values are unique reads: see duplicate.
func (p pair) claimUnits(typ *design.Type, it item.Item) float64 {
	object, is := migrate.NewNames(p.from, p.to).Forward().Object(it)
	if !is || keys.IsDeleted(it) {
		return 0
	}
	units := 0.0
	ot := p.to.Type(object.Type())
	for _, u := range ot.Uniques {
		if claim, err := write.UniqueClaim(ot, u, object); err == nil && claim != nil && !hasClaim(typ, it, claim) {
			units += capacity.Get(p.to.ToStored(claim).Size(), true)
		}
	}
	return units
}

// sampleRemoval adds what is removed of a stored item, or the whole item.
func (p pair) sampleRemoval(stored item.Item, s *sampled) {
	gone, kept := p.from.Design, p.to.Design
	each := float64(capacity.Write(stored.Size()))
	entries := 0.0
	for _, index := range gone.IndexNames() {
		if hasEntry(stored, gone.Layout.Index(index)) {
			entries += each
		}
	}
	of, to := p.side(migrate.From), p.side(migrate.To)
	switch it := of.item(stored); {
	case isForm(kept, to.item(stored)):
		if len(follow.OnlyOf(gone, kept, migrate.NewNames(p.from, p.to).Forward(), stored)) > 0 {
			s.gone++
			s.goneUnits += each + entries
		}
	case isForm(gone, it), of.isLoose(keys.KeyOf(it)):
		s.gone++
		s.goneUnits += each + entries
		s.goneReads += capacity.Get(stored.Size(), true)
		s.removed += stored.Size()
	}
}

// hasEntry reports whether a stored item has an entry in an index.
func hasEntry(it item.Item, index stored.IndexLayout) bool {
	for _, name := range slices.Concat(index.PK.Names(), index.SK.Names()) {
		if v, _ := it.Find(name); v.Kind == item.Null {
			return false
		}
	}
	return true
}
