package stream

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/klauspost/compress/s2"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/item"
)

// entry is what a replica publishes for the others of what it reads: its id, and then, compressed by S2, JSON on a line
// and the items of all records one after the other. Other versions of the program may read it during an update.
type entry struct {
	// from is the id of the replica.
	from string
	// Stream is the ARN of the table's stream.
	Stream string `json:"stream"`
	Parts  []part `json:"parts,omitempty"`
	// Position is how far the shards have been published that the replica reads, and Present where it reads those that
	// have no sequence number in it.
	Position live.Position      `json:"position,omitempty"`
	Present  map[string]*latest `json:"present,omitempty"`
	// At is the time until which all records of these shards have been published, by the clock of the publisher in
	// milliseconds since 1970, and Lag how long before the entry that was.
	At  int64 `json:"at,omitempty"`
	Lag int64 `json:"lag,omitempty"`
	// Changed reports that the replica reads from now on, or no longer: the others divide the shards at once.
	Changed bool `json:"changed,omitempty"`

	// size is that of the records' items, in bytes.
	size int
}

// part has records of one shard without a gap.
type part struct {
	Shard string `json:"shard"`
	// After is the position before the records. Origin is that of the shard if the position is present.
	After  string `json:"after"`
	Origin string `json:"origin,omitempty"`
	// Lost reports that records between the position and these may be missing.
	Lost    bool           `json:"lost,omitempty"`
	Records []storedRecord `json:"records,omitempty"`
	// Ended reports whether the shard has no records after these, and never will.
	Ended bool `json:"ended,omitempty"`
}

// latest is where a shard is read of which no record has been read yet.
type latest struct {
	// Origin is another one for each time that somebody began behind the newest record.
	Origin string `json:"origin"`
	// Iterator is behind all that has been read since, for as long as DynamoDB accepts it; "" before it is known.
	Iterator string `json:"iterator,omitempty"`
}

// storedRecord is a record without its items, which are behind all records.
type storedRecord struct {
	Sequence string `json:"sequence"`
	At       int64  `json:"at"` // in milliseconds since 1970
	// Old and New are the lengths of the items in bytes, 0 for none.
	Old int `json:"old,omitempty"`
	New int `json:"new,omitempty"`

	// old and new are the items in the JSON of DynamoDB.
	old, new string
}

func (e *entry) encode() (string, error) {
	text, err := json.Marshal(e)
	text = append(text, '\n')
	for i := range e.Parts {
		for _, r := range e.Parts[i].Records {
			text = append(append(text, r.old...), r.new...)
		}
	}
	return e.from + string(s2.Encode(nil, text)), err
}

// idBytes is the length of a replica's id.
const idBytes = 36

// decodeEntry returns nil for an entry of the replica with the id itself.
func decodeEntry(encoded, id string) (*entry, error) {
	if strings.HasPrefix(encoded, id) {
		return nil, nil
	}
	from := min(len(encoded), idBytes)
	text, err := s2.Decode(nil, []byte(encoded[from:]))
	if err != nil {
		return nil, fmt.Errorf("stream: an entry of the shared store: %w", err)
	}
	head, images, _ := strings.Cut(string(text), "\n")
	e := &entry{from: encoded[:from]}
	if err := json.Unmarshal([]byte(head), e); err != nil {
		return nil, fmt.Errorf("stream: an entry of the shared store: %w", err)
	}
	for i := range e.Parts {
		for j := range e.Parts[i].Records {
			if images, err = e.Parts[i].Records[j].cut(images); err != nil {
				return nil, err
			}
		}
	}
	return e, nil
}

// cut takes the items from the beginning of a text, and returns the rest.
func (s *storedRecord) cut(images string) (string, error) {
	if s.Old < 0 || s.New < 0 || s.New > len(images)-s.Old {
		return "", errors.New("stream: an entry of the shared store has not the items of its records")
	}
	s.old, s.new = images[:s.Old], images[s.Old:s.Old+s.New]
	return images[s.Old+s.New:], nil
}

func (r *record) encode() storedRecord {
	s := storedRecord{Sequence: r.sequence, At: r.at.UnixMilli(), old: encodeImage(r.old), new: encodeImage(r.new)}
	s.Old, s.New = len(s.old), len(s.new)
	return s
}

func (s *storedRecord) decode(shard string) (*record, error) {
	r := &record{shard: shard, sequence: s.Sequence, at: time.UnixMilli(s.At)}
	var err error
	if r.old, err = decodeImage(s.old); err != nil {
		return nil, err
	}
	r.new, err = decodeImage(s.new)
	return r, err
}

func encodeImage(it item.Item) string {
	if it == nil {
		return ""
	}
	return string(wire.AppendItem(nil, it))
}

func decodeImage(text string) (item.Item, error) {
	if text == "" {
		return nil, nil
	}
	it, err := wire.ParseItem(text)
	if err != nil {
		return nil, fmt.Errorf("stream: %w", err)
	}
	return it, nil
}

func last[T any](all []T) T { return all[len(all)-1] }
