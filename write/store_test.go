package write_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// note is an object of a design made by hand. It has a copy in the list that it is on.
type note struct {
	id      keys.ID
	list    string
	text    string
	version int
}

var noteType = &design.Type{
	Name: "Note",
	Attributes: []design.Attribute{
		{Name: "id", Kind: keys.IDKind, Ref: "Note", NonNull: true},
		{Name: "list", Kind: keys.String, NonNull: true},
		{Name: "text", Kind: keys.String},
		{Name: "version", Kind: keys.Int, NonNull: true},
	},
	Identity: []string{"id"},
	MaxBytes: 400,
	Item:     shape("NOTE#{id}", "NOTE#{id}"),
	Copies:   []design.Copy{{Shape: shape("LIST#{list}", "NOTE#{id}")}},
}

var notes = design.MustDesign(nil, []*design.Type{noteType}, nil)

func storedNote(n *note) ([]item.Item, error) {
	return write.Items(noteType, item.Item{
		{Name: "id", Value: keys.IDAttribute(n.id)},
		{Name: "list", Value: item.StringValue(n.list)},
		{Name: "text", Value: item.StringValue(n.text)},
		{Name: "version", Value: item.NumberValue(n.version)},
	})
}

func newNote(it item.Item) (*note, error) {
	d := &item.Decoder{Item: it}
	n := &note{
		id:      item.Required(d, "id", keys.AsID("Note")),
		list:    item.Required(d, "list", item.AsString),
		text:    item.Required(d, "text", item.AsString),
		version: item.Required(d, "version", item.AsInt),
	}
	return n, d.Err(n)
}

func noteKey(id keys.ID) (keys.Key, error) {
	return noteType.Key(keys.Values{{Name: "id", Value: keys.IDValue(id)}}.Get)
}

func noteID(id string) keys.ID { return keys.NewID("Note", id) }

// store is the write.Store of a table.
type store struct{ table *table.Table }

func (s store) ReadItem(ctx context.Context, key keys.Key) (item.Item, error) {
	res, err := s.table.GetItem(ctx, request.GetItem{Key: key, Consistent: true})
	if err != nil || len(res.Items) == 0 || keys.IsDeleted(res.Items[0]) {
		return nil, err
	}
	return res.Items[0], nil
}

func (s store) ReadRange(ctx context.Context, r write.Range) ([]item.Item, keys.Position, error) {
	res, err := s.table.Query(ctx, request.Query{
		PK: r.PK, Prefix: r.Prefix, From: r.From, To: r.To, Start: r.Start, Limit: r.Limit, Consistent: true,
	})
	return res.Items, res.Last, err
}

func (s store) Write(ctx context.Context, t write.Transaction) (item.Item, error) {
	res, err := s.table.TransactWriteItems(ctx, t)
	if failed, is := errors.AsType[*write.ConditionError](err); is {
		for i := range failed.Failed {
			if keys.IsDeleted(failed.Failed[i].Item) {
				failed.Failed[i].Item = nil
			}
		}
	}
	if len(res.Items) > 0 {
		return res.Items[0], err
	}
	return nil, err
}

func (s store) Now() time.Time { return now }

// now is the time of all stores.
var now = time.Unix(1_000_000, 0)

// start runs an engine with an empty table and returns the context of an operation.
func start(t *testing.T) (context.Context, *tabletest.Engine) {
	t.Helper()
	e := tabletest.Start(t, table.Schema{})
	return write.NewContext(t.Context(), store{e.Table}), e
}

// create stores a note.
func create(ctx context.Context, t *testing.T, n *note) {
	t.Helper()
	var tx write.Transaction
	tx.Add("note", write.Create(notes, must(storedNote(n)))...)
	must(tx.Commit(ctx))
}

// must returns what cannot fail in a test.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestRead(t *testing.T) {
	t.Parallel()
	ctx, e := start(t)
	want := &note{id: noteID("n"), list: "l", text: "a note", version: 1}
	create(ctx, t, want)
	got, err := write.Read(ctx, must(noteKey(want.id)), newNote)
	if err != nil || *got != *want {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	e.Load(t, append(must(storedNote(want))[0], text(keys.AttributeDeletedAt, "now")))
	for _, id := range []string{"n", "none"} {
		if got, err := write.Read(ctx, must(noteKey(noteID(id))), newNote); got != nil || err != nil {
			t.Errorf("%s is %v, %v; want nothing", id, got, err)
		}
	}
}

func TestOutsideOfAnOperation(t *testing.T) {
	t.Parallel()
	if _, err := write.Read(t.Context(), must(noteKey(noteID("n"))), newNote); !errors.Is(err, write.ErrNoStore) {
		t.Errorf("a read: %v", err)
	}
	var tx write.Transaction
	tx.Add("note", write.DeleteItem(must(noteKey(noteID("n")))))
	if _, err := tx.Commit(t.Context()); !errors.Is(err, write.ErrNoStore) {
		t.Errorf("a write: %v", err)
	}
}
