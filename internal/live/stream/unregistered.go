package stream

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"time"

	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
)

// Unregistered is the error of a table whose stream a replica reads that does not register: it is of a version that
// does not act by the record of the table's design.
type Unregistered struct {
	// ID is that of the replica, as a lease has it.
	ID string
}

func (e *Unregistered) Error() string {
	return fmt.Sprintf("replica %s reads the stream of the table and is not registered: it is of an earlier version", e.ID)
}

// CheckRegistered returns a *Unregistered if such a replica reads the stream. A lease of one counts if it is renewed,
// within the time after which it would have expired.
func CheckRegistered(ctx context.Context, t *table.Table, s Settings) error {
	every := cmp.Or(s.Lease, defaultLease)
	for slot := range stored.MaxLeases {
		l := newLease(t, "", slot)
		seen, err := l.get(ctx)
		for end := time.Now().Add(expiry * every); err == nil && seen.isUnregistered() && time.Now().Before(end); {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(every / 4):
			}
			var now leaseState
			if now, err = l.get(ctx); err == nil && now.isUnregistered() && !reflect.DeepEqual(now.renewals, seen.renewals) {
				return &Unregistered{now.holder}
			}
			seen = now
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s leaseState) isUnregistered() bool { return s.holder != "" && s.holder != s.registered }
