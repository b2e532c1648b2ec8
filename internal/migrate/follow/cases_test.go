package follow_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/follow"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

func text(pairs ...string) item.Item {
	var it item.Item
	for i := 0; i < len(pairs); i += 2 {
		it = append(it, item.Attribute{Name: pairs[i], Value: item.StringValue(pairs[i+1])})
	}
	return it
}

func noteOf(shelf, color string) item.Item {
	return append(text("shelf", shelf, "color", color), item.Attribute{Name: "rank", Value: item.NumberValue(7)})
}

// TestRequests: what the other side costs, and what is estimated. Claims and keys of new entries may be larger.
func TestRequests(t *testing.T) {
	t.Parallel()
	operations := []migratetest.Operation{
		migratetest.Of("create", "Note", "slug", "a", noteOf("s", "red")),
		migratetest.Of("update", "Note", "slug", "a", text("text", "x")),
		migratetest.Of("update", "Note", "slug", "a", text("color", "blue")),
		migratetest.Of("update", "Note", "slug", "a", text("shelf", "t")),
		migratetest.Of("delete", "Note", "slug", "a", nil), migratetest.Of("create", "Shelf", "name", "s", nil),
	}
	const once, twice = "BatchGetItem TransactWriteItems", "GetItem BatchGetItem BatchGetItem TransactWriteItems"
	for name, want := range map[string][]string{
		"key": {
			"createNote: " + once + "; 3 of 3 read, 8 of 8 written", "updateNote: " + twice + "; 4 of 4 read, 8 of 8 written",
			"updateNote: " + twice + "; 4 of 4 read, 10 of 10 written",
			"updateNote: " + twice + "; 5 of 5 read, 10 of 10 written",
			"deleteNote: " + twice + "; 4 of 4 read, 8 of 8 written", "createShelf: PutItem; 0 of 0 read, 1 of 1 written",
		},
		"new entry": {
			"createNote: " + once + "; 2 of 2 read, 5 of 10 written", "updateNote: " + twice + "; 3 of 3 read, 5 of 10 written",
			"updateNote: " + twice + "; 3 of 3 read, 6 of 12 written",
			"updateNote: " + twice + "; 4 of 4 read, 7 of 14 written",
			"deleteNote: " + twice + "; 3 of 3 read, 5 of 10 written", "createShelf: PutItem; 0 of 0 read, 1 of 1 written",
		},
		"new copy": {
			"createNote: " + once + "; 2 of 2 read, 4 of 4 written", "updateNote: " + twice + "; 3 of 3 read, 4 of 4 written",
			"updateNote: " + twice + "; 3 of 3 read, 4 of 4 written", "updateNote: " + twice + "; 4 of 4 read, 6 of 6 written",
			"deleteNote: BatchGetItem " + once + "; 2 of 2 read, 4 of 4 written",
			"createShelf: PutItem; 0 of 0 read, 1 of 1 written",
		},
		"unique": {
			"createNote: " + once + "; 3 of 3 read, 6 of 6 written", "updateNote: " + twice + "; 4 of 4 read, 6 of 10 written",
			"updateNote: " + twice + "; 5 of 5 read, 8 of 12 written",
			"updateNote: " + twice + "; 5 of 5 read, 8 of 12 written",
			"deleteNote: " + twice + "; 4 of 4 read, 6 of 10 written", "createShelf: PutItem; 0 of 0 read, 1 of 1 written",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := small(t, name)
			e := p.StartBehindProxy(t)
			f := follow.New(migrate.Filling, p.From, p.To)
			w := p.Own(migrate.From, e, f)
			var got []string
			for _, o := range operations {
				e.Proxy.Reset()
				if errs, err := o.By(t, w); err != nil || errs != "" {
					t.Fatal(o, errs, err)
				}
				c := e.Proxy.Counts()
				var sent []string
				for _, text := range e.Proxy.Log() {
					operation, _, _ := strings.Cut(text, " ")
					sent = append(sent, operation)
				}
				most := mostOf(w, o)
				got = append(got, fmt.Sprintf("%s: %s; %v of %v read, %v of %d written",
					o.Name, strings.Join(sent, " "), c.ReadUnits, most.ReadUnits, c.WriteUnits, most.Units()))
			}
			if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
				t.Errorf("got\n%s\nwant\n%s", a, b)
			}
		})
	}
}

// mostOf returns what an operation reads and writes at worst.
func mostOf(w migratetest.Writer, o migratetest.Operation) write.Workload {
	m := w.Design.Mutation(o.Name)
	return w.Table.Workload(m, &o.In, write.WorkloadOf(w.Design, m, &o.In))
}

// small returns a pair whose items have one unit of a write at most.
func small(t *testing.T, name string) migratetest.Pair {
	t.Helper()
	of := func(sdl string) string {
		return regexp.MustCompile(`@item\([^)]*`).ReplaceAllString(sdl, "$0, maxBytes: 1024")
	}
	return migratetest.NewPair(t, of(migratetest.Pairs[name][0]), of(migratetest.Pairs[name][1]))
}

// TestContention: writers of both sides that change the same objects at the same time leave equal forms.
func TestContention(t *testing.T) {
	t.Parallel()
	p := migratetest.Load(t, "key")
	e := p.StartBehindProxy(t)
	e.Proxy.Inject(tabletest.Faults{Contended: true})
	writers := [2]migratetest.Writer{p.Writer(e, migrate.Filling), p.Writer(e, migrate.Switched)}
	var g errgroup.Group
	for n := range uint64(6) {
		g.Go(func() error {
			r := rand.New(rand.NewPCG(soak.Seed, n))
			for range 25 {
				o := migratetest.Draw(r, p)
				if _, err := writers[n%2].Mutate(t.Context(), o.Name, o.In); err != nil {
					return fmt.Errorf("%s: %w", o, err)
				}
			}
			return nil
		})
	}
	fatal.If(t, g.Wait())
	all := migratetest.Scan(t, e.Table)
	notes := 0
	for key, it := range all {
		var others []keys.Key
		slug := keys.SK(it.Text("slug"))
		copied := keys.Key{PK: keys.PK("SHELF#" + it.Text("shelf")), SK: "NOTE#" + slug}
		switch {
		case key.SK == "NOTE":
			others = []keys.Key{{PK: "PAGE#" + keys.PK(slug), SK: "PAGE"}, copied}
			notes++
		case key.SK == "PAGE":
			others = []keys.Key{{PK: "NOTE#" + keys.PK(slug), SK: "NOTE"}}
		case it.Type() == "Note":
			others = []keys.Key{{PK: "NOTE#" + keys.PK(slug), SK: "NOTE"}}
			if key != copied {
				t.Errorf("%v is a copy of nothing", key)
			}
		}
		for _, other := range others {
			for _, a := range it {
				if declared := p.From.Type("Note").Attribute(a.Name); declared == nil {
					continue
				}
				if v, has := all[other].Find(a.Name); !has || !v.Equal(a.Value) {
					t.Errorf("%v: %s\nis not\n%v: %s", key, migratetest.Describe(it), other, migratetest.Describe(all[other]))
				}
			}
		}
	}
	if notes == 0 {
		t.Error("there are no notes")
	}
}

// TestBlindUpdates: an update without a condition on what it changes is in order with all others, too. What follows
// from two attributes follows from the last values of both.
func TestBlindUpdates(t *testing.T) {
	t.Parallel()
	p := migratetest.Pair{
		From: migratetest.Version(t, migratetest.SDL(migratetest.Note, migratetest.PlainFields, "", migratetest.GetNote)),
		To: migratetest.Version(t, migratetest.SDL(migratetest.Note+` @index(pk: "COLOR#{color}#{rank:03}", sk: "{slug}")`,
			migratetest.PlainFields, "", migratetest.GetNote+
				` colored(color: String!, rank: Int!): NoteConnection @query(index: "GSI1", pk: "COLOR#{color}#{rank:03}")`)),
	}
	e := p.Start(t)
	w := p.Writer(e, migrate.Filling)
	if errs, err := migratetest.Of("create", "Note", "slug", "a", noteOf("s", "red")).By(t, w); err != nil || errs != "" {
		t.Fatal(errs, err)
	}
	for i := range 30 {
		var g errgroup.Group
		for _, set := range []item.Item{
			text("color", fmt.Sprint(i)), {{Name: "rank", Value: item.NumberValue(i)}},
		} {
			g.Go(func() error {
				a := write.Action{Kind: write.ActionUpdate, Key: keys.Key{PK: "NOTE#a", SK: "NOTE"}, Set: set}
				a.If = []write.Precondition{write.IfExists()}
				_, err := w.Table.TransactWriteItems(t.Context(), write.Transaction{Actions: []write.Action{a}})
				return err
			})
		}
		fatal.If(t, g.Wait())
		it := migratetest.Scan(t, e.Table)[keys.Key{PK: "NOTE#a", SK: "NOTE"}]
		if it.Text("GSI1PK") != fmt.Sprintf("COLOR#%s#%03s", it.Text("color"), it.Text("rank")) {
			t.Fatalf("the item is %s", migratetest.Describe(it))
		}
	}
}

// TestHidden: what a gateway does not know of an item and only the other side needs does not get into its other items.
func TestHidden(t *testing.T) {
	t.Parallel()
	p := migratetest.Load(t, "new entry")
	e := p.Start(t)
	w := p.Writer(e, migrate.Filling)
	for _, o := range []migratetest.Operation{
		migratetest.Of("create", "Note", "slug", "a", noteOf("s", "red")),
		migratetest.Of("update", "Note", "slug", "a", text("shelf", "t")),
	} {
		if errs, err := o.By(t, w); err != nil || errs != "" {
			t.Fatal(errs, err)
		}
	}
	all := migratetest.Scan(t, e.Table)
	base, copied := all[keys.Key{PK: "NOTE#a", SK: "NOTE"}], all[keys.Key{PK: "SHELF#t", SK: "NOTE#a"}]
	if len(all) != 2 || base.Text("GSI1PK") != "COLOR#red" || copied.Text("shelf") != "t" || copied.Text("GSI1PK") != "" {
		t.Errorf("stored are\n%s\n%s", migratetest.Describe(base), migratetest.Describe(copied))
	}
}

// TestUnknownAttributes: what no schema knows gets into the other form as it is.
func TestUnknownAttributes(t *testing.T) {
	t.Parallel()
	p := migratetest.Load(t, "key")
	e := p.Start(t)
	w := p.Writer(e, migrate.Filling)
	extra := item.FieldsValue(item.Item{{Name: "n", Value: item.Value{Kind: item.Number, Text: "1.5"}},
		{Name: "l", Value: item.ListValue([]item.Value{{}, item.BoolValue(true)})}})
	it := append(tabletest.Stored("NOTE#a", "NOTE", "entityType", "Note", "slug", "a"), noteOf("s", "red")...)
	e.Load(t, append(tabletest.Stored("SHELF#s", "NOTE#a"), it[2:]...),
		append(it, item.Attribute{Name: "extra", Value: extra}))
	if errs, err := migratetest.Of("update", "Note", "slug", "a", text("text", "x")).By(t, w); err != nil || errs != "" {
		t.Fatal(errs, err)
	}
	for key, stored := range migratetest.Scan(t, e.Table) {
		if got, has := stored.Find("extra"); has != (key.SK != "NOTE#a" || key.PK != "SHELF#s") || has && !got.Equal(extra) {
			t.Errorf("%v has %s", key, migratetest.Describe(stored))
		}
	}
}

// TestTombstone: a tombstone has one in the other form, and goes with it.
func TestTombstone(t *testing.T) {
	t.Parallel()
	p := migratetest.Load(t, "key")
	e := p.Start(t)
	w := p.Writer(e, migrate.Filling)
	if errs, err := migratetest.Of("create", "Note", "slug", "a", noteOf("s", "red")).By(t, w); err != nil || errs != "" {
		t.Fatal(errs, err)
	}
	key := keys.Key{PK: "NOTE#a", SK: "NOTE"}
	it, _ := w.ReadItem(t.Context(), key)
	items, err := write.ItemsOf(w.Design, w.Design.Type("Note"), it)
	fatal.If(t, err)
	tombstone := append(key.Item(),
		text("entityType", "Note", "slug", "a", keys.AttributeDeletedAt, "2026-01-01T00:00:00.000Z")...)
	actions, err := write.Update(w.Design, items[:1], []item.Item{tombstone})
	fatal.If(t, err)
	actions = append(actions, write.DeleteItem(keys.KeyOf(items[1])))
	if _, err := w.Table.TransactWriteItems(t.Context(), write.Transaction{Actions: actions}); err != nil {
		t.Fatal(err)
	}
	all := migratetest.Scan(t, e.Table)
	if got := migratetest.Describe(all[keys.Key{PK: "PAGE#a", SK: "PAGE"}]); len(all) != 2 ||
		got != "PK=PAGE#a SK=PAGE deletedAt=2026-01-01T00:00:00.000Z entityType=Note slug=a" {
		t.Errorf("%d items, and %s", len(all), got)
	}
	gone := write.Transaction{Actions: []write.Action{write.DeleteItem(key, write.IfStored())}}
	if _, err := w.Table.TransactWriteItems(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	if all := migratetest.Scan(t, e.Table); len(all) != 0 {
		t.Errorf("%d items remain", len(all))
	}
}

// TestSingle: an update of one item returns it as the caller's side has it, whatever is written with it.
func TestSingle(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"literal", "padding"} {
		p := migratetest.Load(t, name)
		e := p.Start(t)
		w := p.Writer(e, migrate.Filling)
		if errs, err := migratetest.Of("create", "Note", "slug", "a", noteOf("s", "red")).By(t, w); err != nil || errs != "" {
			t.Fatal(errs, err)
		}
		key := keys.Key{PK: "NOTE#a", SK: "NOTE"}
		a := write.Action{Kind: write.ActionUpdate, Key: key, Set: text("text", "y")}
		a.If = []write.Precondition{write.IfUnset("text")}
		res, err := w.Table.TransactWriteItems(t.Context(), write.Transaction{Actions: []write.Action{a}})
		if err != nil || len(res.Items) != 1 || res.ReadUnits == 0 || res.WriteUnits == 0 {
			t.Fatal(name, res, err)
		}
		res.Items[0] = migratetest.Without(migratetest.Without(res.Items[0], "GSI2PK"), "GSI2SK")
		if got := migratetest.Describe(res.Items[0]); got !=
			"GSI1PK=COLOR#red GSI1SK=00007#a PK=NOTE#a SK=NOTE color=red entityType=Note rank=7 shelf=s slug=a text=y" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

const posts = `
type Query { node(id: ID!): Node post(id: ID!): Post @get(pk: "%[1]s#{id}", sk: "%[1]s") }
type Post implements Node @item(pk: "%[1]s#{id}", sk: "%[1]s") @mutable(create: ["PUBLIC"]) { id: ID! text: String }
`

const tokens = `
type Query { node(id: ID!): Node token(name: String!): Token @get(pk: "%[1]s#{name}", sk: "%[1]s") }
type Token implements Node @item(pk: "%[1]s#{name}", sk: "%[1]s", expires: "until")
  @mutable(create: ["PUBLIC"], update: ["PUBLIC"]) {
  id: ID! name: String! text: String until: Time @stored(as: EPOCH_SECONDS) }
`

// TestExpired: an object in place of one that has expired replaces both forms of that.
func TestExpired(t *testing.T) {
	t.Parallel()
	p := migratetest.Pair{
		From: migratetest.Version(t, fmt.Sprintf(tokens, "TOKEN")),
		To:   migratetest.Version(t, fmt.Sprintf(tokens, "TICKET")),
	}
	e := p.Start(t)
	w := p.Writer(e, migrate.Filling)
	past := time.Now().Add(-time.Hour).UTC().Format(item.TimeLayout)
	for _, set := range []item.Item{text("text", "x", "until", past), text("until", past), nil} {
		if errs, err := migratetest.Of("create", "Token", "name", "a", set).By(t, w); err != nil || errs != "" {
			t.Fatal(errs, err)
		}
	}
	all := migratetest.Scan(t, e.Table)
	if len(all) != 2 {
		t.Errorf("%d items are stored", len(all))
	}
	for key, it := range all {
		if len(it) != 4 {
			t.Errorf("%v is %s", key, migratetest.Describe(it))
		}
	}
}

// TestOnce: an idempotency key is claimed once, whichever side is read.
func TestOnce(t *testing.T) {
	t.Parallel()
	p := migratetest.Pair{
		From: migratetest.Version(t, fmt.Sprintf(posts, "POST")),
		To:   migratetest.Version(t, fmt.Sprintf(posts, "PAGE")),
	}
	e := p.Start(t)
	in := write.Input{Set: text("text", "x"), IdempotencyKey: "k", Caller: "someone"}
	for _, s := range []migrate.State{migrate.Filling, migrate.Filling, migrate.Switched} {
		if errs, err := p.Writer(e, s).Mutate(t.Context(), "createPost", in); err != nil || errs != "" {
			t.Fatal(errs, err)
		}
	}
	if all := migratetest.Scan(t, e.Table); len(all) != 3 {
		t.Errorf("%d items are stored: %v", len(all), all)
	}
}

// TestTooManyActions: a transaction that does not fit with both sides fails, and nothing is written.
func TestTooManyActions(t *testing.T) {
	t.Parallel()
	p := migratetest.Load(t, "key")
	e := p.Start(t)
	w := p.Writer(e, migrate.Filling)
	var tx write.Transaction
	for i := range 40 {
		items, err := write.Items(w.Design.Type("Note"), append(text("slug", fmt.Sprint(i)), noteOf("s", "red")...))
		fatal.If(t, err)
		tx.Add("note", write.Create(w.Design, items)...)
	}
	_, err := w.Table.TransactWriteItems(t.Context(), tx)
	if !errors.Is(err, write.ErrTooManyActions) || !strings.Contains(err.Error(), ": 120 while both designs") {
		t.Error(err)
	}
	if all := migratetest.Scan(t, e.Table); len(all) != 0 {
		t.Errorf("%d items are stored", len(all))
	}
}

// TestTooLarge: a mutation that may not fit with both sides blocks the migration.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	of := func(name string) migrate.Version {
		text := migratetest.Note
		for i := range 48 {
			text += fmt.Sprintf(` @copy(pk: "%s%d#{slug}", sk: "N")`, name, i)
		}
		unique := fmt.Sprintf("rank: Int! color: String @unique(key: \"%s#{color}\") text: String", name)
		return migratetest.Version(t, migratetest.SDL(text, unique, "", migratetest.GetNote))
	}
	from, to := of("C"), of("D")
	if parts := follow.TooLarge(from, from); len(parts) > 0 {
		t.Errorf("got %v", parts)
	}
	const want = "[Note: MUTATION updateNote writes up to 101 items while both designs are written; " +
		"a transaction has at most 100: change less of the type at a time]"
	if got := fmt.Sprint(follow.TooLarge(from, to)); got != want {
		t.Errorf("got %s", got)
	}
}

// TestDuplicates: a value that two objects have stays with the first one, and fails no write, until the migration has
// found it.
func TestDuplicates(t *testing.T) {
	t.Parallel()
	p := migratetest.Load(t, "unique")
	e := p.Start(t)
	w := p.Writer(e, migrate.Filling)
	for _, slug := range []string{"a", "b"} {
		o := migratetest.Of("create", "Note", "slug", slug, noteOf("s", "red"))
		if errs, err := o.By(t, w); err != nil || errs != "" {
			t.Fatal(errs, err)
		}
	}
	claim := func() string {
		return migratetest.Describe(migratetest.Scan(t, e.Table)[keys.Key{PK: "NOTE_COLOR#red", SK: "NOTE_COLOR#red"}])
	}
	if got := claim(); !strings.Contains(got, "Id=a") {
		t.Errorf("the claim is %s", got)
	}
	for _, slug := range []string{"b", "a"} {
		if errs, err := migratetest.Of("delete", "Note", "slug", slug, nil).By(t, w); err != nil || errs != "" {
			t.Fatal(errs, err)
		}
		if got := claim(); strings.Contains(got, "Id=a") != (slug == "b") {
			t.Errorf("without %s the claim is %s", slug, got)
		}
	}
}

// TestNoCompanion: a gateway whose state does not write the other side sends what it sends without it.
func TestNoCompanion(t *testing.T) {
	t.Parallel()
	p := migratetest.Load(t, "key")
	e := p.StartBehindProxy(t)
	for _, s := range []migrate.State{migrate.Former, migrate.Latter} {
		o := migratetest.Of("create", "Note", "slug", fmt.Sprint(s), noteOf("s", "red"))
		if errs, err := o.By(t, p.Writer(e, s)); err != nil || errs != "" {
			t.Fatal(errs, err)
		}
	}
	if c := e.Proxy.Counts(); c.Total() != 2 || c.Requests["TransactWriteItems"] != 2 {
		t.Errorf("sent %v", c.Requests)
	}
}
