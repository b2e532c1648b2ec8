package stream

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/klauspost/compress/s2"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/keys"
)

// entry is what a replica publishes for the others of what it reads: its id, and then, compressed by S2, JSON on a line
// and the heads of all records one after the other. Their items are in another text of the store.
type entry struct {
	// from is the id of the replica.
	from string
	// Stream is the ARN of the table's stream.
	Stream string `json:"stream"`
	Parts  []part `json:"parts,omitempty"`
	// Items is the key of the text with the items of the records, and Scheme what the replica's keys and places depend on.
	Items  string `json:"items,omitempty"`
	Scheme string `json:"scheme,omitempty"`
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

	// items are what the text has.
	items []byte
}

// part has records of one shard without a gap.
type part struct {
	Shard string `json:"shard"`
	// After is the position before the records. Origin is that of the shard if the position is present.
	After  string `json:"after"`
	Origin string `json:"origin,omitempty"`
	// Lost reports that records between the position and these may be missing.
	Lost bool `json:"lost,omitempty"`
	// Records is how many there are.
	Records int `json:"records,omitempty"`
	// Ended reports whether the shard has no records after these, and never will.
	Ended bool `json:"ended,omitempty"`

	heads []head
}

// latest is where a shard is read of which no record has been read yet.
type latest struct {
	// Origin is another one for each time that somebody began behind the newest record.
	Origin string `json:"origin"`
	// Iterator is behind all that has been read since, for as long as DynamoDB accepts it; "" before it is known.
	Iterator string `json:"iterator,omitempty"`
	// first is the first record since, if it is known to be there, but could not be passed.
	first string
}

// head is a record without its items.
type head struct {
	sequence string
	at       int64 // in milliseconds since 1970
	// tenant, key and places are those of the change; there are none for an item that belongs to no type.
	tenant string
	key    keys.Key
	places []live.Place
	// bytes is the length of the items in the text, compressed by S2, and old how many of the bytes then are the old
	// one's.
	bytes, old int
}

func (e *entry) encode() (string, error) {
	for i := range e.Parts {
		e.Parts[i].Records = len(e.Parts[i].heads)
	}
	text, err := json.Marshal(e)
	text = append(text, '\n')
	for i := range e.Parts {
		for j := range e.Parts[i].heads {
			text = e.Parts[i].heads[j].append(text)
		}
	}
	return e.from + string(s2.Encode(nil, text)), err
}

func (h *head) append(b []byte) []byte {
	for _, text := range []string{h.sequence, h.tenant, string(h.key.PK), string(h.key.SK)} {
		b = append(binary.AppendUvarint(b, uint64(len(text))), text...)
	}
	for _, n := range []int{int(h.at), h.bytes, h.old, len(h.places)} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for _, p := range h.places {
		b = binary.BigEndian.AppendUint64(b, uint64(p))
	}
	return b
}

// idBytes is the length of a replica's id.
const idBytes = 36

var errEntry = errors.New("stream: an entry of the shared store is damaged")

// decodeEntry returns nil for an entry of the replica with the id itself.
func decodeEntry(encoded, id string) (*entry, error) {
	if strings.HasPrefix(encoded, id) {
		return nil, nil
	}
	from := min(len(encoded), idBytes)
	text, err := s2.Decode(nil, []byte(encoded[from:]))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errEntry, err)
	}
	line, heads, _ := strings.Cut(string(text), "\n")
	e := &entry{from: encoded[:from]}
	if err := json.Unmarshal([]byte(line), e); err != nil {
		return nil, fmt.Errorf("%w: %w", errEntry, err)
	}
	d := decoder{text: heads}
	for i := range e.Parts {
		if n := e.Parts[i].Records; n < 0 || n > len(heads) {
			return nil, errEntry
		}
		e.Parts[i].heads = make([]head, e.Parts[i].Records)
		for j := range e.Parts[i].heads {
			d.head(&e.Parts[i].heads[j])
		}
	}
	if d.isDamaged || d.text != "" {
		return nil, errEntry
	}
	return e, nil
}

// decoder reads heads from the beginning of a text.
type decoder struct {
	text string
	// places has room for some.
	places    []live.Place
	isDamaged bool
}

func (d *decoder) head(h *head) {
	h.sequence, h.tenant = d.string(), d.string()
	h.key = keys.Key{PK: keys.PK(d.string()), SK: keys.SK(d.string())}
	h.at = int64(d.number())
	h.bytes, h.old = d.number(), d.number()
	n := d.number()
	if n > len(d.text)/8 {
		d.isDamaged = true
		return
	}
	if n > cap(d.places)-len(d.places) {
		d.places = make([]live.Place, 0, max(n, 256))
	}
	first := len(d.places)
	for i := range n {
		d.places = append(d.places, live.Place(binary.BigEndian.Uint64([]byte(d.text[8*i:8*i+8]))))
	}
	h.places, d.text = d.places[first:len(d.places):len(d.places)], d.text[8*n:]
}

func (d *decoder) string() string {
	n := d.number()
	if n > len(d.text) {
		d.isDamaged, n = true, len(d.text)
	}
	text := d.text[:n]
	d.text = d.text[n:]
	return text
}

// number returns a number that is not negative.
func (d *decoder) number() int {
	n, shift := uint64(0), 0
	for i := range min(len(d.text), binary.MaxVarintLen64) {
		b := d.text[i]
		if n, shift = n|uint64(b&0x7f)<<shift, shift+7; b < 0x80 && int(n) >= 0 {
			d.text = d.text[i+1:]
			return int(n)
		}
	}
	d.isDamaged = true
	return 0
}

// records returns the records after a position, with changes whose items are in a text. Those of the part begin there
// at a byte.
func (p *part) records(after, text string, from int) []*record {
	type published struct {
		record
		live.Change
		live.Away
	}
	all, records := make([]published, len(p.heads)), make([]*record, 0, len(p.heads))
	for i := range p.heads {
		h, of := &p.heads[i], &all[i]
		at := time.UnixMilli(h.at)
		of.record = record{shard: p.Shard, sequence: h.sequence, at: at, isReserved: h.key.PK == ""}
		if !of.isReserved {
			of.change, of.Change.Away = &of.Change, &of.Away
			of.Key, of.Tenant, of.At, of.Shard, of.Sequence = h.key, h.tenant, at, p.Shard, h.sequence
			of.Away = live.Away{Text: text, From: from, Bytes: h.bytes, Old: h.old, Places: h.places}
		}
		if live.CompareSequences(h.sequence, after) > 0 {
			records = append(records, &of.record)
		}
		from += h.bytes
	}
	return records
}

func last[T any](all []T) T { return all[len(all)-1] }
