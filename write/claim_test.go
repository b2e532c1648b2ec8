package write_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

var titles = write.Claims{
	Type: "TitleClaim", Key: keys.MustTemplate("TITLE#{title}"), Holder: "Note", Attribute: "noteId",
}

func titleKey(title string) keys.Key {
	return must(titles.KeyFor(keys.Values{{Name: "title", Value: keys.StringValue(title)}}))
}

func TestClaims(t *testing.T) {
	t.Parallel()
	ctx, _ := start(t)
	a, b := noteID("a"), noteID("b")
	claim := func(old keys.Key, title string, holder keys.ID) *write.Failure {
		t.Helper()
		var tx write.Transaction
		tx.Add("title", write.MoveClaim(old, titles.Item(titleKey(title), holder))...)
		if len(tx.Actions) == 0 {
			return nil
		}
		failed, err := tx.Commit(ctx, "title")
		if err != nil {
			t.Fatal(err)
		}
		return failed
	}
	if claim(keys.Key{}, "first", a).Part("title") {
		t.Error("a free title is taken")
	}
	failed := claim(keys.Key{}, "first", b)
	if !failed.Part("title") || titles.HolderOf(failed.Item("title")) != a {
		t.Errorf("a title was given twice; its claim is %v", failed.Item("title"))
	}
	if claim(titleKey("first"), "first", a) != nil || claim(titleKey("first"), "second", a) != nil {
		t.Error("its holder cannot keep or move a claim")
	}
	if claim(keys.Key{}, "first", b) != nil {
		t.Error("a title that was given up is taken")
	}
	if _, err := titles.KeyFor(keys.Values{{Name: "title", Value: keys.StringValue("a#b")}}); err == nil {
		t.Error("a delimiter is allowed in a key")
	}
}

var attempts = write.Once{
	Claims: write.Claims{
		Type: "NoteOnce", Key: keys.MustTemplate("ONCE#{key}"), Holder: "Note", Attribute: "noteId",
	},
	Lifetime: time.Hour,
}

// attempt creates a note once for each idempotency key, on a list that must exist.
func attempt(ctx context.Context, key string, n *note) (keys.ID, *write.Failure, error) {
	at, err := attempts.KeyFor(keys.Values{{Name: "key", Value: keys.StringValue(key)}})
	if err != nil {
		return "", nil, err
	}
	digest, err := write.Digest(n.text)
	if err != nil {
		return "", nil, err
	}
	items, err := storedNote(n)
	if err != nil {
		return "", nil, err
	}
	var tx write.Transaction
	tx.Add("list", write.CheckItem(keys.Key{PK: keys.PK(n.list), SK: "LIST"}, write.IfExists()))
	tx.Add("note", write.Create(notes, items)...)
	a := write.Attempt{Key: at, Created: n.id, Digest: digest}
	return attempts.Commit(ctx, a, tx, "list")
}

func list(name string) item.Item {
	return item.Item{
		{Name: keys.AttributePK, Value: item.StringValue(name)},
		{Name: keys.AttributeSK, Value: item.StringValue("LIST")},
	}
}

func TestOnce(t *testing.T) {
	t.Parallel()
	ctx, e := start(t)
	e.Load(t, list("l"))
	earlier, failed, err := attempt(ctx, "k", &note{id: noteID("a"), list: "none", text: "x"})
	if !failed.Part("list") || earlier != "" || err != nil {
		t.Errorf("on a list that does not exist: %v, %v, %v", earlier, failed, err)
	}
	earlier, failed, err = attempt(ctx, "k", &note{id: noteID("b"), list: "l", text: "x"})
	if earlier != "" || failed != nil || err != nil {
		t.Errorf("the first: %v, %v, %v", earlier, failed, err)
	}
	earlier, failed, err = attempt(ctx, "k", &note{id: noteID("c"), list: "l", text: "x"})
	if earlier != noteID("b") || failed != nil || err != nil {
		t.Errorf("the same again: %v, %v, %v", earlier, failed, err)
	}
	if _, _, err := attempt(ctx, "k", &note{id: noteID("d"), list: "l", text: "y"}); !errors.Is(err, write.ErrKeyReused) {
		t.Errorf("another input: %v", err)
	}
	for _, id := range []string{"a", "c", "d"} {
		if n, err := write.Read(ctx, must(noteKey(noteID(id))), newNote); n != nil || err != nil {
			t.Errorf("%s is %v, %v", id, n, err)
		}
	}
	claim, err := write.ReadItem(ctx, keys.Key{PK: "ONCE#k", SK: "ONCE#k"})
	if err != nil || claim.Text(keys.AttributeExpiry) != "1003600" || claim.Type() != "NoteOnce" {
		t.Errorf("the claim is %v, %v; it should expire an hour later", claim, err)
	}
}

// TestOnceExpiresByTheAttributeOfTheTable: a table deletes items by one attribute, which may have another name.
func TestOnceExpiresByTheAttributeOfTheTable(t *testing.T) {
	o := write.Once{Claims: write.Claims{Type: "NoteOnce", Attribute: "noteId"}, Lifetime: time.Hour, Expires: "ttl"}
	claim := o.Item(keys.Key{PK: "ONCE#k", SK: "ONCE#k"}, noteID("a"), "", time.Unix(1_000_000, 0))
	if claim.Text("ttl") != "1003600" || claim.Text(keys.AttributeExpiry) != "" {
		t.Errorf("the claim is %v; it should expire an hour later by ttl", claim)
	}
}

func TestOnceAtTheSameTime(t *testing.T) {
	t.Parallel()
	ctx, e := start(t)
	e.Load(t, list("l"))
	const parallel = 8
	var first atomic.Int64
	created := make(chan keys.ID, parallel)
	var group errgroup.Group
	for i := range parallel {
		group.Go(func() error {
			id := noteID(string(rune('a' + i)))
			earlier, failed, err := attempt(ctx, "k", &note{id: id, list: "l", text: "x"})
			switch {
			case err != nil:
				return err
			case failed != nil:
				return errors.New("the list was missing")
			case earlier == "":
				first.Add(1)
				earlier = id
			}
			created <- earlier
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	close(created)
	seen := map[keys.ID]bool{}
	for id := range created {
		seen[id] = true
	}
	if first.Load() != 1 || len(seen) != 1 {
		t.Errorf("%d attempts were first, and the objects are %v", first.Load(), seen)
	}
}

// script is a store with given outcomes of writes and reads.
type script struct {
	writes     []error
	tokens     []string
	item       item.Item
	err        error
	isRepeated bool
}

func (s *script) ReadItem(context.Context, keys.Key) (item.Item, error) { return s.item, s.err }

func (s *script) IsRepeated(keys.Key) bool { return s.isRepeated }

func (s *script) ReadRange(context.Context, write.Range) ([]item.Item, keys.Position, error) {
	return nil, keys.Position{}, s.err
}

func (s *script) Now() time.Time { return now }

func (s *script) Write(_ context.Context, t write.Transaction) (item.Item, error) {
	err := s.writes[len(s.tokens)]
	s.tokens = append(s.tokens, t.Token)
	return nil, err
}

// forgetful is a store whose answer to a transaction is lost, and which sends the transaction again with a new token.
type forgetful struct{ store }

func (s forgetful) Write(ctx context.Context, t write.Transaction) (item.Item, error) {
	if it, err := s.store.Write(ctx, t); err != nil {
		return it, err
	}
	t.Token = ""
	return s.store.Write(ctx, t)
}

// TestOnceAnswerLost: the attempt that is sent again finds its own claim and its own note.
func TestOnceAnswerLost(t *testing.T) {
	t.Parallel()
	ctx, e := start(t)
	e.Load(t, list("l"))
	lost := write.NewContext(ctx, forgetful{store{e.Table}})
	earlier, failed, err := attempt(lost, "k", &note{id: noteID("a"), list: "l", text: "x"})
	if earlier != noteID("a") || failed != nil || err != nil {
		t.Errorf("got %v, %v, %v", earlier, failed, err)
	}
}

// TestOnceTokenReused: another attempt has sent a transaction with the same token.
func TestOnceTokenReused(t *testing.T) {
	t.Parallel()
	n := &note{id: noteID("n"), list: "l", text: "x"}
	broken := errors.New("broken")
	claim := attempts.Item(keys.Key{PK: "ONCE#k", SK: "ONCE#k"}, noteID("earlier"), must(write.Digest("x")), time.Time{})
	for name, tt := range map[string]struct {
		store   script
		earlier keys.ID
		err     error
		writes  int
	}{
		"it has succeeded":     {script{writes: []error{write.ErrTokenReused}, item: claim}, noteID("earlier"), nil, 1},
		"it has failed":        {script{writes: []error{write.ErrTokenReused, nil}}, "", nil, 2},
		"nobody knows":         {script{writes: []error{write.ErrTokenReused}, err: broken}, "", broken, 1},
		"the second try fails": {script{writes: []error{write.ErrTokenReused, broken}}, "", broken, 2},
		"the first try fails":  {script{writes: []error{broken}}, "", broken, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := &tt.store
			earlier, failed, err := attempt(write.NewContext(t.Context(), s), "k", n)
			if earlier != tt.earlier || failed != nil || !errors.Is(err, tt.err) {
				t.Errorf("got %v, %v, %v", earlier, failed, err)
			}
			if len(s.tokens) != tt.writes || s.tokens[0] == "" || tt.writes == 2 && s.tokens[1] != "" {
				t.Errorf("the tokens are %q", s.tokens)
			}
		})
	}
}

// TestOnceReadsTheClaimOfARepetition: an attempt with a key that the store has seen sends no transaction.
func TestOnceReadsTheClaimOfARepetition(t *testing.T) {
	t.Parallel()
	claim := attempts.Item(keys.Key{PK: "ONCE#k", SK: "ONCE#k"}, noteID("earlier"), must(write.Digest("x")), now)
	s := &script{isRepeated: true, item: claim, writes: []error{errors.New("a transaction was sent")}}
	n := &note{id: noteID("n"), list: "l", text: "x"}
	earlier, failed, err := attempt(write.NewContext(t.Context(), s), "k", n)
	if earlier != noteID("earlier") || failed != nil || err != nil || len(s.tokens) > 0 {
		t.Errorf("got %v, %v, %v after %d transactions", earlier, failed, err, len(s.tokens))
	}
}

// TestOnceHasSucceeded: a claim of this attempt itself shows that it was carried out, although the list, which is
// handled, is gone since; also if the answer is in doubt, and after a token that was reused.
func TestOnceHasSucceeded(t *testing.T) {
	t.Parallel()
	n := &note{id: noteID("n"), list: "l", text: "x"}
	claim := attempts.Item(keys.Key{PK: "ONCE#k", SK: "ONCE#k"}, n.id, must(write.Digest("x")), now)
	for _, inDoubt := range []bool{false, true} {
		conditions := &write.ConditionError{InDoubt: inDoubt, Failed: []write.FailedCondition{
			{Action: 0}, {Action: 1 + len(must(storedNote(n))), Item: claim},
		}}
		for _, writes := range [][]error{{conditions}, {write.ErrTokenReused, conditions}} {
			s := &script{writes: writes}
			earlier, failed, err := attempt(write.NewContext(t.Context(), s), "k", n)
			if earlier != n.id || failed != nil || err != nil {
				t.Errorf("in doubt %v, %d writes: got %v, %v, %v", inDoubt, len(writes), earlier, failed, err)
			}
		}
	}
}

// TestOnceTakesTheEarlierObject: what else has failed makes no difference for an attempt that was carried out before.
func TestOnceTakesTheEarlierObject(t *testing.T) {
	t.Parallel()
	claim := attempts.Item(keys.Key{PK: "ONCE#k", SK: "ONCE#k"}, noteID("earlier"), must(write.Digest("x")), now)
	n := &note{id: noteID("n"), list: "l", text: "x"}
	s := &script{writes: []error{&write.ConditionError{Failed: []write.FailedCondition{
		{Action: 0}, {Action: 1 + len(must(storedNote(n))), Item: claim},
	}}}}
	earlier, failed, err := attempt(write.NewContext(t.Context(), s), "k", n)
	if earlier != noteID("earlier") || failed != nil || err != nil {
		t.Errorf("got %v, %v, %v", earlier, failed, err)
	}
}

func TestDigest(t *testing.T) {
	t.Parallel()
	// Claims with this digest are stored.
	const want = "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"
	if got := must(write.Digest(map[string]int{"a": 1})); got != want {
		t.Errorf("the digest is %s, want %s", got, want)
	}
	if _, err := write.Digest(func() {}); err == nil {
		t.Error("a function has a digest")
	}
}
