package stream

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	ddb "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/klauspost/compress/s2"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/item"
	"github.com/partita/partita/table/attribute"
)

// entry is what the replica that reads the stream publishes for the others: JSON, compressed by S2. Other versions of
// the program may read it during an update.
type entry struct {
	// Epoch is a random id of the publisher, and Number counts its entries from 0. An entry that was added twice, because
	// the publisher has not received the store's answer, has the same number.
	Epoch  string `json:"epoch"`
	Number int64  `json:"number"`
	// Stream is the ARN of the table's stream.
	Stream string `json:"stream"`
	// Position is how far the records have been published; nil in an entry with records.
	Position live.Position `json:"position,omitempty"`
	// At is the time until which all records have been published, by the clock of the publisher in milliseconds since
	// 1970, and Lag how long before the entry that was; both are 0 if that is not known.
	At  int64 `json:"at,omitempty"`
	Lag int64 `json:"lag,omitempty"`
	// Released reports that the publisher has released the lease: another replica takes it at once.
	Released bool `json:"released,omitempty"`
	// Lost reports that records before those of the next entry may be missing.
	Lost    bool           `json:"lost,omitempty"`
	Records []storedRecord `json:"records,omitempty"`

	// size is that of the records' items, in bytes.
	size int
}

// storedRecord is a record with items in the JSON of DynamoDB.
type storedRecord struct {
	Shard    string          `json:"shard"`
	Sequence string          `json:"sequence"`
	At       int64           `json:"at"` // in milliseconds since 1970
	Old      json.RawMessage `json:"old,omitempty"`
	New      json.RawMessage `json:"new,omitempty"`
}

func (e *entry) encode() (string, error) {
	text, err := json.Marshal(e)
	return string(s2.Encode(nil, text)), err
}

func decodeEntry(encoded string) (*entry, error) {
	text, err := s2.Decode(nil, []byte(encoded))
	if err != nil {
		return nil, fmt.Errorf("stream: an entry of the shared store: %w", err)
	}
	e := &entry{}
	return e, json.Unmarshal(text, e)
}

func (r *record) encode() (storedRecord, error) {
	s := storedRecord{Shard: r.shard, Sequence: r.sequence, At: r.at.UnixMilli()}
	var err error
	if s.Old, err = encodeImage(r.old); err != nil {
		return s, err
	}
	s.New, err = encodeImage(r.new)
	return s, err
}

func (s *storedRecord) decode() (*record, error) {
	r := &record{shard: s.Shard, sequence: s.Sequence, at: time.UnixMilli(s.At)}
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
