package stream

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	ddb "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/klauspost/compress/s2"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/item"
	"github.com/partita/partita/table/attribute"
)

// entry is what a replica publishes for the others of what it reads: its id, and then JSON, compressed by S2. Other
// versions of the program may read it during an update.
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

// storedRecord is a record with items in the JSON of DynamoDB.
type storedRecord struct {
	Sequence string          `json:"sequence"`
	At       int64           `json:"at"` // in milliseconds since 1970
	Old      json.RawMessage `json:"old,omitempty"`
	New      json.RawMessage `json:"new,omitempty"`
}

func (e *entry) encode() (string, error) {
	text, err := json.Marshal(e)
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
	e := &entry{from: encoded[:from]}
	return e, json.Unmarshal(text, e)
}

func (r *record) encode() (storedRecord, error) {
	s := storedRecord{Sequence: r.sequence, At: r.at.UnixMilli()}
	var err error
	if s.Old, err = encodeImage(r.old); err != nil {
		return s, err
	}
	s.New, err = encodeImage(r.new)
	return s, err
}

func (s *storedRecord) decode(shard string) (*record, error) {
	r := &record{shard: shard, sequence: s.Sequence, at: time.UnixMilli(s.At)}
	var err error
	if r.old, err = decodeImage(s.Old); err != nil {
		return nil, err
	}
	r.new, err = decodeImage(s.New)
	return r, err
}

func encodeImage(it item.Item) (json.RawMessage, error) {
	if it == nil {
		return nil, nil
	}
	return attributevalue.MarshalMapJSON(attribute.FromItem(it))
}

func decodeImage(text json.RawMessage) (item.Item, error) {
	if text == nil {
		return nil, nil
	}
	attributes, err := attributevalue.UnmarshalMapJSON(text)
	if err != nil {
		return nil, fmt.Errorf("stream: %w", err)
	}
	return attribute.ToItems([]map[string]ddb.AttributeValue{attributes})[0], nil
}
