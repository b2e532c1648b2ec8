package write

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// attempt is one execution of an action: a UUIDv7 with its time. The ids of the objects that it creates, and {now},
// follow from it, so that the claim of an idempotency key needs to have nothing else to find them again.
//
// https://www.rfc-editor.org/rfc/rfc9562#section-5.7
type attempt uuid.UUID

// millisBytes is how many bytes of an attempt are its time in milliseconds since 1970.
const millisBytes = 6

func newAttempt(now time.Time) attempt {
	a := attempt(uuid.Must(uuid.NewV7()))
	var millis [8]byte
	binary.BigEndian.PutUint64(millis[:], uint64(now.UnixMilli())) //nolint:gosec // not before 1970
	copy(a[:millisBytes], millis[8-millisBytes:])
	return a
}

// parseAttempt returns the attempt with that id.
func parseAttempt(id keys.ID) (attempt, error) {
	u, err := uuid.Parse(id.Value())
	if err != nil {
		return attempt{}, fmt.Errorf("write: the claim of an idempotency key names no attempt: %w", err)
	}
	return attempt(u), nil
}

// id returns the attempt as the id of an object of a kind.
func (a attempt) id(kind string) keys.ID { return keys.NewID(kind, uuid.UUID(a).String()) }

// time returns the time of the attempt, in milliseconds.
func (a attempt) time() time.Time {
	return time.Unix(uuid.UUID(a).Time().UnixTime()).UTC()
}

// created returns the id of the object that a step creates: a UUIDv7 with the time of the attempt. Those for the
// elements of a list are in the order of that.
func (a attempt) created(s *design.Step) keys.ID {
	sum := sha256.Sum256(append(a[:], s.Name...))
	copy(sum[:millisBytes], a[:millisBytes])
	u := uuid.UUID(sum[:16])
	if i, isElement := s.Index(); isElement {
		u[6], u[7] = 0, byte(i) // below MaxActions
	}
	u[6] = u[6]&0x0f | 0x70 // version 7
	u[8] = u[8]&0x3f | 0x80 // the variant of RFC 9562
	return keys.NewID(s.Type, u.String())
}
