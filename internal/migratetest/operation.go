package migratetest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// Operation is a mutation with its input.
type Operation struct {
	Name string
	In   write.Input
}

// Draw returns a random operation on a few objects. Each Note has colors of its own, as they may be unique. Shelves
// whose notes are counted remain.
func Draw(r *rand.Rand, p Pair) Operation {
	pick := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	if r.IntN(5) == 0 {
		set := item.Item{{Name: "text", Value: item.StringValue(pick("x", "y"))}}
		verb := pick("create", "update", "update", "delete")
		if p.IsCounted() {
			verb = "update"
		}
		return Of(verb, "Shelf", "name", pick("s", "t"), set)
	}
	slug := pick("a", "b", "c", "d")
	set := item.Item{{Name: "rank", Value: item.NumberValue(r.IntN(6))}}
	add := func(name, text string) { set = append(set, item.Attribute{Name: name, Value: item.StringValue(text)}) }
	add("shelf", pick("s", "t"))
	color := p.From.Type("Note").Attribute("color")
	if isNeeded := color != nil && color.NonNull; isNeeded || r.IntN(2) == 0 {
		add("color", pick("red", "blue")+slug)
	}
	if r.IntN(2) == 0 {
		add("text", pick("x", "y"))
	}
	if at := pick("1", "2", "3", "4"); p.From.Type("Note").Attribute("at") != nil && at < "3" {
		add("at", "2026-01-0"+at+"T00:00:00.000Z")
	}
	if p.From.Type("Note").Attribute("paint") != nil {
		set = append(set, drawPaint(r, slug)...)
	}
	o := Of(pick("create", "create", "update", "update", "delete"), "Note", "slug", slug, set)
	if o.Name == "updateNote" {
		o.In.Set = o.In.Set[r.IntN(len(set)):]
		if r.IntN(3) == 0 && !color.NonNull {
			o.In.Remove = []string{"color"}
			o.In.Set = Without(o.In.Set, "color")
		}
	}
	return o
}

// drawPaint returns values of enums in lists and objects.
func drawPaint(r *rand.Rand, slug string) item.Item {
	color := func() item.Value { return item.StringValue([]string{"red", "blue"}[r.IntN(2)] + slug) }
	tones := func() item.Value { return item.ListValue([]item.Value{color(), item.StringValue("redd"), color()}) }
	paint := func(further ...item.Attribute) item.Value {
		it := item.Item{{Name: "color", Value: color()}, {Name: "tones", Value: tones()}}
		return item.FieldsValue(append(it, further...))
	}
	all := item.Item{
		{Name: "tones", Value: tones()}, {Name: "paint", Value: paint(item.Attribute{Name: "under", Value: paint()})},
		{Name: "layers", Value: item.ListValue([]item.Value{paint(), paint()})},
	}
	return all[r.IntN(len(all)+1):]
}

// IsCounted reports whether a side counts objects.
func (p Pair) IsCounted() bool { return len(p.From.Counters)+len(p.To.Counters) > 0 }

// Without returns an item without an attribute.
func Without(it item.Item, name string) item.Item {
	var out item.Item
	for _, a := range it {
		if a.Name != name {
			out = append(out, a)
		}
	}
	return out
}

// Of returns an operation on the object of an identity.
func Of(verb, typ, identity, value string, set item.Item) Operation {
	o := Operation{Name: verb + typ}
	switch verb {
	case "create":
		o.In.Set = append(item.Item{{Name: identity, Value: item.StringValue(value)}}, set...)
	case "update":
		o.In.ID, o.In.Set = keys.NewID(typ, value), set
	default:
		o.In.ID = keys.NewID(typ, value)
	}
	return o
}

// String returns the operation in one line.
func (o Operation) String() string {
	return fmt.Sprint(o.Name, " ", o.In.ID, " ", Describe(o.In.Set), " -", o.In.Remove)
}

// By carries out the operation.
func (o Operation) By(t testing.TB, w Writer) (string, error) {
	t.Helper()
	in := o.In
	if typ := w.Design.Type("Note"); typ != nil && typ.Version != "" && o.In.ID.Type() == "Note" {
		key, err := write.ObjectKey(typ, o.In.ID)
		fatal.If(t, err)
		it, err := w.ReadItem(t.Context(), key)
		fatal.If(t, err)
		v, _ := it.Get(typ.Version)
		in.Version, _ = item.AsInt(v)
	}
	return w.Mutate(t.Context(), o.Name, in)
}

// Load returns a pair of Pairs.
func Load(t testing.TB, name string) Pair {
	t.Helper()
	return NewPair(t, Pairs[name][0], Pairs[name][1])
}

// GettingTenants returns the side From of a pair of Pairs, and the same once all belongs to a tenant.
func GettingTenants(t testing.TB, name string) Pair {
	t.Helper()
	from := Version(t, Pairs[name][0])
	return Pair{From: from, To: from.With(migrate.Tenancy{Kind: migrate.OfFirst, First: "acme"})}
}

// NewPair returns the pair of two schemas.
func NewPair(t testing.TB, former, later string) Pair {
	t.Helper()
	from, to := migrate.Recognising(Version(t, former), Version(t, later))
	return Pair{From: from, To: to}
}
