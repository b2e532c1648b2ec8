package write_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

func TestNamedParts(t *testing.T) {
	t.Parallel()
	ctx, _ := start(t)
	a := &note{id: noteID("a"), list: "l", text: "as stored", version: 1}
	b := &note{id: noteID("b"), list: "l", version: 1}
	create(ctx, t, a)
	build := func() *write.Transaction {
		var tx write.Transaction
		tx.Add("a", write.Create(notes, must(storedNote(a)))...)
		tx.Add("b", write.Create(notes, must(storedNote(b)))...)
		tx.Add("missing", write.Count(keys.Key{PK: "NONE", SK: "NONE"}, "n", 1))
		tx.Add("nothing")
		return &tx
	}
	failed, err := build().Commit(ctx, "a", "b", "missing", "nothing")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"a": true, "b": false, "missing": true, "nothing": false} {
		if failed.Part(name) != want {
			t.Errorf("the part %q failed: %v, want %v", name, !want, want)
		}
	}
	if got := failed.Item("a").Text("text"); got != "as stored" {
		t.Errorf("the item of a has the text %q", got)
	}
	if failed.Item("b") != nil || failed.Item("missing") != nil {
		t.Error("there is an item where none is stored")
	}
	if got, err := write.Read(ctx, must(noteKey(b.id)), newNote); got != nil || err != nil {
		t.Errorf("something was written: %v, %v", got, err)
	}

	for _, handled := range [][]string{nil, {"a"}, {"missing", "b"}} {
		failed, err := build().Commit(ctx, handled...)
		if _, is := errors.AsType[*write.ConditionError](err); !is || failed != nil {
			t.Errorf("handling %q, a failure was lost: %v, %v", handled, failed, err)
		}
		if err != nil && !strings.Contains(err.Error(), `"a": NOTE#a NOTE#a; "missing": NONE NONE`) {
			t.Errorf("the error does not name the parts and their keys: %v", err)
		}
	}
	_, err = build().Commit(ctx, "a", "mising")
	if err == nil || !strings.Contains(err.Error(), `"mising", which is no part`) {
		t.Errorf("a part that does not exist is handled: %v", err)
	}
}

// A copy that fails without its base item is damage, and not what the part is about.
func TestFailedCopy(t *testing.T) {
	t.Parallel()
	ctx, e := start(t)
	n := &note{id: noteID("n"), list: "one", version: 1}
	create(ctx, t, n)
	moved := *n
	moved.list, moved.version = "two", 2
	e.Load(t, must(storedNote(&moved))[1])
	var tx write.Transaction
	tx.Add("note", must(write.UpdateOf(notes, n, &moved, storedNote, write.IfVersion(1)))...)
	_, err := tx.Commit(ctx, "note")
	if err == nil || !strings.Contains(err.Error(), `"note": LIST#two NOTE#n`) {
		t.Errorf("got %v", err)
	}

	// With the base item, it is explained.
	stale := *n
	stale.version = 7
	tx = write.Transaction{}
	tx.Add("note", must(write.UpdateOf(notes, &stale, &moved, storedNote, write.IfVersion(7)))...)
	failed, err := tx.Commit(ctx, "note")
	if err != nil || !failed.Part("note") {
		t.Errorf("got %v, %v", failed, err)
	}
}

func TestPartsInSeveralCalls(t *testing.T) {
	t.Parallel()
	ctx, _ := start(t)
	var tx write.Transaction
	tx.Add("both", write.CheckItem(keys.Key{PK: "A", SK: "A"}, write.IfMissing()))
	tx.Add("both", write.CheckItem(keys.Key{PK: "B", SK: "B"}, write.IfStored()))
	_, err := tx.Commit(ctx, "both")
	if err == nil || !strings.Contains(err.Error(), `"both": B B`) {
		t.Errorf("got %v", err)
	}
	tx.Actions = append(tx.Actions, write.CheckItem(keys.Key{PK: "C", SK: "C"}, write.IfExists()))
	if _, err = tx.Commit(ctx, "both"); err == nil || !strings.Contains(err.Error(), "no part: C C") {
		t.Errorf("got %v", err)
	}
}

func TestMisspeltPart(t *testing.T) {
	t.Parallel()
	var none *write.Failure
	if none.Part("anything") || none.Item("anything") != nil {
		t.Error("a part of what was written failed")
	}
	ctx, _ := start(t)
	var tx write.Transaction
	tx.Add("missing", write.Count(keys.Key{PK: "NONE", SK: "NONE"}, "n", 1))
	failed := must(tx.Commit(ctx, "missing"))
	defer func() {
		if cause := fmt.Sprint(recover()); !strings.Contains(cause, `"mising"`) {
			t.Errorf("got %v, want a panic that names the part", cause)
		}
	}()
	failed.Part("mising")
}

func TestVersions(t *testing.T) {
	t.Parallel()
	ctx, e := start(t)
	n := &note{id: noteID("n"), list: "l", text: "first", version: 1}
	create(ctx, t, n)
	change := func(text string) (*write.Failure, error) {
		changed := *n
		changed.text = text
		changed.version++
		actions, err := write.UpdateOf(notes, n, &changed, storedNote, write.IfVersion(n.version))
		if err != nil {
			return nil, err
		}
		var tx write.Transaction
		tx.Add("note", actions...)
		return tx.Commit(ctx, "note")
	}
	if failed, err := change("second"); failed != nil || err != nil {
		t.Fatalf("%v, %v", failed, err)
	}
	failed := must(change("another second"))
	var errs write.UserErrors
	now, err := write.Outdated(&errs, failed, "note", n.version, newNote)
	if err != nil || now.text != "second" || now.version != 2 {
		t.Errorf("the note is now %v, %v", now, err)
	}
	if list := errs.List(); len(list) != 1 || list[0].Code != write.CodeConflict || *list[0].Field != "version" ||
		!strings.Contains(list[0].Message, "version 1 was given, 2 is stored now") {
		t.Errorf("the user errors are %v", list)
	}

	base := must(storedNote(n))[0]
	e.Load(t, append(base, item.Attribute{Name: keys.AttributeDeletedAt, Value: item.StringValue("now")}))
	failed = must(change("third"))
	errs = write.UserErrors{}
	if now, err := write.Outdated(&errs, failed, "note", n.version, newNote); now != nil || err != nil || errs.Any() {
		t.Errorf("of a deleted note: %v, %v, %v", now, err, errs.List())
	}

	e.Load(t, item.Item{
		{Name: keys.AttributePK, Value: item.StringValue("NOTE#n")},
		{Name: keys.AttributeSK, Value: item.StringValue("NOTE#n")},
	})
	if failed, err = change("third"); err != nil {
		t.Fatal(err)
	}
	if _, err := write.Outdated(&errs, failed, "note", n.version, newNote); err == nil || errs.Any() {
		t.Errorf("of a damaged note: %v, %v", err, errs.List())
	}
	if _, err := change(strings.Repeat("x", 400)); err == nil {
		t.Error("a note that is too large was written")
	}
}

func TestCount(t *testing.T) {
	t.Parallel()
	ctx, _ := start(t)
	n := &note{id: noteID("n"), list: "l", version: 1}
	create(ctx, t, n)
	key := must(noteKey(n.id))
	for _, by := range []int{3, -1} {
		var tx write.Transaction
		tx.Add("note", write.Count(key, "likes", by))
		must(tx.Commit(ctx))
	}
	it, err := write.ReadItem(ctx, key)
	if err != nil || it.Text("likes") != "2" {
		t.Errorf("the counter is %q, %v", it.Text("likes"), err)
	}
}

// doubtful is a store in which an attempt was not answered, and then the conditions of actions failed.
type doubtful struct {
	write.Store
	failed []int
}

var errDoubtful = errors.New("this may have been written")

func (s doubtful) Write(context.Context, write.Transaction) (item.Item, error) {
	failed := &write.ConditionError{InDoubt: true}
	for _, i := range s.failed {
		failed.Failed = append(failed.Failed, write.FailedCondition{Action: i})
	}
	return nil, fmt.Errorf("%w: %w", errDoubtful, failed)
}

// TestDoubtRemains: if an attempt was not answered, the error says so, also if what is sent in its place is answered.
func TestDoubtRemains(t *testing.T) {
	t.Parallel()
	key := keys.Key{PK: "a", SK: "a"}
	other := write.CheckItem(key, write.IfExists())
	var tx write.Transaction
	action := write.PutItem(key.Item(), write.IfMissing())
	action.Otherwise = &other
	tx.Add("note", action)
	exchanges := 0
	err := tx.Send(t.Context(), func(ctx context.Context, sent write.Transaction) error {
		if exchanges++; exchanges == 1 {
			_, err := doubtful{failed: []int{0}}.Write(ctx, sent)
			return err
		}
		return &write.ConditionError{Failed: []write.FailedCondition{{Action: 0}}}
	})
	failed, is := errors.AsType[*write.ConditionError](err)
	if exchanges < 2 || !errors.Is(err, errDoubtful) || !is || !failed.InDoubt {
		t.Errorf("%d exchanges, and the error is %v", exchanges, err)
	}
}

// TestCommitInDoubt: a failed condition is an error if it may have failed because of an attempt that was not answered.
// It is a Failure if another condition, which that attempt would have ended, still holds.
func TestCommitInDoubt(t *testing.T) {
	t.Parallel()
	n := &note{id: noteID("n"), list: "l", version: 1}
	changed, moved := *n, *n
	changed.text, changed.version = "new", 2
	moved.list, moved.version = "other", 2
	items := must(storedNote(n))
	list := write.CheckItem(keys.Key{PK: "l", SK: "LIST"}, write.IfExists())
	version := func(after *note) []write.Action {
		return must(write.UpdateOf(notes, n, after, storedNote, write.IfVersion(1)))
	}
	for name, tt := range map[string]struct {
		note    []write.Action // the first part; the list is the second
		failed  []int
		inDoubt bool
	}{
		"a new note, and no list":      {write.Create(notes, items), []int{2}, false},
		"a new note exists":            {write.Create(notes, items), []int{0}, true},
		"a deleted note, and no list":  {write.Delete(notes, items), []int{2}, false},
		"a deleted note is missing":    {write.Delete(notes, items), []int{0}, true},
		"an update, and no list":       {version(&changed), []int{2}, false},
		"an update of another version": {version(&changed), []int{0}, true},
		"nothing of it is left":        {version(&moved), []int{0, 1, 2, 3}, true},
		"nothing is written, and no list": {[]write.Action{
			write.CheckItem(keys.KeyOf(items[0]), write.IfExists()),
			write.DeleteItem(keys.Key{PK: "x", SK: "x"}, write.IfMissing()),
		}, []int{2}, true},
		"the same value, and no list": {[]write.Action{{
			Kind: write.ActionUpdate, Key: keys.KeyOf(items[0]), Set: item.Item{{Name: "text", Value: item.StringValue("t")}},
			If: []write.Precondition{write.IfEquals("text", item.StringValue("t"))},
		}}, []int{1}, true},
		"a counter, and no list": {[]write.Action{write.Count(keys.KeyOf(items[0]), "n", 1)}, []int{1}, true},
	} {
		var tx write.Transaction
		tx.Add("note", tt.note...)
		tx.Add("list", list)
		failed, err := tx.Commit(write.NewContext(t.Context(), doubtful{failed: tt.failed}), "note", "list")
		if errors.Is(err, errDoubtful) != tt.inDoubt || (failed == nil) != tt.inDoubt {
			t.Errorf("%s: got %v, %v", name, failed, err)
		}
	}
}
