package live_test

import (
	"context"
	"slices"
	"strconv"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// world is a table with its stream, gateways and clients.
type world struct {
	*rapid.T
	// items are those of the table by id, nil if they were deleted. changes are those of each shard.
	items   map[string]item.Item
	changes map[string][]*live.Change
	// written is when each change was written, and late how long it is missing from the stream then.
	written map[*live.Change]time.Time
	late    time.Duration
	options live.Options
	// isGone is set while items that gateways have left to each other cannot be fetched.
	isGone   bool
	gateways []*reader
	clients  []*client
}

// reader is a gateway, and how many changes of each shard it has read.
type reader struct {
	hub  *live.Hub
	read map[string]int
}

func newWorld(t *rapid.T) *world {
	w := &world{
		T: t, items: map[string]item.Item{}, changes: map[string][]*live.Change{},
		written: map[*live.Change]time.Time{},
		late:    rapid.SampledFrom([]time.Duration{0, time.Second}).Draw(t, "late"),
	}
	w.options = live.Options{Reader: w, Patience: time.Hour}
	w.options.HistoryBytes = rapid.SampledFrom([]int{1, 3000, 1 << 20}).Draw(t, "history")
	w.options.Queue = rapid.SampledFrom([]int{3, 100}).Draw(t, "queue")
	for range 3 {
		g := &reader{}
		w.start(g)
		w.gateways = append(w.gateways, g)
		t.Cleanup(func() { g.hub.Close() })
	}
	for range 2 {
		w.clients = append(w.clients, &client{world: w, name: strconv.Itoa(len(w.clients))})
	}
	return w
}

func (w *world) run() {
	for _, c := range w.clients {
		c.begin()
	}
	for range rapid.IntRange(1, 30).Draw(w.T, "steps") {
		w.step(false)
	}
	for _, c := range w.clients {
		c.catchUp()
		states := c.states // the next position is exact: resuming there needs no state
		c.keep(c.feed.Position())
		c.resume(c.kept[len(c.kept)-1])
		w.write()
		c.catchUp()
		if c.states > states {
			w.Fatalf("client %s needs the state again", c.name)
		}
	}
}

// settle has all gateways read everything, and some time pass.
func (w *world) settle() {
	for range 2 {
		time.Sleep(10 * time.Second)
		for _, g := range w.gateways {
			w.readAll(g)
		}
	}
}

// step is something that happens a moment later. While a client reads a state, it does nothing else.
func (w *world) step(isReading bool) {
	time.Sleep(time.Millisecond)
	g := one(w.T, "gateway", w.gateways)
	kinds := []string{"write", "write", "write", "time", "some", "some", "all", "gone"}
	if !isReading {
		kinds = append(kinds, "receive", "receive", "resume", "restart")
	}
	switch rapid.SampledFrom(kinds).Draw(w.T, "step") {
	case "write":
		w.write()
	case "time":
		ms := one(w.T, "time", []time.Duration{10, 400, 1000, 3000, 8000, 50_000})
		time.Sleep(ms * time.Millisecond)
	case "some":
		w.readSome(g)
	case "all":
		w.readAll(g)
	case "gone":
		w.isGone = !w.isGone
	case "restart":
		g.hub.Close()
		w.start(g)
	case "receive":
		c := one(w.T, "client", w.clients)
		c.receive(rapid.IntRange(1, 5).Draw(w.T, "events"))
	case "resume":
		c := one(w.T, "client", w.clients)
		c.resume(one(w.T, "position", c.kept))
	}
	synctest.Wait()
}

// one returns one of a list. The log of a failure has its number.
func one[T any](t *rapid.T, name string, list []T) T {
	return list[rapid.IntRange(0, len(list)-1).Draw(t, name)]
}

// write changes, creates or deletes an item.
func (w *world) write() {
	id := rapid.SampledFrom([]string{"1", "2", "3"}).Draw(w.T, "id")
	text := rapid.SampledFrom([]string{"", "a", "b"}).Draw(w.T, "text")
	old, next := w.items[id], item.Item(nil)
	if text != "" {
		next = note("ann", id, text, "red")
	}
	if same(old, next) {
		return
	}
	shard := shardOf(id)
	c := &live.Change{
		Key: keys.KeyOf(note("ann", id, "a", "red")), Old: old, New: next, At: time.Now().Truncate(time.Second),
		Shard: shard, Sequence: strconv.Itoa(firstSequence + len(w.written)),
	}
	w.items[id], w.written[c], w.changes[shard] = next, time.Now(), append(w.changes[shard], c)
}

// inStream returns how many changes of a shard the stream has.
func (w *world) inStream(shard string) int {
	for n, c := range w.changes[shard] {
		if time.Since(w.written[c]) < w.late {
			return n
		}
	}
	return len(w.changes[shard])
}

func (w *world) readSome(g *reader) {
	for _, shard := range rapid.Permutation(slices.Sorted(mapKeys(w.changes))).Draw(w.T, "shards") {
		w.readUntil(g, shard, rapid.IntRange(g.read[shard], w.inStream(shard)).Draw(w.T, "until"))
	}
}

func (w *world) readAll(g *reader) {
	for _, shard := range slices.Sorted(mapKeys(w.changes)) {
		w.readUntil(g, shard, w.inStream(shard))
	}
	g.hub.Current(time.Now())
}

// readUntil delivers changes, some of which another gateway has read. If their items are needed and gone, the gateway
// reads the stream itself.
func (w *world) readUntil(g *reader, shard string, n int) {
	changes := w.changes[shard][g.read[shard]:n]
	followed := slices.Clone(changes)
	for i, c := range changes {
		if rapid.Bool().Draw(w.T, "of another gateway") {
			followed[i] = awayAt(c, shard, g.read[shard]+i)
		}
	}
	for needed := g.hub.Deliver(followed); len(needed) > 0; needed = g.hub.Deliver(followed) {
		items, err := w.Fetch(live.AwayOf(needed))
		if err != nil {
			followed = changes
			continue
		}
		for i, c := range needed {
			c.Bring(items[i])
		}
	}
	g.read[shard] = n
}

var places = live.NewScheme(tableDesign.IndexNames())

// awayAt returns a change whose items are away.
func awayAt(c *live.Change, text string, from int) *live.Change {
	return &live.Change{
		Key: c.Key, Tenant: c.Tenant, At: c.At, Shard: c.Shard, Sequence: c.Sequence,
		Away: &live.Away{Text: text, From: from, Places: places.Places(c, nil)},
	}
}

// Fetch implements live.Reader.
func (w *world) Fetch(away []*live.Away) ([]live.Items, error) {
	if w.isGone {
		return nil, live.ErrGone
	}
	items := make([]live.Items, len(away))
	for i, a := range away {
		of := w.changes[a.Text][a.From]
		items[i] = live.Items{Old: of.Old, New: of.New}
	}
	return items, nil
}

// start starts a gateway, which reads the stream from the present on.
func (w *world) start(g *reader) {
	g.hub, g.read = live.NewHub(tableDesign, w.options), map[string]int{}
	for shard := range w.changes {
		g.read[shard] = w.inStream(shard)
	}
	g.hub.Current(time.Now())
}

// Read implements live.Reader.
func (*world) Read(context.Context, live.Sink) error { return nil }

// Replay implements live.Reader.
func (w *world) Replay(ctx context.Context, after, until live.Position, deliver func([]*live.Change)) error {
	for _, shard := range slices.Sorted(mapKeys(w.changes)) {
		last, isKnown := until[shard]
		for _, c := range w.changes[shard][:w.inStream(shard)] {
			if isAfter := isKnown && compare(c.Sequence, last) > 0; isAfter || compare(c.Sequence, after[shard]) <= 0 {
				continue
			}
			if deliver([]*live.Change{c}); ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return nil
}

// present returns the items of the table.
func (w *world) present() map[string]item.Item {
	present := map[string]item.Item{}
	for id, it := range w.items {
		if it != nil {
			present[id] = it
		}
	}
	return present
}
