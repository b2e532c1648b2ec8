package item_test

import (
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/item"
)

type colour string

func (c colour) IsValid() bool { return c == "RED" }

type point struct{ X, Y int }

func newPoint(it item.Item) (*point, error) {
	d := &item.Decoder{Item: it}
	p := &point{X: item.Required(d, "x", item.AsInt), Y: item.Required(d, "y", item.AsInt)}
	return p, d.Err(p)
}

func pointValue(p *point) item.Value {
	return item.MapValue(item.Item{{Name: "x", Value: item.NumberValue(p.X)}, {Name: "y", Value: item.NumberValue(p.Y)}})
}

// record has a field of every kind that a model can have.
type record struct {
	Text     string
	Note     *string
	Count    int
	Share    float64
	Done     bool
	At       time.Time
	Colour   colour
	Where    *point
	Path     []*point
	Tags     []string
	Gaps     []*string
	Missing  *int
	NoWhere  *point
	NoTags   []string
	NoColour *colour
}

func (r record) item() item.Item {
	return item.Item{
		{Name: "text", Value: item.StringValue(r.Text)},
		{Name: "note", Value: item.NullableValue(r.Note, item.StringValue)},
		{Name: "count", Value: item.NumberValue(r.Count)},
		{Name: "share", Value: item.FloatValue(r.Share)},
		{Name: "done", Value: item.BoolValue(r.Done)},
		{Name: "at", Value: item.TimeValue(r.At)},
		{Name: "colour", Value: item.TextValue(r.Colour)},
		{Name: "where", Value: pointValue(r.Where)},
		{Name: "path", Value: item.ListOf(r.Path, pointValue)},
		{Name: "tags", Value: item.ListOf(r.Tags, item.StringValue)},
		{Name: "gaps", Value: item.ListOf(r.Gaps, nullableString)},
		{Name: "missing", Value: item.NullableValue(r.Missing, item.NumberValue)},
		{Name: "noTags", Value: item.NullableListOf(r.NoTags, item.StringValue)},
	}
}

func decode(it item.Item, partial bool) (record, error) {
	d := &item.Decoder{Item: it, Partial: partial}
	r := record{
		Text:     item.Required(d, "text", item.AsString),
		Note:     item.Optional(d, "note", item.AsString),
		Count:    item.Required(d, "count", item.AsInt),
		Share:    item.Required(d, "share", item.AsFloat),
		Done:     item.Required(d, "done", item.AsBool),
		At:       item.Required(d, "at", item.AsTime),
		Colour:   item.Required(d, "colour", item.AsEnum[colour]),
		Where:    item.Required(d, "where", item.AsMap(newPoint)),
		Path:     item.Required(d, "path", item.AsList(item.AsMap(newPoint))),
		Tags:     item.Required(d, "tags", item.AsList(item.AsString)),
		Gaps:     item.Required(d, "gaps", item.AsList(item.AsNullable(item.AsString))),
		Missing:  item.Optional(d, "missing", item.AsInt),
		NoWhere:  item.OrZero(d, "noWhere", item.AsMap(newPoint)),
		NoTags:   item.OrZero(d, "noTags", item.AsList(item.AsString)),
		NoColour: item.Optional(d, "noColour", item.AsEnum[colour]),
	}
	return r, d.Err(&r)
}

func whole() record {
	note := "a note"
	return record{
		Text: "", Note: &note, Count: -7, Share: 0.25, Done: true,
		At:     time.Date(2026, time.January, 31, 9, 30, 0, 5e6, time.UTC),
		Colour: "RED", Where: &point{1, 2}, Path: []*point{{3, 4}, {5, 6}},
		Tags: []string{}, Gaps: []*string{nil, &note},
	}
}

func TestWhatIsEncodedDecodes(t *testing.T) {
	want := whole()
	got, err := decode(want.item(), false)
	fatal.If(t, err)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestWithoutNulls(t *testing.T) {
	for _, a := range whole().item().WithoutNulls() {
		if a.Name == "missing" || a.Name == "noTags" {
			t.Errorf("%s is kept though it is NULL", a.Name)
		}
	}
}

func nullableString(s *string) item.Value { return item.NullableValue(s, item.StringValue) }

func TestDecoderNamesTheFault(t *testing.T) {
	for _, c := range []struct {
		name  string
		value item.Value
		want  string
	}{
		{"text", item.Value{}, "item: Record.text: the attribute is missing"},
		{"text", item.NumberValue(1), "item: Record.text: the attribute is a Number where a String was expected"},
		{"count", item.FloatValue(1.5), "item: Record.count: the number is not an Int"},
		{"count", item.Value{Kind: item.Number, Text: "1e300"}, "item: Record.count: the number is not an Int"},
		{"count", item.IntValue(1 << 31), "item: Record.count: the number is not an Int: it has more than 32 bits"},
		{"missing", item.IntValue(-1<<31 - 1), "item: Record.missing: the number is not an Int: it has more than 32 bits"},
		{"at", item.StringValue("2026-01-31"), "item: Record.at: the text is not a time as 2006-01-02T15:04:05.000Z"},
		{"colour", item.StringValue("GREEN"), "item: Record.colour: the text is not a value of the enum"},
		{"where", item.StringValue("here"), "item: Record.where: the attribute is a String where a Map was expected"},
		{
			"where", item.MapValue(item.Item{{Name: "x", Value: item.NumberValue(1)}}),
			"item: Record.where.y: the attribute is missing",
		},
		{
			"tags", item.ListValue([]item.Value{item.StringValue("a"), item.BoolValue(true)}),
			"item: Record.tags: element 1: the attribute is a Boolean where a String was expected",
		},
		{"note", item.BoolValue(true), "item: Record.note: the attribute is a Boolean where a String was expected"},
	} {
		it := append(whole().item(), item.Attribute{Name: item.EntityType, Value: item.StringValue("Record")})
		for i := range it {
			if it[i].Name == c.name {
				it[i].Value = c.value
			}
		}
		if _, err := decode(it, false); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

func TestAsIntReadsNumbersAsDynamoDBWritesThem(t *testing.T) {
	for text, want := range map[string]int{
		"7": 7, "-0": 0, "7.0": 7, "1E+3": 1000, "2147483647": 1<<31 - 1, "-2.147483648E9": -1 << 31,
	} {
		if got, err := item.AsInt(item.Value{Kind: item.Number, Text: text}); err != nil || got != want {
			t.Errorf("%s: got %d, %v, want %d", text, got, err, want)
		}
	}
}

func TestPartialItemsLackAttributes(t *testing.T) {
	got, err := decode(item.Item{{Name: "text", Value: item.StringValue("known")}}, true)
	if err != nil || got.Text != "known" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestAsInt64(t *testing.T) {
	for text, want := range map[string]int64{
		"9223372036854775807": math.MaxInt64, "-9223372036854775808": math.MinInt64, "9007199254740993": 1<<53 + 1,
		"9.007199254740993E+15": 1<<53 + 1, "1E+18": 1e18, "12300E-2": 123, "7.0": 7, "0": 0,
	} {
		if n, err := item.AsInt64(item.Value{Kind: item.Number, Text: text}); err != nil || n != want {
			t.Errorf("%s: got %d, %v", text, n, err)
		}
	}
	for _, v := range []item.Value{
		{Kind: item.Number, Text: "9223372036854775808"}, {Kind: item.Number, Text: "1E+125"},
		{Kind: item.Number, Text: "1E-125"}, {Kind: item.Number, Text: "1.5"},
		{Kind: item.Number, Text: "1.0000000000000000000000000000000000001"},
		item.StringValue("7"), {},
	} {
		if n, err := item.AsInt64(v); err == nil {
			t.Errorf("%v: got %d", v, n)
		}
	}
}
