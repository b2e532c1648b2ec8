package follow_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// shelves is the schema of the side From. %s are what a Note is stored as, its fields, fields of a Shelf, and of Query.
const shelves = `
type Query {
  node(id: ID!): Node
  shelf(name: String!): Shelf @get(pk: "SHELF#{name}", sk: "SHELF#{name}")
  %[4]s
}
type Shelf implements Node @item(pk: "SHELF#{name}", sk: "SHELF#{name}")
  @mutable(create: ["PUBLIC"], update: ["PUBLIC"], delete: ["PUBLIC"]) {
  id: ID!
  name: String!
  text: String
  %[3]s
}
type Note implements Node %[1]s
  @mutable(create: ["PUBLIC"], update: ["PUBLIC"], delete: ["PUBLIC"]) {
  id: ID!
  slug: String!
  shelf: String!
  %[2]s
}
`

const (
	plainFields = "rank: Int!\n color: String\n text: String"
	note        = `@item(pk: "NOTE#{slug}", sk: "NOTE")`
	copied      = ` @copy(pk: "SHELF#{shelf}", sk: "NOTE#{slug}")`
	entry       = ` @index(pk: "COLOR#{color}", sk: "{rank:05}#{slug}")`
	getNote     = `note(slug: String!): Note @get(pk: "NOTE#{slug}", sk: "NOTE")`
	ofShelf     = ` notes(shelf: String!): NoteConnection @query(pk: "SHELF#{shelf}", sk: "NOTE#")`
	ofColor     = ` colored(color: String!): NoteConnection @query(index: "GSI1", pk: "COLOR#{color}")`
)

// rack returns a schema in which shelves have another key.
func rack(schema string) string {
	return strings.NewReplacer(`pk: "SHELF#{name}", sk: "SHELF#{name}"`, `pk: "RACK#{name}", sk: "RACK"`).Replace(schema)
}

// sdl returns a schema.
func sdl(stored, fields, ofShelf, query string) string {
	return fmt.Sprintf(shelves, stored, fields, ofShelf, query)
}

// pairs are schemas of From and To.
var pairs = map[string][2]string{
	"key": {
		sdl(note+copied+entry, plainFields, "", getNote+ofShelf+ofColor),
		sdl(`@item(pk: "PAGE#{slug}", sk: "PAGE")`+copied+entry, plainFields, "",
			`note(slug: String!): Note @get(pk: "PAGE#{slug}", sk: "PAGE")`+ofShelf+ofColor),
	},
	"copy key": {
		sdl(note+copied, plainFields, "", getNote+ofShelf),
		sdl(note+` @copy(pk: "SHELF#{shelf}", sk: "NOTE#{rank:05}#{slug}")`, plainFields, "", getNote+ofShelf),
	},
	"new copy": {
		sdl(note, plainFields, "", getNote),
		sdl(note+copied, plainFields, "", getNote+ofShelf),
	},
	"new entry": {
		sdl(note+copied, plainFields, "", getNote+ofShelf),
		sdl(note+copied+entry, plainFields, "", getNote+ofShelf+ofColor),
	},
	"stored name": {
		sdl(note+copied, plainFields, "", getNote+ofShelf),
		sdl(note+copied, "rank: Int!\n color: String @stored(name: \"hue\")\n text: String", "", getNote+ofShelf),
	},
	"format": {
		sdl(note+copied, plainFields+" at: Time", "", getNote+ofShelf),
		sdl(note+copied, plainFields+" at: Time @stored(as: EPOCH_SECONDS)", "", getNote+ofShelf),
	},
	"padding": {
		sdl(note+entry, plainFields, "", getNote+ofColor),
		sdl(note+` @index(name: "GSI2", pk: "COLOR#{color}", sk: "{rank:08}#{slug}")`, plainFields, "",
			getNote+` colored(color: String!): NoteConnection @query(index: "GSI2", pk: "COLOR#{color}")`),
	},
	"entry in place": {
		sdl(note+entry, plainFields, "", getNote+ofColor),
		sdl(note+` @index(pk: "COLOR#{color}", sk: "{rank:08}#{slug}")`, plainFields, "", getNote+ofColor),
	},
	"literal": {
		sdl(note+entry, plainFields, "", getNote+ofColor),
		sdl(`@item(pk: "N-{slug}", sk: "NOTE")`+entry, plainFields, "",
			`note(slug: String!): Note @get(pk: "N-{slug}", sk: "NOTE")`+ofColor),
	},
	"shards": {
		sdl(note+entry, plainFields, "", getNote+ofColor),
		sdl(note+` @index(pk: "COLOR#{color}", sk: "{rank:05}#{slug}", shards: 4)`, plainFields, "", getNote+ofColor),
	},
	"unique": {
		sdl(note+copied, plainFields, "", getNote+ofShelf),
		sdl(note+copied, "rank: Int!\n color: String @unique\n text: String", "", getNote+ofShelf),
	},
	"unique key": {
		sdl(note+copied, "rank: Int!\n color: String @unique\n text: String", "", getNote+ofShelf),
		sdl(note+copied, "rank: Int!\n color: String @unique(key: \"HUE#{color}\")\n text: String", "", getNote+ofShelf),
	},
	"counter": {
		sdl(note+copied, plainFields, `notes: NoteConnection @query(pk: "SHELF#{name}", sk: "NOTE#")`, getNote),
		sdl(note+copied, plainFields,
			`count: Int! @counts(field: "notes") notes: NoteConnection @query(pk: "SHELF#{name}", sk: "NOTE#")`, getNote),
	},
	"counter and key": {
		sdl(note+copied, plainFields,
			`count: Int! @counts(field: "notes") notes: NoteConnection @query(pk: "SHELF#{name}", sk: "NOTE#")`, getNote),
		sdl(`@item(pk: "PAGE#{slug}", sk: "PAGE")`+copied, plainFields,
			`count: Int! @counts(field: "notes") notes: NoteConnection @query(pk: "SHELF#{name}", sk: "NOTE#")`,
			`note(slug: String!): Note @get(pk: "PAGE#{slug}", sk: "PAGE")`),
	},
	"parent with a counter": {
		sdl(note+copied, plainFields,
			`count: Int! @counts(field: "notes") notes: NoteConnection @query(pk: "SHELF#{name}", sk: "NOTE#")`, getNote),
		rack(sdl(note+copied, plainFields,
			`count: Int! @counts(field: "notes") notes: NoteConnection @query(pk: "SHELF#{name}", sk: "NOTE#")`, getNote)),
	},
	"parent and its counter": {
		sdl(note+copied, plainFields, `notes: NoteConnection @query(pk: "SHELF#{name}", sk: "NOTE#")`, getNote),
		rack(sdl(note+copied, plainFields,
			`count: Int! @counts(field: "notes") notes: NoteConnection @query(pk: "SHELF#{name}", sk: "NOTE#")`, getNote)),
	},
	"latest": {
		sdl(note, plainFields, "", getNote),
		sdl(note+` @copy(pk: "SHELF#{shelf}", sk: "TOP", latest: "rank")`, plainFields,
			`top: Note @get(pk: "SHELF#{name}", sk: "TOP")`, getNote),
	},
	"latest key": {
		sdl(note+` @copy(pk: "SHELF#{shelf}", sk: "TOP", latest: "rank")`, plainFields,
			`top: Note @get(pk: "SHELF#{name}", sk: "TOP")`, getNote),
		sdl(note+` @copy(pk: "SHELF#{shelf}", sk: "BEST", latest: "rank")`, plainFields,
			`top: Note @get(pk: "SHELF#{name}", sk: "BEST")`, getNote),
	},
	"version": {
		sdl(note+copied, plainFields, "", getNote+ofShelf),
		sdl(`@item(pk: "PAGE#{slug}", sk: "PAGE")`+copied, plainFields+" version: Int! @version", "",
			`note(slug: String!): Note @get(pk: "PAGE#{slug}", sk: "PAGE")`+ofShelf),
	},
}

// operation is a mutation with its input.
type operation struct {
	name string
	in   write.Input
}

// draw returns a random operation on a few objects. Each Note has colors of its own, as they may be unique. Shelves
// whose notes are counted remain.
func draw(r *rand.Rand, p pair) operation {
	pick := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	if r.IntN(5) == 0 {
		set := item.Item{{Name: "text", Value: item.StringValue(pick("x", "y"))}}
		verb := pick("create", "update", "update", "delete")
		if p.isCounted() {
			verb = "update"
		}
		return of(verb, "Shelf", "name", pick("s", "t"), set)
	}
	slug := pick("a", "b", "c", "d")
	set := item.Item{{Name: "rank", Value: item.NumberValue(r.IntN(6))}}
	add := func(name, text string) { set = append(set, item.Attribute{Name: name, Value: item.StringValue(text)}) }
	add("shelf", pick("s", "t"))
	if r.IntN(2) == 0 {
		add("color", pick("red", "blue")+slug)
	}
	if r.IntN(2) == 0 {
		add("text", pick("x", "y"))
	}
	if at := pick("1", "2", "3", "4"); p.from.Type("Note").Attribute("at") != nil && at < "3" {
		add("at", "2026-01-0"+at+"T00:00:00.000Z")
	}
	o := of(pick("create", "create", "update", "update", "delete"), "Note", "slug", slug, set)
	if o.name == "updateNote" {
		o.in.Set = o.in.Set[r.IntN(len(set)):]
		if r.IntN(3) == 0 {
			o.in.Remove = []string{"color"}
			o.in.Set = without(o.in.Set, "color")
		}
	}
	return o
}

func (p pair) isCounted() bool { return len(p.to.Counters) > 0 }

func without(it item.Item, name string) item.Item {
	var out item.Item
	for _, a := range it {
		if a.Name != name {
			out = append(out, a)
		}
	}
	return out
}

func of(verb, typ, identity, value string, set item.Item) operation {
	o := operation{name: verb + typ}
	switch verb {
	case "create":
		o.in.Set = append(item.Item{{Name: identity, Value: item.StringValue(value)}}, set...)
	case "update":
		o.in.ID, o.in.Set = keys.NewID(typ, value), set
	default:
		o.in.ID = keys.NewID(typ, value)
	}
	return o
}

// TestPairs: what writers of two neighbouring states have written is what tables with one side alone have.
func TestPairs(t *testing.T) {
	t.Parallel()
	for name, texts := range pairs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := pair{from: version(t, texts[0]), to: version(t, texts[1])}
			for _, states := range [][2]migrate.State{
				{migrate.Filling, migrate.Filling}, {migrate.Prepared, migrate.Filling}, {migrate.Filling, migrate.Switched},
				{migrate.Switched, migrate.Closing},
			} {
				t.Run(fmt.Sprint(states), func(t *testing.T) {
					for seed := range soak.Seeds(1) {
						run(t, p, states, seed, tabletest.Faults{})
						if t.Failed() {
							t.Fatal("seed", seed)
						}
					}
				})
			}
		})
	}
}

// TestPairsAfterFaults: requests that fail, and answers that are lost, make no difference.
func TestPairsAfterFaults(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"counter and key", "new entry", "unique", "latest key"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := pair{from: version(t, pairs[name][0]), to: version(t, pairs[name][1])}
			for seed := range soak.Seeds(1) {
				run(t, p, [2]migrate.State{migrate.Filling, migrate.Switched}, seed, tabletest.Faults{
					Seed: seed, Lost: 0.1, Throttled: 0.1, Conflict: 0.1, Unprocessed: 0.2,
				})
			}
		})
	}
}

// TestPairsWithTenants: the items of the other side belong to the tenant.
func TestPairsWithTenants(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"key", "stored name", "unique"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := pair{from: version(t, pairs[name][0]), to: version(t, pairs[name][1])}
			p.tenants = true
			run(t, p, [2]migrate.State{migrate.Filling, migrate.Switched}, soak.Seed, tabletest.Faults{})
		})
	}
}

func run(t *testing.T, p pair, states [2]migrate.State, seed uint64, faults tabletest.Faults) {
	r := rand.New(rand.NewPCG(seed, 0))
	e := p.start(t)
	e.Proxy.Inject(faults)
	writers := [2]writer{p.writer(e, states[0]), p.writer(e, states[1])}
	alone := [2]writer{p.alone(t, migrate.From), p.alone(t, migrate.To)}
	do := func(n int, o operation, w int) {
		read := states[w].Reads()
		want, err := o.by(t, alone[read])
		if err != nil {
			t.Fatal(err)
		}
		got, err := o.by(t, writers[w])
		var failed *write.ConditionError
		if errors.As(err, &failed) && failed.InDoubt { // It is carried out, or has no effect.
			got, err = want, nil
		}
		if faults.Lost > 0 && got == "" && strings.HasPrefix(want, string(write.CodeAlready)) {
			got = want // It may have been this attempt that has created it.
		}
		if err != nil {
			t.Fatalf("%d: %s by %v: %v", n, o, states[w], err)
		}
		if other, err := o.by(t, alone[read.Other()]); err != nil || got != want || other != want {
			t.Fatalf("%d: %s by %v: %q, want %q, and the other side %q, %v", n, o, states[w], got, want, other, err)
		}
	}
	if p.isCounted() {
		for _, shelf := range []string{"s", "t"} {
			do(-1, of("create", "Shelf", "name", shelf, nil), 1)
		}
	}
	want := wanted{inPlace: [2]migrate.Side{states[0].InPlace(), states[1].InPlace()}}
	// A form that is created later has its first version, and an update without a change has none where none is declared.
	want.ignored = []string{keys.AttributeDeletedAt, write.AttributeVersion}
	for s := range want.complete {
		want.complete[s] = min(states[0].Writes(migrate.Side(s)), states[1].Writes(migrate.Side(s))) == migrate.Write
	}
	for n := range 40 {
		o, w := draw(r, p), r.IntN(2)
		do(n, o, w)
		if n%8 != 7 {
			continue
		}
		want.alone = [2]map[keys.Key]item.Item{scan(t, alone[0].table), scan(t, alone[1].table)}
		want.compare(t, scan(t, e.Table))
		if t.Failed() {
			t.Fatalf("%d: after %s by %v", n, o, states[w])
		}
	}
}

func (o operation) String() string {
	return fmt.Sprint(o.name, " ", o.in.ID, " ", describe(o.in.Set), " -", o.in.Remove)
}

// by carries out the operation.
func (o operation) by(t *testing.T, w writer) (string, error) {
	t.Helper()
	in := o.in
	if typ := w.design.Type("Note"); typ != nil && typ.Version != "" && o.in.ID.Type() == "Note" {
		key, err := write.ObjectKey(typ, o.in.ID)
		if err != nil {
			t.Fatal(err)
		}
		it, err := w.ReadItem(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		v, _ := it.Get(typ.Version)
		in.Version, _ = item.AsInt(v)
	}
	return w.mutate(t.Context(), o.name, in)
}
