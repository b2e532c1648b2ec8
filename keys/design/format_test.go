package design_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

// TestTimesInWholeSeconds: a time with a fraction is not in the format SECONDS. If it were read as one, conditions on
// it would not hold, and a repair would cut its keys.
func TestTimesInWholeSeconds(t *testing.T) {
	design := design.MustDesign(nil, []*design.Type{{
		Name: "Event", Item: shape("EVENT#{at}", "EVENT"), Identity: []string{"at"},
		Attributes: []design.Attribute{{Name: "at", Kind: keys.Time, As: keys.Seconds}},
	}}, nil)
	for stored, c := range map[string]struct {
		at     string
		agrees bool
	}{
		"2024-01-15T10:30:00Z":     {"2024-01-15T10:30:00.000Z", true},
		"2024-01-15T10:30:00.5Z":   {"=2024-01-15T10:30:00.5Z", false},
		"2024-01-15T10:30:00.500Z": {"=2024-01-15T10:30:00.500Z", false},
	} {
		raw := item.Item{
			{Name: "PK", Value: item.StringValue("EVENT#" + stored)}, {Name: "SK", Value: item.StringValue("EVENT")},
			{Name: item.EntityType, Value: item.StringValue("Event")}, {Name: "at", Value: item.StringValue(stored)},
		}
		it := design.FromStored(raw)
		if at, agrees := it.Text("at"), design.Types[0].Agrees(it); at != c.at || agrees != c.agrees {
			t.Errorf("%s is read as %s, and its key agrees: %v", stored, at, agrees)
		}
		if back := design.ToStored(it).Text("at"); back != stored {
			t.Errorf("%s is written as %s", stored, back)
		}
	}
}

// TestValuesInOtherFormats: a value that is not in the format of its field is not read as one, and is written back as
// it is. If a text in the default format were read although the field has another one, conditions on it would never
// hold.
func TestValuesInOtherFormats(t *testing.T) {
	number := func(text string) item.Value { return item.Value{Kind: item.Number, Text: text} }
	text := item.StringValue
	for _, c := range []struct {
		as   keys.Format
		kind keys.Kind
		// canonical is what the field has; a value that is not in the format is no time.
		stored, canonical item.Value
	}{
		{keys.EpochSeconds, keys.Time, number("1705314600"), text("2024-01-15T10:30:00.000Z")},
		{keys.EpochSeconds, keys.Time, number("1.7053146E+9"), text("2024-01-15T10:30:00.000Z")},
		{keys.EpochMillis, keys.Time, number("1705314600500"), text("2024-01-15T10:30:00.500Z")},
		{keys.EpochSeconds, keys.Date, number("1705276800"), text("2024-01-15")},
		{keys.EpochSeconds, keys.Time, text("2024-01-15T10:30:00.000Z"), text("=2024-01-15T10:30:00.000Z")},
		{keys.EpochMillis, keys.Time, text("1705314600500"), text("=1705314600500")},
		// Milliseconds where seconds are declared: the year 56009.
		{keys.EpochSeconds, keys.Time, number("1705314600500"), number("1705314600500")},
		{keys.EpochSeconds, keys.Time, number("-99999999999"), number("-99999999999")},
		{keys.Seconds, keys.Time, text("2024-01-15T10:30:00.000Z"), text("=2024-01-15T10:30:00.000Z")},
		{keys.Seconds, keys.Time, number("1705314600"), number("1705314600")},
		{keys.SecondsNoZone, keys.Time, text("2020-06-21T19:18:00"), text("2020-06-21T19:18:00.000Z")},
		{keys.SecondsNoZone, keys.Time, text("2020-06-21T19:18:00Z"), text("=2020-06-21T19:18:00Z")},
		{keys.SecondsNoZone, keys.Time, text("2020-06-21T19:18"), text("=2020-06-21T19:18")},
		{keys.EpochSecondsText, keys.Time, text("1705314600"), text("2024-01-15T10:30:00.000Z")},
		{keys.EpochSecondsText, keys.Date, text("1705276800"), text("2024-01-15")},
		{keys.EpochSecondsText, keys.Time, text("0705314600"), text("=0705314600")},
		{keys.EpochSecondsText, keys.Time, text("1705314600.5"), text("=1705314600.5")},
		{keys.EpochSecondsText, keys.Time, number("1705314600"), number("1705314600")},
		{keys.DayOnly, keys.Time, text("2024-01-15T10:30:00.000Z"), text("=2024-01-15T10:30:00.000Z")},
		{keys.NumberText, keys.Int, text("7"), number("7")},
		{keys.NumberText, keys.Int, text("seven"), text("=seven")},
	} {
		design := design.MustDesign(nil, []*design.Type{{
			Name: "Event", Item: shape("EVENT#{id}", "EVENT"), Identity: []string{"id"},
			Attributes: []design.Attribute{{Name: "id", Kind: keys.String}, {Name: "at", Kind: c.kind, As: c.as}},
		}}, nil)
		it := design.FromStored(item.Item{
			{Name: "PK", Value: text("EVENT#1")}, {Name: "SK", Value: text("EVENT")},
			{Name: item.EntityType, Value: text("Event")}, {Name: "at", Value: c.stored},
		})
		if at, _ := it.Get("at"); !at.Equal(c.canonical) {
			t.Errorf("%s %v is read as %v, not %v", c.as, c.stored, at, c.canonical)
		}
		if c.stored.Text == "1.7053146E+9" {
			continue // It is the same Number without the exponent.
		}
		if back, _ := design.ToStored(it).Get("at"); !back.Equal(c.stored) {
			t.Errorf("%s %v is written as %v", c.as, c.stored, back)
		}
	}
}

// placed is the key of an index of a text and a Number.
var placed = keys.KeyAttributes{{Name: "place"}, {Name: "n", Number: true}}

// placedText returns the text of a key.
func placedText(place, n string) string {
	return placed.Text(item.Item{
		{Name: "place", Value: item.StringValue(place)}, {Name: "n", Value: item.Value{Kind: item.Number, Text: n}},
	})
}

// TestSeveralKeyAttributes: the texts of a key of several attributes have the order of the attributes, one after the
// other, and contain them, whatever characters they have.
func TestSeveralKeyAttributes(t *testing.T) {
	var texts []string
	for _, place := range []string{"a", "a\x00b", "a\x01", "a\x01b", "a\x02", "a\x02\x02", "a b", "a#b", "ab", "b"} {
		for _, n := range []string{"-10", "-9.5", "0", "5", "10"} {
			text := placedText(place, n)
			texts = append(texts, text)
			first, rest := placed.Cut(text)
			second, rest := placed.Cut(rest)
			if first != place || keys.KeyNumber(second) != n || rest != "" {
				t.Errorf("%q, %s: %q, %q and %q", place, n, first, keys.KeyNumber(second), rest)
			}
		}
	}
	if !slices.IsSorted(texts) || len(slices.Compact(slices.Clone(texts))) != len(texts) {
		t.Errorf("the texts are not in the order of the attributes: %q", texts)
	}
	if text := placed.Text(item.Item{{Name: "place", Value: item.StringValue("a")}}); text != "" {
		t.Errorf("an item that lacks an attribute has the key %q", text)
	}
}

// TestShownKeyAttributes: what people see of a key can be typed in.
func TestShownKeyAttributes(t *testing.T) {
	ix := stored.IndexLayout{PK: placed, SK: placed}
	text := placedText("a#b", "-5")
	if shown := ix.ShowPK(keys.PK(text)); shown != "a#b␟-5" {
		t.Errorf("shown as %q", shown)
	}
	if pk, err := ix.ParsePK("a#b␟-5"); err != nil || string(pk) != text {
		t.Errorf("%q, %v", pk, err)
	}
	for _, bad := range []string{"a", "a␟b", "a␟1␟2"} {
		if pk, err := ix.ParsePK(bad); err == nil {
			t.Errorf("%q is %q", bad, pk)
		}
	}
	if sk, err := ix.ParseSK("a"); err != nil || sk != "a" {
		t.Errorf("the beginning of a sort key: %q, %v", sk, err)
	}
	const want = "place = a#b, n BETWEEN -5 AND 7"
	if got := placed.DescribeRange(keys.SK(text), keys.SK(placedText("a#b", "7"))); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// decoded returns parts as LITERAL<variable=text=value>.
func decoded(parts []keys.Part) string {
	var b strings.Builder
	for _, p := range parts {
		switch {
		case p.IsShard:
			b.WriteString("<shard " + p.Text + ">")
		case p.Variable == "":
			b.WriteString(p.Text)
		default:
			b.WriteString("<" + p.Variable + "=" + p.Text + "=" + p.Value + ">")
		}
	}
	return b.String()
}

// TestDecode: the texts of the parts are the key, and a text that is no key of the template is not decoded.
func TestDecode(t *testing.T) {
	for _, test := range []struct{ template, key, want string }{
		{"USER#{id}", "USER#a", "USER#<id=a=a>"},
		{"USER#{id}", "USER#a#b", "USER#<id=a#b=a#b>"},
		{"USER#{id}", "ORDER#a", ""},
		{"USER#{id}", "USER#", ""},
		{"ITEM#{line:04}#v{version:03}", "ITEM#0012#v007", "ITEM#<line=0012=12>#v<version=007=7>"},
		{"{at:day}#{id}", "2026-03-01#x", "<at=2026-03-01=2026-03-01>#<id=x=x>"},
		{"ALL", "ALL", "ALL"},
		{"A#{b}#C", "A#b#C", "A#<b=b=b>#C"},
		{"", "", ""},
	} {
		parts, ok := keys.MustTemplate(test.template).Decode(test.key)
		if got := decoded(parts); got != test.want || ok != (test.want != "" || test.template == "") {
			t.Errorf("%s of %s: got %s, %v", test.key, test.template, got, ok)
		}
	}
}

// TestTokens: a token is valid for its scope and its tenant alone.
func TestTokens(t *testing.T) {
	k, scope, position := keys.NewCursors([]byte("secret")), []string{"items", "a"}, []string{"x", "", "y"}
	token := k.Token("", scope, position)
	if got, ok := k.ParseToken("", scope, token); !ok || strings.Join(got, "|") != "x||y" {
		t.Errorf("got %q, %v", got, ok)
	}
	for name, parse := range map[string]func() ([]string, bool){
		"another scope":  func() ([]string, bool) { return k.ParseToken("", []string{"items", "b"}, token) },
		"a longer scope": func() ([]string, bool) { return k.ParseToken("", []string{"items", "a", ""}, token) },
		"a tenant":       func() ([]string, bool) { return k.ParseToken("t", scope, token) },
		"another secret": func() ([]string, bool) { return keys.NewCursors(nil).ParseToken("", scope, token) },
		"a changed text": func() ([]string, bool) { return k.ParseToken("", scope, token[:len(token)-4]+"AAAA") },
		"no token":       func() ([]string, bool) { return k.ParseToken("", scope, "x") },
		"nothing":        func() ([]string, bool) { return k.ParseToken("", scope, "") },
	} {
		if got, ok := parse(); ok {
			t.Errorf("%s: got %q", name, got)
		}
	}
}
