package sweep_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/sweep"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// TestDeleteWhole: an object with what is below it within bounds is deleted by one transaction.
func TestDeleteWhole(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.fill(t, "go", 1)
	w.sent()
	w.must(t, "deleteMessage", "id", messageID("go", "0"))
	want := `GetItem CHANNEL#go MESSAGE#00000, consistent
Query PK = MESSAGE#go#00000, limit 4, consistent
TransactWriteItems Delete CHANNEL#go MESSAGE#00000, Update CHANNEL#go CHANNEL, ` +
		`Delete MESSAGE#go#00000 BY#ada, Delete REACTIONS#heart go#00000#ada, ` +
		`Delete MESSAGE#go#00000 BY#bob, Delete REACTIONS#heart go#00000#bob, ` +
		`Delete MESSAGE#go#00000 BY#cat, Delete REACTIONS#heart go#00000#cat`
	counts := w.Proxy.Counts()
	if got := w.sent(); got != want {
		t.Errorf("sent %s\nwant %s", got, want)
	}
	work := write.WorkloadOf(w.d, w.d.Mutation("deleteMessage"), nil)
	if counts.ReadUnits > work.ReadUnits || counts.WriteUnits > float64(work.Units()) || work.Units() != 2*8 {
		t.Errorf("%v and %v units, %v and %d were estimated", counts.ReadUnits, counts.WriteUnits, work.ReadUnits,
			work.Units())
	}
	want = "CHANNEL#go CHANNEL, PINS#go PIN#a, PINS#go PIN#b, TOPIC#about go TOPIC#about go"
	if got := strings.Join(w.left(t), ", "); got != want {
		t.Errorf("left are %s", got)
	}
}

// TestCreateWhileDeleting: an object that is created below one that is being deleted is deleted with it, or its
// creation fails. The same holds for one that is deleted or changed meanwhile.
func TestCreateWhileDeleting(t *testing.T) {
	t.Parallel()
	for name, others := range map[string][]any{
		"created": {"createReaction", "channel", "go", "n", 0, "by", "dan", "emoji", "star"},
		"deleted": {"deleteReaction", "id", keys.NewID("Reaction", "go", "0", "ada")},
		"moved":   {"updateReaction", "id", keys.NewID("Reaction", "go", "0", "ada"), "emoji", "star"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t)
			w.must(t, "createChannel", "name", "go")
			w.must(t, "createMessage", "channel", "go", "n", 0)
			w.must(t, "createReaction", "channel", "go", "n", 0, "by", "ada", "emoji", "heart")
			hold := w.Proxy.Hold(func(r tabletest.Request) bool {
				return strings.Contains(r.Text, "Delete CHANNEL#go MESSAGE#00000")
			})
			done := make(chan string, 1)
			go func() {
				got, err := w.try("deleteMessage", "id", messageID("go", "0"))
				done <- fmt.Sprint(got, err)
			}()
			<-hold.Arrived()
			another := &world{w.Direct(), w.d, w.ctx} // It does not wait for the writes of this process.
			another.must(t, others[0].(string), others[1:]...)
			hold.Release()
			if got := <-done; got != "<nil>" {
				t.Errorf("the deletion: %s", got)
			}
			if got := strings.Join(w.left(t), ", "); got != "CHANNEL#go CHANNEL" {
				t.Errorf("left are %s", got)
			}
			if others[0] == "createReaction" {
				if got, _ := w.try("createReaction", others[1:]...); got != "NOT_FOUND there is no Message with this id" {
					t.Errorf("a creation afterwards: %q", got)
				}
			}
		})
	}
}

// TestSoftDelete: an object with more below it reads as missing at once, and nothing can be added to it.
func TestSoftDelete(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.fill(t, "go", 2)
	w.sent()
	w.must(t, "deleteChannel", "id", channelID("go"), "version", 1)
	counts := w.Proxy.Counts()
	log := w.sent()
	const wanted = "TransactWriteItems Update CHANNEL#go CHANNEL, Delete TOPIC#about go TOPIC#about go, Put DELETED "
	if got := counts.Requests; fmt.Sprint(got) != "map[GetItem:1 TransactWriteItems:1]" || !strings.Contains(log, wanted) {
		t.Errorf("sent %s", log)
	}
	work := write.WorkloadOf(w.d, w.d.Mutation("deleteChannel"), nil)
	if counts.WriteUnits > float64(work.Units()) || counts.ReadUnits > work.ReadUnits {
		t.Errorf("%v and %v units, %v and %d were estimated", counts.ReadUnits, counts.WriteUnits, work.ReadUnits,
			work.Units())
	}
	w.wantClean(t)
	for name, in := range map[string][]any{
		"createMessage": {"channel", "go", "n", 9, "text", "x"}, // counted
		"createPin":     {"channel", "go", "title", "c"},        // checked
		"deleteChannel": {"id", channelID("go"), "version", 1},
		"updateChannel": {"id", channelID("go"), "version", 2, "topic", "x"},
	} {
		if got, err := w.try(name, in...); got != "NOT_FOUND there is no Channel with this id" || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if got, err := w.try("createChannel", "name", "go"); !strings.HasPrefix(got, "ALREADY") || err != nil {
		t.Errorf("createChannel while it is swept: %q, %v", got, err)
	}
	w.must(t, "createChannel", "name", "other", "topic", "about go") // the value is free
	w.sweep(t)
	w.must(t, "createChannel", "name", "go")
}

// TestSweep: the requests of a sweep, and what it consumes.
func TestSweep(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.fill(t, "go", 2)
	w.must(t, "deleteChannel", "id", channelID("go"), "version", 1)
	w.sent()
	totals := w.sweep(t)
	counts := w.Proxy.Counts()
	log := w.sent()
	want := map[string]int{"Channel": 1, "Message": 2, "Reaction": 6, "Pin": 2}
	if diff := cmp.Diff(want, totals.Removed); diff != "" {
		t.Error(diff)
	}
	if totals.ReadUnits != counts.ReadUnits || totals.WriteUnits != counts.WriteUnits {
		t.Errorf("the sweep reports %+v, the table %v and %v", totals, counts.ReadUnits, counts.WriteUnits)
	}
	most := 0
	for _, u := range write.SweepUnitsOf(w.d, w.d.Mutation("deleteChannel")) {
		most += want[u.Type] * u.Units
	}
	if totals.WriteUnits > float64(most) {
		t.Errorf("%v write units, at most %d were announced", totals.WriteUnits, most)
	}
	// The list, the messages, the reactions of both, the pins; the messages, the pins; the channel and the list.
	if got := fmt.Sprint(counts.Requests); got != "map[DeleteItem:2 Query:5 TransactWriteItems:2]" {
		t.Errorf("%s\n%s", got, log)
	}
	if left := w.left(t); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
}

// interrupted ends the context of a sweep after each write.
type interrupted struct {
	sweep.Source
	end context.CancelFunc
}

func (s interrupted) TransactWriteItems(ctx context.Context, w write.Transaction) (request.Result, error) {
	defer s.end()
	return s.Source.TransactWriteItems(ctx, w)
}

// TestSweepIsResumed: a sweep that is ended after each step goes on where it was, and each step leaves a clean table.
func TestSweepIsResumed(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.fill(t, "go", 40)
	w.must(t, "deleteChannel", "id", channelID("go"), "version", 1)
	runs := 0
	for err := context.Canceled; err != nil; runs++ {
		if !errors.Is(err, context.Canceled) || runs == 30 {
			t.Fatalf("run %d: %v", runs, err)
		}
		ctx, end := context.WithCancel(t.Context())
		s := w.sweeper()
		s.Source = interrupted{s.Source, end}
		_, err = s.Sweep(ctx)
		end()
		w.wantClean(t)
	}
	if left := w.left(t); len(left) > 0 || runs < 5 {
		t.Errorf("after %d runs, left are %v", runs, left)
	}
}

// TestSweepOfTree: what is below cannot be deleted by a bounded number of transactions, and in a circle.
func TestSweepOfTree(t *testing.T) {
	t.Parallel()
	w := start(t)
	for _, pair := range []string{"root loop", "loop root"} {
		id, parent, _ := strings.Cut(pair, " ")
		items, err := write.Items(w.d.Type("Folder"), item.Item{
			{Name: "id", Value: keys.IDAttribute(keys.NewID("Folder", id))},
			{Name: "parent", Value: keys.IDAttribute(keys.NewID("Folder", parent))},
		})
		if err != nil {
			t.Fatal(err)
		}
		w.Load(t, items...)
	}
	parents := []string{"root"}
	for len(parents) < 60 {
		var key keys.ID
		w.must(t, "createFolder", "parent", parents[len(parents)/3])
		for _, at := range w.left(t) {
			if id, is := strings.CutPrefix(at, "FOLDER#"); is && strings.HasSuffix(id, " FOLDER") {
				key = keys.NewID("Folder", strings.TrimSuffix(id, " FOLDER"))
			}
		}
		parents = append(parents, key.Value())
	}
	w.must(t, "deleteFolder", "id", keys.NewID("Folder", "root"))
	totals := w.sweep(t)
	if left := w.left(t); len(left) > 0 || totals.Removed["Folder"] != 2+59 {
		t.Errorf("removed %s, left are %v", totals, left)
	}
}

// TestSweepLeavesNewObject: a sweep that was delayed deletes nothing of a new object with the same id.
func TestSweepLeavesNewObject(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.fill(t, "go", 1)
	w.must(t, "deleteChannel", "id", channelID("go"), "version", 1)
	hold := w.Proxy.Hold(func(r tabletest.Request) bool { return r.Operation == "TransactWriteItems" })
	done := make(chan error, 1)
	go func() {
		_, err := w.sweeper().Sweep(t.Context())
		done <- err
	}()
	<-hold.Arrived()
	other := w.Direct()
	s := w.sweeper()
	s.Source = other.Table
	if _, err := s.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := &world{other, w.d, w.ctx}
	again.fill(t, "go", 1)
	before := again.left(t)
	hold.Release()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(before, w.left(t)); diff != "" {
		t.Error(diff)
	}
}
