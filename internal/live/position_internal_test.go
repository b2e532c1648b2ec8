package live

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// TestPositionsAreWhole: a position has the same shards after it was encrypted.
func TestPositionsAreWhole(t *testing.T) {
	texts := positions{cursors: keys.NewCursors([]byte("secret"))}
	text := rapid.OneOf(rapid.StringMatching(`shardId-0{0,5}[0-9]{0,20}-[0-9a-f]{8}`), rapid.StringMatching(`[0-9]{1,40}`),
		rapid.StringMatching(`[0-9]{250,260}`), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		want := position{
			epoch: "epoch", number: rapid.Uint64().Draw(t, "number"),
			current: time.UnixMilli(rapid.Int64Range(1, 1<<50).Draw(t, "ms")),
			shards:  rapid.MapOf(text, text).Draw(t, "shards"),
		}
		sealed := texts.cursors.Token("tenant", scope, want.texts())
		got, ok := texts.parse("tenant", sealed)
		if !ok || got.epoch != want.epoch || got.number != want.number || !got.current.Equal(want.current) ||
			!maps.Equal(got.shards, want.shards) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
		if _, ok := texts.parse("other", sealed); ok {
			t.Fatal("it is valid for another tenant")
		}
	})
}

// TestPositionsAreShort: so that clients can pass them in headers, also for a table with many shards.
func TestPositionsAreShort(t *testing.T) {
	p := position{epoch: strings.Repeat("e", 26), number: 1 << 40, current: time.Now(), shards: map[string]string{
		"shardId-00000001576345689104-3a4d9b70": "300000000000000499659",
		"shardId-00000001576345689105-1b2c3d4e": "300000000000000499660",
		"shardId-00000001576345689106-5e6f7a8b": "300000000000000499661",
		"shardId-00000001576345689107-9c0d1e2f": "300000000000000499662",
	}}
	if n := len(keys.NewCursors(nil).Token("", scope, p.texts())); n > 340 {
		t.Errorf("a position of four shards has %d characters", n)
	}
}

// TestQuietShards: positions have those shards that had the last changes, and all that had one in the last minute. A
// hub has none without one for as long as the stream has it.
func TestQuietShards(t *testing.T) {
	h, at := NewHub(design.MustDesign(nil, nil, nil), Options{}), time.Unix(1_800_000_000, 0)
	for _, after := range []time.Duration{0, 2 * time.Minute, 26 * time.Hour} {
		h.Current(at.Add(after))
		h.Deliver([]*Change{{Shard: after.String(), Sequence: "7", At: at.Add(after)}})
	}
	h.Current(at.Add(26 * time.Hour))
	if shards := h.clock.present.sequences(); len(shards) != 1 {
		t.Errorf("the shards are %v", shards)
	}
	h.Current(at.Add(26*time.Hour + 2*time.Minute))
	h.Deliver([]*Change{{Shard: "last", Sequence: "7", At: at.Add(26*time.Hour + 2*time.Minute)}})
	h.wantShards(t, "26h0m0s", "last")

	at = at.Add(27 * time.Hour)
	var latest []string
	for i := range 20 {
		shard := fmt.Sprint("shard ", 10+i)
		if h.Deliver([]*Change{{Shard: shard, Sequence: "7", At: at.Add(time.Duration(i) * time.Minute)}}); i > 20-enough-1 {
			latest = append(latest, shard)
		}
	}
	h.Current(at.Add(21 * time.Minute))
	h.wantShards(t, latest...)
	var all []string
	for i := range 20 {
		shard := fmt.Sprint("shard ", 10+i)
		all = append(all, shard)
		h.Deliver([]*Change{{Shard: shard, Sequence: "8", At: at.Add(21 * time.Minute)}})
	}
	h.wantShards(t, all...)
}

func (h *Hub) wantShards(t *testing.T, want ...string) {
	t.Helper()
	p, ok := h.positions.parse("", h.positions.after("", &queued{after: h.clock.present}, time.Time{}))
	if got := slices.Sorted(maps.Keys(p.shards)); !ok || !slices.Equal(got, want) {
		t.Errorf("the position has %v, want %v", got, want)
	}
}
