package record

import (
	"context"
	"time"
)

// Await returns once each registered replica has acknowledged the revision, and removes those that have expired.
// waiting, if it is not nil, gets those that others wait for whenever they are looked at. every and lease are those of
// the replicas; 0 for the constants.
func (s *Store) Await(
	ctx context.Context, revision int64, every, lease time.Duration, waiting func([]Replica),
) error {
	if every == 0 {
		every, lease = Every, Lease
	}
	type seen struct {
		renewals int64
		since    time.Time
	}
	known := map[string]seen{}
	for {
		all, err := s.Replicas(ctx)
		if err != nil {
			return err
		}
		var behind []Replica
		for _, r := range all {
			if r.Revision >= revision {
				continue
			}
			if k, is := known[r.ID]; !is || k.renewals != r.Renewals {
				known[r.ID] = seen{r.Renewals, time.Now()}
			}
			// Half a lease more than the replica's own: it counts from when it sent the renewal.
			if time.Since(known[r.ID].since) > lease+lease/2 {
				if _, err := s.Remove(ctx, r); err != nil {
					return err
				}
				continue
			}
			behind = append(behind, r)
		}
		if waiting != nil {
			waiting(behind)
		}
		if len(behind) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(every / 4):
		}
	}
}
