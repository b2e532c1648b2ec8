package design_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

// cell is the value of a field: in the Design, in the table, and in keys. plain is the text of a Value.
type cell struct {
	design.Attribute
	width      int
	canonical  item.Value
	stored     item.Value
	plain, key string
}

func digits(n int64) item.Value { return item.Value{Kind: item.Number, Text: strconv.FormatInt(n, 10)} }

// drawCell draws a field of any kind and format with a value.
func drawCell(t *rapid.T, name, delimiter string) cell {
	c := cell{Attribute: design.Attribute{Name: name}}
	if rapid.Bool().Draw(t, "renamed") {
		c.Stored = "_" + strings.ToUpper(name)
	}
	text := func(text string) {
		c.canonical, c.plain, c.key = item.StringValue(text), text, text
		c.stored = c.canonical
	}
	at := func(unit time.Duration) time.Time {
		// From 1970 to 2286, the years in which ten digits are enough for the seconds.
		ms := rapid.Int64Range(0, 9_999_999_999_999).Draw(t, "ms")
		return time.UnixMilli(ms).UTC().Truncate(unit)
	}
	date := func() time.Time {
		c.Kind = keys.Date
		day := at(24 * time.Hour)
		text(day.Format(time.DateOnly))
		return day
	}
	whole := func(unit time.Duration) time.Time {
		c.Kind = keys.Time
		at := at(unit)
		text(at.Format("2006-01-02T15:04:05.000Z"))
		return at
	}
	number := func(kind keys.Kind, n int64) {
		c.Kind, c.canonical, c.plain = kind, digits(n), fmt.Sprint(n)
		c.stored, c.width, c.key = c.canonical, 19, fmt.Sprintf("%019d", n)
	}
	epoch := func(as keys.Format, n int64, width int) {
		c.As, c.stored, c.width, c.key = as, digits(n), width, fmt.Sprintf("%0*d", width, n)
	}
	switch rapid.IntRange(0, 13).Draw(t, "format") {
	case 0:
		c.Kind = keys.String
		letters := strings.ReplaceAll("aZ9._é#-|/:", delimiter[:1], "")
		text(rapid.StringOfN(rapid.RuneFrom([]rune(letters)), 1, 5, -1).Draw(t, "text"))
	case 1:
		c.Kind = keys.Boolean
		is := rapid.Bool().Draw(t, "is")
		c.canonical, c.plain = item.BoolValue(is), fmt.Sprint(is)
		c.stored, c.key = c.canonical, c.plain
	case 2:
		number(keys.Int, rapid.Int64Range(0, 1<<31-1).Draw(t, "n"))
	case 3:
		number(keys.Int64, rapid.Int64Min(0).Draw(t, "n"))
	case 4:
		number(keys.Int, rapid.Int64Range(0, 1<<31-1).Draw(t, "n"))
		c.As, c.stored = keys.NumberText, item.StringValue(c.plain)
	case 5:
		whole(time.Millisecond)
	case 6:
		epoch(keys.EpochSeconds, whole(time.Second).Unix(), 10)
	case 7:
		epoch(keys.EpochMillis, whole(time.Millisecond).UnixMilli(), 13)
	case 8:
		at := whole(time.Second)
		c.key = strings.Replace(c.plain, ".000Z", "Z", 1)
		c.As, c.stored = keys.Seconds, item.TextValue(at.Format("2006-01-02T15:04:05Z"))
	case 9:
		c.key = whole(24 * time.Hour).Format(time.DateOnly)
		c.As, c.stored = keys.DayOnly, item.StringValue(c.key)
	case 10:
		date()
	case 11:
		at := whole(time.Second)
		c.key = strings.Replace(c.plain, ".000Z", "", 1)
		c.As, c.stored = keys.SecondsNoZone, item.TextValue(at.Format("2006-01-02T15:04:05"))
	case 12:
		epoch(keys.EpochSecondsText, whole(time.Second).Unix(), 10)
		c.stored = item.StringValue(c.stored.Text)
	default:
		if rapid.Bool().Draw(t, "millis") {
			epoch(keys.EpochMillis, date().UnixMilli(), 13)
		} else {
			epoch(keys.EpochSeconds, date().Unix(), 10)
		}
	}
	return c
}

func (c *cell) variable() string {
	if c.width > 0 {
		return fmt.Sprintf("{%s:0%d}", c.Name, c.width)
	}
	return "{" + c.Name + "}"
}

// existing is an existing table with one object: as the Design has it, and as the table has it.
type existing struct {
	design            *design.Design
	cells             []cell
	canonical, stored item.Item
	// inKeys are the stored names of attributes whose values are in keys.
	inKeys []string
}

func drawExisting(t *rapid.T) *existing {
	l := &stored.Layout{
		PK: keys.Named(rapid.SampledFrom([]string{"pk", "PK", "SK"}).Draw(t, "pk")), SK: keys.Named("sort"),
		Type:      rapid.SampledFrom([]string{"", "_et", "entityType"}).Draw(t, "type"),
		Delimiter: rapid.SampledFrom([]string{"#", "|", "/", ":", "::", "-"}).Draw(t, "delimiter"),
	}
	e := &existing{}
	for i := range rapid.IntRange(1, 6).Draw(t, "fields") {
		e.cells = append(e.cells, drawCell(t, string(rune('a'+i)), l.Delimiter))
	}
	template := func(literal string, cells []cell) (text, key string) {
		parts, values := []string{literal}, []string{literal}
		for _, c := range cells {
			glue := rapid.SampledFrom([]string{"", "v", "~"}).Draw(t, "glue")
			parts, values = append(parts, glue+c.variable()), append(values, glue+c.key)
		}
		return strings.Join(parts, l.Delimiter), strings.Join(values, l.Delimiter)
	}
	shape := func(literal string, pk, sk []cell) (s keys.Shape, key keys.Key) {
		pkText, pkKey := template(literal, pk)
		skText, skKey := template(literal, sk)
		s = keys.Shape{PK: keys.MustDelimited(l.Delimiter, pkText), SK: keys.MustDelimited(l.Delimiter, skText)}
		return s, keys.Key{PK: keys.PK(pkKey), SK: keys.SK(skKey)}
	}
	cut := rapid.IntRange(0, len(e.cells)).Draw(t, "cut")
	end := rapid.IntRange(cut, len(e.cells)).Draw(t, "end")
	typ := &design.Type{Name: "Thing", Value: rapid.SampledFrom([]string{"", "thing"}).Draw(t, "value")}
	for _, c := range e.cells {
		typ.Attributes = append(typ.Attributes, c.Attribute)
		typ.Identity = append(typ.Identity, c.Name)
	}
	var at, entry keys.Key
	typ.Item, at = shape("THING", e.cells[:cut], e.cells[cut:end])
	e.canonical = item.Item{text(keys.AttributePK, string(at.PK)), text(keys.AttributeSK, string(at.SK)),
		text(item.EntityType, "Thing")}
	e.stored = item.Item{text(l.PK.String(), string(at.PK)), text(l.SK.String(), string(at.SK))}
	if l.Type != "" {
		value := "Thing"
		if typ.Value != "" {
			value = typ.Value
		}
		e.stored = append(e.stored, text(l.Type, value))
	}
	inKeys := slices.Clone(e.cells[:end])
	if rapid.Bool().Draw(t, "index") {
		ix := design.Index{Name: "by.x"}
		l.Indexes = []stored.IndexLayout{{Name: ix.Name, PK: keys.Named("gsi1pk"), SK: keys.Named("gsi1sk")}}
		ix.Shape, entry = shape("BY", e.cells[:cut], e.cells[cut:])
		e.canonical = append(e.canonical, text("by.xPK", string(entry.PK)))
		e.stored = append(e.stored, text("gsi1pk", string(entry.PK)))
		// The last field may be the sort key itself, or there is none.
		last := e.cells[len(e.cells)-1]
		switch rapid.SampledFrom([]string{"own", "field", "none"}).Draw(t, "sort key") {
		case "own":
			e.canonical = append(e.canonical, text("by.xSK", string(entry.SK)))
			e.stored = append(e.stored, text("gsi1sk", string(entry.SK)))
			inKeys = e.cells
		case "none":
			l.Indexes[0].SK, ix.SK = nil, keys.Template{}
		case "field":
			if last.stored.Kind == item.Bool {
				t.Skip("a Boolean is no key")
			}
			l.Indexes[0].SK = keys.Named(last.StoredName())
			ix.SK = keys.MustDelimited(l.Delimiter, "{"+last.Name+"}")
			sk := last.stored.Text
			if last.stored.Kind == item.Number {
				sk = fmt.Sprintf("%019s", sk)
			}
			e.canonical = append(e.canonical, text("by.xSK", sk))
		}
		typ.Indexes = []design.Index{ix}
		if l.Indexes[0].SK.String() == last.StoredName() {
			inKeys = slices.DeleteFunc(slices.Clone(inKeys), func(c cell) bool { return c.Name == last.Name })
		}
	}
	for _, c := range e.cells {
		e.canonical = append(e.canonical, item.Attribute{Name: c.Name, Value: c.canonical})
		e.stored = append(e.stored, item.Attribute{Name: c.StoredName(), Value: c.stored})
	}
	// Attributes that no field declares, with the names of others in the Design.
	extra := rapid.SampledFrom([]string{"note", "a", "by.xPK", keys.AttributePK, item.EntityType}).Draw(t, "extra")
	if _, taken := e.stored.Find(extra); !taken && !l.PK.Has(extra) {
		e.stored = append(e.stored, text(extra, "x"))
		if _, taken := e.canonical.Find(extra); taken || extra == "by.xPK" && len(typ.Indexes) > 0 {
			extra = "=" + extra
		}
		e.canonical = append(e.canonical, text(extra, "x"))
	}
	for _, c := range inKeys {
		e.inKeys = append(e.inKeys, c.StoredName())
	}
	other := &design.Type{Name: "Other", Identity: []string{"id"}, Item: keys.Shape{
		PK: keys.MustDelimited(l.Delimiter, "OTHER"+l.Delimiter+"{id}"), SK: keys.MustTemplate("OTHER"),
	}}
	e.design = design.MustDesign(l, []*design.Type{other, typ}, nil)
	return e
}

func sorted(it item.Item) item.Item {
	byName := func(a, b item.Attribute) int { return strings.Compare(a.Name, b.Name) }
	return slices.SortedFunc(slices.Values(it), byName)
}

func sameItem(t *rapid.T, what string, got, want item.Item) {
	t.Helper()
	same := func(a, b item.Attribute) bool { return a.Name == b.Name && a.Value.Equal(b.Value) }
	if got, want := sorted(got), sorted(want); !slices.EqualFunc(got, want, same) {
		t.Fatalf("%s:\n%v, want\n%v", what, got, want)
	}
}

// TestExistingItems: an item of an existing table, whatever its names, formats and delimiter, is translated to that of
// the Design and back, even if it lacks attributes whose values are in its keys.
func TestExistingItems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawExisting(t)
		sameItem(t, "ToStored", e.design.ToStored(e.canonical), e.stored)
		sameItem(t, "FromStored", e.design.FromStored(e.stored), e.canonical)
		if got, want := e.design.Type("Thing").StoredSize(e.canonical), e.stored.Size(); got != want {
			t.Fatalf("%d bytes, want %d", got, want)
		}
		bare := slices.DeleteFunc(slices.Clone(e.stored), func(a item.Attribute) bool {
			return slices.Contains(e.inKeys, a.Name)
		})
		sameItem(t, "FromStored of keys", e.design.FromStored(bare), e.canonical)
	})
}

// TestExistingKeys: the key of an object follows from its attributes, these follow from the key, and the key of an item
// with another value does not agree.
func TestExistingKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawExisting(t)
		typ, key := e.design.Type("Thing"), keys.KeyOf(e.canonical)
		built, err := typ.Item.Key(func(name string) keys.Value { return keys.AttributeValue(e.canonical, name) })
		if err != nil || built != key {
			t.Fatalf("the key is %q, %v, want %q", built, err, key)
		}
		if got := e.design.TypeOf(key); got != typ {
			t.Fatalf("%q is of %v", key, got)
		}
		if !typ.Agrees(e.canonical) {
			t.Fatalf("%q does not agree", key)
		}
		names := slices.Concat(typ.Item.PK.Variables(), typ.Item.SK.Variables())
		pk, isPK := typ.Item.PK.Match(string(key.PK))
		sk, isSK := typ.Item.SK.Match(string(key.SK))
		values := slices.Concat(pk, sk)
		if !isPK || !isSK || len(values) != len(names) {
			t.Fatalf("%q has %q", key, values)
		}
		for i, name := range names {
			c := e.cells[slices.IndexFunc(e.cells, func(c cell) bool { return c.Name == name })]
			if values[i] != c.plain && (c.Kind != keys.Date || values[i] != c.plain+"T00:00:00.000Z") {
				t.Fatalf("%s of %q is %q, want %q", name, key, values[i], c.plain)
			}
			other := slices.Clone(e.canonical)
			at := slices.IndexFunc(other, func(a item.Attribute) bool { return a.Name == name })
			other[at].Value = changed(c)
			if typ.Agrees(other) {
				t.Fatalf("%q agrees with %v", key, other)
			}
			if typ.Agrees(slices.Delete(other, at, at+1)) {
				t.Fatalf("%q agrees without %s", key, name)
			}
		}
	})
}

// changed returns another value for the field of the cell.
func changed(c cell) item.Value {
	switch c.Kind {
	case keys.Boolean:
		return item.BoolValue(c.plain == "false")
	case keys.Int, keys.Int64:
		n, _ := strconv.ParseInt(c.plain, 10, 64)
		return digits(n ^ 1)
	case keys.Time:
		at, _ := time.Parse(time.RFC3339, c.plain)
		return item.TimeValue(at.Add(24 * time.Hour))
	case keys.Date:
		at, _ := time.Parse(time.DateOnly, c.plain)
		return item.StringValue(at.AddDate(0, 0, 1).Format(time.DateOnly))
	default:
		return item.StringValue(c.plain + "x")
	}
}

// TestTextForANumber: a text where the format is a Number is no value of the field, and is stored as it was.
func TestTextForANumber(t *testing.T) {
	design := design.MustDesign(&stored.Layout{PK: keys.Named("Id"), Type: "type", Delimiter: "#"}, []*design.Type{{
		Name: "Book", Item: keys.Shape{PK: keys.MustTemplate("{id}")}, Identity: []string{"id"},
		Attributes: []design.Attribute{
			{Name: "id", Kind: keys.Int, Stored: "Id", NonNull: true},
			{Name: "code", Kind: keys.String, As: keys.Number},
		},
	}}, nil)
	for _, text := range []string{"A#1", "7"} {
		stored := item.Item{
			{Name: "Id", Value: item.Value{Kind: item.Number, Text: "7"}},
			{Name: "type", Value: item.StringValue("Book")},
			{Name: "code", Value: item.StringValue(text)},
		}
		read := design.FromStored(stored)
		v, _ := read.Find("code")
		if got, err := item.AsString(v); err == nil {
			t.Errorf("%q is read as %q", text, got)
		}
		if code, _ := design.ToStored(read).Find("code"); !code.Equal(item.StringValue(text)) {
			t.Errorf("%q becomes %+v", text, code)
		}
	}
}
