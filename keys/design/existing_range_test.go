package design_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

// ordered is a stored format in which the order of sort keys is that of the values.
type ordered struct {
	name string
	kind keys.Kind
	as   keys.Format
	// variable is the format of the variable in the sort key; "" is a sort key that is the attribute itself, a Number.
	variable string
	unit     time.Duration
}

var orders = []ordered{
	{"Int", keys.Int, keys.Plain, "{at:010}", 0},
	{"Int64", keys.Int64, keys.Plain, "{at:019}", 0},
	{"NUMBER_TEXT", keys.Int, keys.NumberText, "{at:010}", 0},
	{"Number", keys.Int64, keys.Plain, "", 0},
	{"Time", keys.Time, keys.Plain, "{at}", time.Millisecond},
	{"SECONDS", keys.Time, keys.Seconds, "{at}", time.Second},
	{"SECONDS_NO_ZONE", keys.Time, keys.SecondsNoZone, "{at}", time.Second},
	{"EPOCH_SECONDS_TEXT", keys.Time, keys.EpochSecondsText, "{at:010}", time.Second},
	{"DATE", keys.Time, keys.DayOnly, "{at}", 24 * time.Hour},
	{"EPOCH_SECONDS", keys.Time, keys.EpochSeconds, "{at:010}", time.Second},
	{"EPOCH_MILLIS", keys.Time, keys.EpochMillis, "{at:013}", time.Millisecond},
	{"Number of seconds", keys.Time, keys.EpochSeconds, "", time.Second},
	{"Number of milliseconds", keys.Time, keys.EpochMillis, "", time.Millisecond},
	{"Date", keys.Date, keys.Plain, "{at}", 24 * time.Hour},
	{"Date of seconds", keys.Date, keys.EpochSeconds, "{at:011}", 24 * time.Hour},
	{"Date of milliseconds", keys.Date, keys.EpochMillis, "", 24 * time.Hour},
}

// rangeDesign has a collection whose sort keys begin with a value of the format.
func (o *ordered) design(delimiter, glue string, more bool) *design.Design {
	of := func(text string) keys.Template { return keys.MustDelimited(delimiter, text) }
	l := &stored.Layout{PK: keys.Named("pk"), SK: keys.Named("sk"), Delimiter: delimiter}
	l.Indexes = []stored.IndexLayout{{Name: "by", PK: keys.Named("listId"), SK: keys.Named("at")}}
	ix := design.Index{Name: "by", Shape: keys.Shape{PK: of("{listId}"), SK: of("{at}")}}
	list := of("{list}")
	if o.variable != "" {
		sk := "AT" + delimiter + glue + o.variable
		if more {
			sk += delimiter + "{id}"
		}
		l.Indexes[0].PK, l.Indexes[0].SK = keys.Named("gpk"), keys.Named("gsk")
		ix.Shape = keys.Shape{PK: of("LIST" + delimiter + "{listId}"), SK: of(sk)}
		list = of("LIST" + delimiter + "{list}")
	}
	ix.Shards = 1
	f := &design.Field{
		Parent: "Query", Name: "things", Kind: design.Query, Index: "by", Result: design.Connection, PK: list,
		Arguments: []keys.Argument{{Name: "list", Kind: keys.String}, {Name: "at", Kind: o.kind, Range: true}},
	}
	if o.variable != "" {
		f.SK = of("AT" + delimiter)
	}
	return design.MustDesign(l, []*design.Type{{
		Name: "Thing", Identity: []string{"id"}, Item: keys.Shape{PK: of("{id}"), SK: of("THING")},
		Attributes: []design.Attribute{
			{Name: "id", Kind: keys.IDKind}, {Name: "listId", Kind: keys.String}, {Name: "at", Kind: o.kind, As: o.as},
		},
		Indexes: []design.Index{ix},
	}}, []*design.Field{f})
}

// draw returns a value as a GraphQL argument and as a number that has the order of the values. A whole value can be
// stored in the format.
func (o *ordered) draw(t *rapid.T, label string, whole bool) (argument string, order int64) {
	if o.unit == 0 {
		n := rapid.Int64Range(0, 120).Draw(t, label)
		return strconv.FormatInt(n, 10), n
	}
	// Near the beginning of a day, and in steps of less than a millisecond.
	at := time.Date(2024, 2, 29, 23, 59, 58, 0, time.UTC)
	at = at.AddDate(0, 0, rapid.IntRange(-1, 2).Draw(t, label+" days"))
	at = at.Add(time.Duration(rapid.IntRange(0, 12).Draw(t, label+" steps")) * 500 * time.Millisecond)
	if rapid.Bool().Draw(t, label+" between") {
		at = at.Add(time.Microsecond)
	}
	if whole || o.kind == keys.Date {
		at = at.Truncate(o.unit)
	}
	if o.kind == keys.Date {
		return at.Format(time.DateOnly), at.UnixMicro()
	}
	return at.Format(time.RFC3339Nano), at.UnixMicro()
}

// TestExistingRanges: the range of a field has exactly the items with values from `from` to `to`, in their order, in
// every format that a sort key can have.
func TestExistingRanges(t *testing.T) {
	type entry struct {
		order int64
		sk    keys.SK
	}
	for _, o := range orders {
		t.Run(o.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				delimiter := rapid.SampledFrom([]string{"#", "|", "/", ":", "::", "-", ".", "~"}).Draw(t, "delimiter")
				glue := rapid.SampledFrom([]string{"", "v", "@"}).Draw(t, "glue")
				d := o.design(delimiter, glue, rapid.Bool().Draw(t, "more"))
				typ, f := d.Type("Thing"), d.MustField("Query", "things")
				value := func(text string) keys.Value {
					v := keys.ArgumentValue(keys.Argument{Kind: o.kind}, text)
					if o.unit == 0 {
						n, _ := strconv.ParseInt(text, 10, 64)
						v = keys.IntValue(n)
					}
					return v
				}
				var entries []entry
				for i := range 12 {
					text, order := o.draw(t, fmt.Sprint("value ", i), true)
					key, set, err := typ.IndexKey(typ.Indexes[0], keys.Values{
						{Name: "id", Value: keys.StringValue(fmt.Sprint("t", i))}, {Name: "listId", Value: keys.StringValue("7")},
						{Name: "at", Value: value(text)},
					}.Get)
					if err != nil || !set {
						t.Fatalf("the entry of %s: %v, %v", text, set, err)
					}
					entries = append(entries, entry{order, key.SK})
				}
				slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(string(a.sk), string(b.sk)) })
				for i := range entries[1:] {
					if entries[i].order > entries[i+1].order {
						t.Fatalf("%q sorts before %q", entries[i].sk, entries[i+1].sk)
					}
				}
				from, low := o.draw(t, "from", false)
				to, high := o.draw(t, "to", false)
				if low > high {
					from, low, to, high = to, high, from, low
				}
				ends := map[string]any{"from": from, "to": to}
				if rapid.Bool().Draw(t, "no from") {
					low, ends["from"] = -1<<63, nil
				}
				if rapid.Bool().Draw(t, "no to") {
					high, ends["to"] = 1<<63-1, nil
				}
				c, err := conditionOf(f, map[string]any{"list": "7", "at": ends})
				if err != nil {
					t.Fatal(err)
				}
				first, last := c.Bounds()
				for _, e := range entries {
					in := !c.IsEmpty() && first <= e.sk && e.sk <= last
					if want := low <= e.order && e.order <= high; in != want {
						t.Fatalf("%q in %q to %q (%v): %v", e.sk, first, last, ends, in)
					}
					if o.variable == "" {
						number := func(text keys.SK) float64 {
							n, err := strconv.ParseFloat(keys.KeyNumber(string(text)), 64)
							if err != nil {
								t.Fatal(err)
							}
							return n
						}
						n, a, b := number(e.sk), number(first), number(last)
						if inNumbers := !c.IsEmpty() && a <= n && n <= b; inNumbers != in {
							t.Fatalf("%g in %g to %g: %v", n, a, b, inNumbers)
						}
					}
				}
			})
		})
	}
}
