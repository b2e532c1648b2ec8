package write_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"
	"pgregory.net/rapid"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// edition is an object whose copy holds the one with the highest rank of its book.
type edition struct {
	book   string
	number int
	rank   int
	text   string
}

// shelf has editions.
var shelf = design.MustDesign(nil, []*design.Type{{
	Name: "Edition", Identity: []string{"book", "number"}, MaxBytes: 400,
	Attributes: []design.Attribute{
		{Name: "book", Kind: keys.String, NonNull: true}, {Name: "number", Kind: keys.Int, NonNull: true},
		{Name: "rank", Kind: keys.Int, NonNull: true}, {Name: "text", Kind: keys.String},
	},
	Item:   shape("BOOK#{book}", "e{number:04}"),
	Copies: []design.Copy{{Shape: shape("BOOK#{book}", "LATEST"), Latest: "rank"}},
}}, nil)

func (e edition) stored() []item.Item {
	return must(write.Items(shelf.Type("Edition"), item.Item{
		text("book", e.book), {Name: "number", Value: item.NumberValue(e.number)},
		{Name: "rank", Value: item.NumberValue(e.rank)}, text("text", e.text),
	}))
}

func (e edition) key() keys.Key { return keys.KeyOf(e.stored()[0]) }

func latestKey(book string) keys.Key { return keys.Key{PK: keys.PK("BOOK#" + book), SK: "LATEST"} }

// checkLatest fails if the copy of a book is not what it should be: one of the editions with the highest rank, or a
// tombstone that is replaced by no lower one. It is missing if there are no editions.
func checkLatest(t *rapid.T, m memory, editions map[keys.Key]edition) {
	for _, book := range []string{"a", "b"} {
		highest := -1
		for _, e := range editions {
			if e.book == book {
				highest = max(highest, e.rank)
			}
		}
		have, stored := m[latestKey(book)]
		_, deleted := have[keys.AttributeDeletedAt]
		switch {
		case !stored && highest < 0:
		case deleted:
			if have["rank"] < fmt.Sprint(highest) {
				t.Fatalf("the tombstone of %s has rank %s, but there is one with %d", book, have["rank"], highest)
			}
		default:
			isIt := func(e edition) bool { return cmp.Equal(attributesOf(e.stored()[1]), have) && e.rank == highest }
			if !stored || !slices.ContainsFunc(slices.Collect(maps.Values(editions)), isIt) {
				t.Fatalf("the latest of %s is %v, but its highest rank is %d", book, have, highest)
			}
		}
	}
}

// TestLatest: whatever is created, changed and deleted, the copy is right.
func TestLatest(t *testing.T) {
	draw := func(t *rapid.T, label string) edition {
		return edition{
			rapid.SampledFrom([]string{"a", "b"}).Draw(t, label+" book"), rapid.IntRange(1, 3).Draw(t, label+" number"),
			rapid.IntRange(0, 4).Draw(t, label+" rank"), rapid.SampledFrom([]string{"x", "y"}).Draw(t, label+" text"),
		}
	}
	seen := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		m, editions := memory{}, map[keys.Key]edition{}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			e := draw(t, "edition")
			old, exists := editions[e.key()]
			switch {
			case !exists:
				if !m.transact(t, write.Create(shelf, e.stored())) {
					t.Fatalf("%v was not created in %v", e, m)
				}
				editions[e.key()] = e
			case rapid.Bool().Draw(t, "delete"):
				if !m.transact(t, write.Delete(shelf, old.stored())) {
					t.Fatalf("%v was not deleted in %v", old, m)
				}
				delete(editions, e.key())
			default:
				if !m.transact(t, must(write.Update(shelf, old.stored(), e.stored()))) {
					t.Fatalf("%v was not changed to %v in %v", old, e, m)
				}
				editions[e.key()] = e
			}
			checkLatest(t, m, editions)
			_, deleted := m[latestKey("a")][keys.AttributeDeletedAt]
			seen[fmt.Sprint(deleted)] = true
		}
	})
	if len(seen) != 2 {
		t.Errorf("only %v", seen)
	}
}

// TestLatestMoves: a change of an attribute in the key of the copy moves the object to another one.
func TestLatestMoves(t *testing.T) {
	d := design.MustDesign(nil, []*design.Type{{
		Name: "Task", Identity: []string{"id"}, MaxBytes: 400,
		Attributes: []design.Attribute{
			{Name: "id", Kind: keys.String, NonNull: true}, {Name: "list", Kind: keys.String, NonNull: true},
			{Name: "at", Kind: keys.Int, NonNull: true},
		},
		Item:   shape("TASK#{id}", "TASK#{id}"),
		Copies: []design.Copy{{Shape: shape("LIST#{list}", "LATEST"), Latest: "at"}},
	}}, nil)
	stored := func(id, list string, at int) []item.Item {
		return must(write.Items(d.Type("Task"), item.Item{
			text("id", id), text("list", list), {Name: "at", Value: item.NumberValue(at)},
		}))
	}
	m := memory{}
	for _, actions := range [][]write.Action{
		write.Create(d, stored("1", "a", 1)), write.Create(d, stored("2", "b", 2)), write.Create(d, stored("3", "b", 3)),
		must(write.Update(d, stored("1", "a", 1), stored("1", "b", 1))),
		must(write.Update(d, stored("3", "b", 3), stored("3", "a", 3))),
	} {
		if !m.transact(t, actions) {
			t.Fatalf("not carried out: %v", actions)
		}
	}
	a, b := m[keys.Key{PK: "LIST#a", SK: "LATEST"}], m[keys.Key{PK: "LIST#b", SK: "LATEST"}]
	if a["id"] != "3" || b["id"] != "" || b["at"] != "3" || b[keys.AttributeDeletedAt] == "" {
		t.Errorf("the copies are %v and %v", a, b)
	}
}

// TestLatestInTheTable carries out transactions in a real table: those of each case, by their requests.
func TestLatestInTheTable(t *testing.T) {
	ctx, e := start(t)
	first, second, third := edition{"a", 1, 9, "x"}, edition{"a", 2, 10, "x"}, edition{"a", 3, 11, "x"}
	changed, lower := second, third
	changed.text, lower.rank = "y", 1
	for _, step := range []struct {
		name     string
		actions  []write.Action
		want     string // the number and the text of the latest edition, "" if it reads as missing
		requests int
	}{
		{"the first", write.Create(shelf, second.stored()), "2 x", 1},
		{"an older one", write.Create(shelf, first.stored()), "2 x", 2},
		{"a change of the latest", must(write.Update(shelf, second.stored(), changed.stored())), "2 y", 1},
		{"a change of another", must(write.Update(shelf, first.stored(), edition{"a", 1, 9, "z"}.stored())), "2 y", 2},
		{"a newer one", write.Create(shelf, third.stored()), "3 x", 1},
		{"a deletion of another", write.Delete(shelf, changed.stored()), "3 x", 2},
		{"the latest becomes lower", must(write.Update(shelf, third.stored(), lower.stored())), "", 1},
		{"one below the former latest", write.Create(shelf, second.stored()), "", 2},
		{"one like the former latest", write.Create(shelf, edition{"a", 4, 11, "x"}.stored()), "4 x", 1},
		{"a deletion of the latest", write.Delete(shelf, edition{"a", 4, 11, "x"}.stored()), "", 1},
		{"a deletion after it", write.Delete(shelf, second.stored()), "", 2},
		{"a higher one", write.Create(shelf, edition{"a", 5, 12, "x"}.stored()), "5 x", 1},
	} {
		e.Proxy.Reset()
		var tx write.Transaction
		tx.Add("edition", step.actions...)
		if failed, err := tx.Commit(ctx, "edition"); err != nil || failed != nil {
			t.Fatalf("%s: %v, %v", step.name, failed, err)
		}
		if n := len(e.Proxy.Log()); n != step.requests {
			t.Errorf("%s: %d requests, want %d", step.name, n, step.requests)
		}
		got := ""
		if it := must(write.ReadItem(ctx, latestKey("a"))); it != nil {
			number, _ := it.Get("number")
			got = number.Text + " " + it.Text("text")
		}
		if got != step.want {
			t.Errorf("%s: the latest is %q, want %q", step.name, got, step.want)
		}
	}
}

// TestLatestFailures: an object that exists is a failure of its part, whichever edition is the latest, and a copy that
// cannot be right is an error.
func TestLatestFailures(t *testing.T) {
	ctx, e := start(t)
	newest := edition{"a", 2, 5, "x"}
	commit := func(actions ...write.Action) (*write.Failure, error) {
		var tx write.Transaction
		tx.Add("edition", actions...)
		return tx.Commit(ctx, "edition")
	}
	if failed, err := commit(write.Create(shelf, newest.stored())...); failed != nil || err != nil {
		t.Fatal(failed, err)
	}
	for name, again := range map[string]edition{"the same": newest, "an older value": {"a", 2, 1, "x"}} {
		if failed, err := commit(write.Create(shelf, again.stored())...); err != nil || !failed.Part("edition") {
			t.Errorf("%s: %v, %v", name, failed, err)
		}
	}
	e.Load(t, item.Item{text("PK", "BOOK#a"), text("SK", "LATEST"), text("entityType", "Edition")})
	_, err := commit(write.Create(shelf, edition{"a", 1, 1, "x"}.stored())...)
	if _, is := errors.AsType[*write.ConditionError](err); !is || !strings.Contains(err.Error(), "BOOK#a LATEST") {
		t.Errorf("a copy without a rank: %v", err)
	}
}

// TestLatestOfWriters: of editions that are created at the same time, the highest remains.
func TestLatestOfWriters(t *testing.T) {
	ctx, e := start(t)
	const editions = 12
	group, ctx := errgroup.WithContext(ctx)
	for n := range editions {
		group.Go(func() error {
			var tx write.Transaction
			tx.Add("edition", write.Create(shelf, edition{"a", n, n * 7 % editions, "x"}.stored())...)
			_, err := tx.Commit(ctx)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	res, err := e.Table.GetItem(context.Background(), request.GetItem{Key: latestKey("a"), Consistent: true})
	if err != nil || len(res.Items) != 1 {
		t.Fatal(res, err)
	}
	if rank, _ := res.Items[0].Get("rank"); rank.Text != fmt.Sprint(editions-1) {
		t.Errorf("the latest has rank %s", rank.Text)
	}
}
