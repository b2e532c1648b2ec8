package stream

import (
	"context"

	"github.com/google/uuid"
)

// Yield has a reader, which has not begun, leave the present shards of the stream to another one. Which of two reads a
// shard follows from their random ids otherwise.
func (r *Reader) Yield(ctx context.Context, to *Reader) error {
	s, err := r.find(ctx)
	if err != nil {
		return err
	}
	shards, err := s.shards(ctx)
	if err != nil {
		return err
	}
	leaves := newLineage(shards).leaves()
	for i := 0; i < len(leaves); i++ {
		if divide([]string{leaves[i]}, []string{r.id, to.id})[leaves[i]] == r.id {
			r.id, i = uuid.NewString(), -1
		}
	}
	return nil
}
