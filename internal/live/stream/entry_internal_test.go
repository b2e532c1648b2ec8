package stream

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/wire"
)

// TestEntries: what a replica publishes is read by another one as it was, values of all kinds, and not by itself.
func TestEntries(t *testing.T) {
	const text = `{"PK":{"S":"a"},"S":{"S":"<&>\"\\\u2028é\u0000"},"N":{"N":"1e-7"},"B":{"B":"AP8="},"T":{"BOOL":true},` +
		`"F":{"BOOL":false},"0":{"NULL":true},"M":{"M":{"l":{"L":[{"M":{}},{"N":"2"}]}}},"L":{"L":[]},` +
		`"SS":{"SS":["a","b"]},"NS":{"NS":["1","2.50"]},"BS":{"BS":["/w=="]}}`
	it, err := wire.ParseItem(text)
	fatal.If(t, err)
	records := []*record{
		{shard: "s", sequence: "1", at: time.UnixMilli(1234), new: it},
		{shard: "s", sequence: "2", at: time.UnixMilli(5678), old: it[:1], new: it},
		{shard: "s", sequence: "3", at: time.UnixMilli(9012), old: it},
	}
	const id = "00000000-0000-4000-8000-000000000000"
	sent := &entry{from: id, Stream: "arn", Parts: []part{{Shard: "s"}}}
	for _, r := range records {
		sent.Parts[0].Records = append(sent.Parts[0].Records, r.encode())
	}
	encoded, err := sent.encode()
	fatal.If(t, err)
	if own, err := decodeEntry(encoded, id); own != nil || err != nil {
		t.Errorf("its own entry is %v, %v", own, err)
	}
	received, err := decodeEntry(encoded, "another one")
	fatal.If(t, err)
	if received.from != id || len(received.Parts) != 1 {
		t.Fatalf("it receives %+v", received)
	}
	for i := range received.Parts[0].Records {
		got, err := received.Parts[0].Records[i].decode("s")
		fatal.If(t, err)
		if diff := cmp.Diff(records[i], got, cmp.AllowUnexported(record{})); diff != "" {
			t.Error(diff)
		}
	}
	for _, damaged := range []string{"", id, id + "x"} {
		if e, err := decodeEntry(damaged, "another one"); err == nil {
			t.Errorf("%q is the entry %+v", damaged, e)
		}
	}
	for _, lengths := range [][2]int{
		{len(text), len(text)}, {-1, 1}, {1, -1}, {len(text) + 1, 0}, {math.MaxInt, math.MaxInt},
	} {
		one := storedRecord{Old: lengths[0], New: lengths[1]}
		if rest, err := one.cut(text); err == nil {
			t.Errorf("lengths %v: the rest is %q", lengths, rest)
		}
	}
	damaged := storedRecord{new: `{"PK":{"S":"a"}} {}`}
	if r, err := damaged.decode("s"); err == nil {
		t.Errorf("it is the record %+v", r)
	}
}
