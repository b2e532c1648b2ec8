package stream

import (
	"context"
	"errors"
	"time"
)

const (
	// discoverInterval is the time between two looks for new shards, also if no shard has ended.
	discoverInterval = 30 * time.Second
	// childInterval is the same while the children of a shard that has ended are not known yet.
	childInterval = time.Second
)

// errStreamOff is the error of a session that has read all records of a stream that was turned off.
var errStreamOff = errors.New("stream: the stream has been turned off")

// refresh lists the shards, and begins with those that are new. Its error is that of a stream that is gone, or has been
// read to its end.
func (s *session) refresh(ctx context.Context) error {
	if err := s.describe(ctx); err != nil {
		return err
	}
	s.discover(ctx)
	if s.isOff && len(s.tips) == 0 && !s.isReplay {
		return errStreamOff
	}
	return nil
}

func (s *session) describe(ctx context.Context) error {
	shards, err := s.shards(ctx)
	s.described, s.isStale = time.Now(), false
	switch {
	case ctx.Err() != nil || isGone(err):
		return err
	case err != nil:
		s.failed.Do(func() {
			s.log.WarnContext(ctx, "the shards of the stream of the table cannot be read; it is tried again",
				"error", err.Error())
		})
	default:
		s.lineage = newLineage(shards)
	}
	return nil
}

// discover starts the readers of new shards whose parents have been read to their end.
func (s *session) discover(ctx context.Context) {
	read := s.lineage.ancestors(s.position)
	parents := map[string]bool{}
	for _, one := range s.lineage.shards {
		if _, known := s.position[one.id]; known {
			parents[one.parent] = true // also of a stored position of earlier versions, which may have the parent as well
			continue
		}
		if read[one.id] {
			continue
		}
		isNew := s.ended[one.parent]
		if s.isReplay { // it has begun with all that follow nothing else
			isNew = isNew && s.needed[one.id]
		} else if _, hasParent := s.lineage.byID[one.parent]; !hasParent || read[one.parent] {
			isNew = true
		}
		if isNew {
			s.position[one.id] = ""
			parents[one.parent] = true
			s.start(ctx, one.id)
		}
	}
	for id := range s.ended {
		if _, listed := s.lineage.byID[id]; parents[id] || !listed || s.isReplay {
			delete(s.ended, id)
			delete(s.position, id)
		}
	}
}
