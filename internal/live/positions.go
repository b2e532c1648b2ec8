package live

import (
	"encoding/binary"
	"maps"
	"math/big"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/partita/partita/keys"
)

// scope of the tokens that positions are.
var scope = []string{"live"}

// positions makes and reads the texts of a hub's positions.
type positions struct {
	cursors *keys.Cursors
	// made is the one that was made last.
	made atomic.Pointer[made]
}

// made is a position that was made for an event.
type made struct {
	tenant string
	number uint64
	vector *vector
	logged int
	read   time.Time
	isOpen bool
	text   string
}

// after returns the position after an event of a feed whose first state was read at a time, if the state may have
// changes that follow. Many feeds have the events of one change, and ask for the same one.
func (t *positions) after(tenant string, q *queued, read time.Time) string {
	if q.resumed != nil {
		return t.newText(tenant, q, read)
	}
	if !q.after.current.Before(read.Add(settled)) {
		read = time.Time{}
	}
	want := made{
		tenant: tenant, number: q.number, vector: q.after.vector, logged: len(q.after.log), read: read, isOpen: q.isOpen,
	}
	if last := t.made.Load(); last != nil {
		if want.text = last.text; want == *last {
			return want.text
		}
	}
	want.text = t.newText(tenant, q, read)
	t.made.Store(&want)
	return want.text
}

func (t *positions) newText(tenant string, q *queued, read time.Time) string {
	p := q.position()
	p.read, p.isOpen = time.Time{}, q.isOpen
	if !read.IsZero() && p.current.Before(read.Add(settled)) {
		p.read = read
	}
	return t.cursors.Token(tenant, scope, p.texts())
}

// position returns the position after an event.
func (q *queued) position() position {
	if q.resumed != nil {
		return q.resumed.join(q.number, q.after)
	}
	p := position{epoch: q.after.epoch, number: q.number, current: q.after.current, shards: map[string]string{}}
	for r := range q.after.latest() {
		if _, known := p.shards[r.shard]; !known && p.hasRoomFor(r) {
			p.shards[r.shard] = r.sequence
		}
	}
	return p
}

// The flags of a position.
const (
	joinedFlag = 1 << iota
	openFlag
)

// texts returns the texts of a token.
func (p *position) texts() []string {
	flags := uint64(0)
	if p.isJoined {
		flags |= joinedFlag
	}
	if p.isOpen {
		flags |= openFlag
	}
	texts := []string{p.epoch, pack(p.number), pack(flags), packTime(p.current), packTime(p.read)}
	for _, shard := range slices.Sorted(maps.Keys(p.shards)) {
		texts = append(texts, shorten(shard), shorten(p.shards[shard]))
	}
	return texts
}

// parse returns the position with a text.
func (t *positions) parse(tenant, text string) (*position, bool) {
	texts, ok := t.cursors.ParseToken(tenant, scope, text)
	if !ok || len(texts) < 5 || len(texts)%2 == 0 {
		return nil, false
	}
	p := &position{epoch: texts[0], number: unpack(texts[1]), shards: make(map[string]string, len(texts)/2)}
	flags := unpack(texts[2])
	p.isJoined, p.isOpen = flags&joinedFlag != 0, flags&openFlag != 0
	p.current, p.read = unpackTime(texts[3]), unpackTime(texts[4])
	for i := 5; i < len(texts); i += 2 {
		p.shards[lengthen(texts[i])] = lengthen(texts[i+1])
	}
	return p, true
}

func pack(n uint64) string { return string(binary.AppendUvarint(nil, n)) }

func unpack(text string) uint64 {
	n, _ := binary.Uvarint([]byte(text))
	return n
}

// packTime returns "" for the zero time.
func packTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return pack(uint64(t.UnixMilli()))
}

func unpackTime(text string) time.Time {
	if text == "" {
		return time.Time{}
	}
	return time.UnixMilli(int64(unpack(text)))
}

// shorten returns a text with its longest digits packed: two to five of them for each byte less. Shards and sequence
// numbers of DynamoDB consist of little else.
func shorten(text string) string {
	from, to := longestDigits(text)
	digits := text[from:to]
	n, ok := new(big.Int).SetString(digits, 10)
	if !ok || len(digits) > 255 || from > 255 {
		return "\x00" + text
	}
	packed := n.Bytes()
	return string([]byte{byte(len(digits)), byte(from), byte(len(packed))}) + text[:from] + string(packed) + text[to:]
}

// lengthen is the inverse of shorten, "" for any other text.
func lengthen(short string) string {
	if strings.HasPrefix(short, "\x00") {
		return short[1:]
	}
	if len(short) < 3 || len(short) < 3+int(short[1])+int(short[2]) {
		return ""
	}
	width, from := int(short[0]), 3+int(short[1])
	to := from + int(short[2])
	digits := new(big.Int).SetBytes([]byte(short[from:to])).String()
	if digits == "0" {
		digits = ""
	}
	return short[3:from] + strings.Repeat("0", max(0, width-len(digits))) + digits + short[to:]
}

func longestDigits(text string) (from, to int) {
	for i := 0; i < len(text); i++ {
		start := i
		for i < len(text) && '0' <= text[i] && text[i] <= '9' {
			i++
		}
		if i-start > to-from {
			from, to = start, i
		}
	}
	return from, to
}
