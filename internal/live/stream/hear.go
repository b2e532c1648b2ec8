package stream

import (
	"context"
	"errors"
	"time"

	"github.com/partita/partita/internal/live"
)

// errGap is the cause if another replica has lost changes that this one has not passed.
var errGap = errors.New("stream: another replica has lost changes before it could publish them")

// follow takes what others have published. Its error is that of refresh.
func (s *session) follow(ctx context.Context, f fetched) error {
	for i, e := range f.entries {
		if e.Stream != s.arn { // which the table had before, or has now
			s.askForShards()
			continue
		}
		from := 0
		for j := range e.Parts {
			s.followPart(ctx, e, &e.Parts[j], from)
			for k := range e.Parts[j].heads {
				from += e.Parts[j].heads[k].bytes
			}
		}
		at := f.timeOf(i)
		for id, after := range e.Position {
			if s.hear(ctx, e.from, id, after, e.Present[id], "") && !at.IsZero() {
				s.tips[id] = at
			}
		}
		if s.isStale { // the next entry may be of the children of a shard
			if err := s.refresh(ctx); err != nil {
				return err
			}
		}
	}
	s.report(ctx)
	return nil
}

// followPart passes the records of a part that this replica has not passed yet. Their items begin in the entry's text
// at a byte.
func (s *session) followPart(ctx context.Context, e *entry, p *part, from int) {
	first := ""
	if len(p.heads) > 0 {
		first = p.heads[0].sequence
	}
	if !s.hear(ctx, e.from, p.Shard, p.After, &latest{Origin: p.Origin}, first) {
		return
	}
	own := s.position[p.Shard]
	if p.Lost && (first == "" || live.CompareSequences(first, own) > 0) {
		s.out.lost(ctx, errGap)
	}
	records := p.records(own, e.Items, from)
	if !s.understand(ctx, e, records) || !s.pass(ctx, p.Shard, records) {
		if own == present {
			s.shared.present[p.Shard].first = records[0].sequence
		}
		s.readMissing(ctx, p.Shard)
		return
	}
	if p.Ended {
		s.end(p.Shard)
	}
}

// hear compares a position that another replica says to be before records, the first of which has a sequence number, or
// before those to come, with that of this replica. It reports whether the records follow what this replica has passed.
// If some are missing, they are read from the stream of the table, until those of the shard's owner follow.
func (s *session) hear(ctx context.Context, from, id, after string, at *latest, first string) bool {
	d := s.shared
	own, known := s.position[id]
	switch {
	case !known:
		s.hearUnknown(ctx, id)
		return false
	case s.ended[id]:
		return false
	case own == present && d.present[id] == nil:
		if cause := d.owes[id]; cause != nil {
			delete(d.owes, id)
			s.out.lost(ctx, cause)
		}
		own = after
		if s.position[id] = after; after == present {
			d.present[id] = at
		}
	}
	if !d.follows(id, own, after, at, first) {
		s.readMissing(ctx, id)
		return false
	}
	if own == present && at != nil && at.Iterator != "" {
		d.present[id] = at
	}
	if from == d.owners[id] {
		d.heard[id] = time.Now()
		if r := s.running[id]; r != nil && !s.isOff {
			r.stop()
			delete(s.running, id)
		}
	}
	return true
}

// understand fetches the items of records that a replica with another schema has published: its keys and places are not
// those of this one. It reports whether they could be fetched.
func (s *session) understand(ctx context.Context, e *entry, records []*record) bool {
	if e.Scheme == s.shared.publisher.encoder.scheme {
		return true
	}
	var away []*record
	var from []*live.Away
	for _, one := range records {
		if one.change != nil {
			away, from = append(away, one), append(from, one.change.Away)
		}
	}
	whole, err := fetch(s.shared.publisher.store, from)
	if err != nil {
		s.failed.Do(func() {
			s.log.WarnContext(ctx, "changes of the table that another replica has published cannot be read; "+
				"they are read from its stream", "error", err.Error())
		})
		return false
	}
	for i, one := range away {
		one.old, one.new, one.change = whole[i].old, whole[i].new, nil
	}
	return true
}

// readMissing reads a shard from the stream of the table, until what others publish of it follows.
func (s *session) readMissing(ctx context.Context, id string) {
	if s.running[id] == nil {
		s.readShared(ctx, id, false, s.interval)
	}
}

// logMissed logs what a reader has read that the store did not have.
func (s *session) logMissed(ctx context.Context, records int) {
	d := s.shared
	d.missed += records
	d.logged.Do(func() {
		s.log.InfoContext(ctx, "changes that the shared store does not have were read from the stream of the table",
			"records", d.missed)
		d.missed = 0
	})
}

// follows reports whether nothing is missing between the position of this replica in a shard, and what another one has
// published: see hear.
func (d *shared) follows(id, own, after string, at *latest, first string) bool {
	switch {
	case own == present:
		return after == present && at != nil && at.Origin == d.present[id].Origin
	case first != "" && live.CompareSequences(first, own) <= 0:
		return true
	}
	return after != present && live.CompareSequences(after, own) <= 0
}

// hearUnknown looks at a shard that this replica does not read. Either it has been read to its end, or it is new, or
// descends from one whose end this replica has missed.
func (s *session) hearUnknown(ctx context.Context, id string) {
	if s.lineage.ancestors(s.position)[id] {
		return
	}
	s.askForShards()
	for parent := s.lineage.byID[id].parent; parent != ""; parent = s.lineage.byID[parent].parent {
		if _, known := s.tips[parent]; known && s.running[parent] == nil {
			s.readShared(ctx, parent, false, s.interval)
		}
	}
}

// askForShards has the shards listed again, unless that was just done.
func (s *session) askForShards() {
	if time.Since(s.described) > childInterval {
		s.isStale = true
	}
}
