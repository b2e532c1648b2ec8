package keys_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/partita/partita/internal/fatal"
	_ "github.com/partita/partita/internal/soak" // the cases of rapid
	"github.com/partita/partita/keys"
)

func TestParseTemplateErrors(t *testing.T) {
	for text, want := range map[string]string{
		"USER #{id}":       `' ' is not allowed in a key`,
		"USER#{id":         `'{' without '}' in "{id"`,
		"USER#id}":         `'}' is not allowed in a key`,
		"{a??}":            `{a??} does not name a field`,
		"{a:lower?}":       `{a:lower?}: a format is a zero and a width`,
		"{}":               `{} does not name a field`,
		"{1st}":            `{1st} does not name a field`,
		"{a b}":            `{a b} does not name a field`,
		"{a{b}":            `{a{b} does not name a field`,
		"{n:4}":            `{n:4}: a format is a zero and a width`,
		"{n:00}":           `{n:00}: a format is a zero and a width`,
		"{n:020}":          `{n:020}: a format is a zero and a width`,
		"{n:}":             `{n:}: a format is a zero and a width`,
		"{at:week}":        `{at:week}: a format is a zero and a width`,
		"A#{n:0x4}#{b:day": `{n:0x4}: a format is a zero and a width`,
	} {
		_, err := keys.ParseTemplate(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseTemplate(%q): %v, want an error with %q", text, err, want)
		}
	}
}

// What is stored lies on other people's disks: these texts must never change.
func TestStoredKeys(t *testing.T) {
	at := time.Date(2026, 1, 31, 9, 30, 0, 7_999_999, time.FixedZone("", -3600))
	values := map[string]keys.Value{
		"id":     keys.IDValue(keys.NewID("User", "0193")),
		"n":      keys.IntValue(42),
		"at":     keys.TimeValue(at),
		"status": keys.EnumValue("PENDING"),
		"gone":   keys.BooleanValue(false),
		"day":    keys.DateValue(keys.DateOf(at)),
		"name":   keys.StringValue("Zoë: 50 % / [x]"),
	}
	for text, want := range map[string]string{
		"":                  "",
		"USERS":             "USERS",
		"USER#{id}":         "USER#0193",
		"ITEM#{n:04}":       "ITEM#0042",
		"v{n:07}":           "v0000042",
		"{n}":               "42",
		"{n:02}":            "42",
		"ORDER#{at}#{id}":   "ORDER#2026-01-31T10:30:00.007Z#0193",
		"{at:year}":         "2026",
		"{at:month}":        "2026-01",
		"{at:day}":          "2026-01-31",
		"D#{id}#{at:hour}":  "D#0193#2026-01-31T10",
		"{status}#{gone}":   "PENDING#false",
		"{day}#X":           "2026-01-31#X",
		"{name}":            "Zoë: 50 % / [x]",
		"A#B-c_d.e":         "A#B-c_d.e",
		"ORDER#":            "ORDER#",
		"É{id}":             "É0193",
		"{id}#{id}#id{n}##": "0193#0193#id42##",
	} {
		got, err := keys.MustTemplate(text).Build(func(name string) keys.Value { return values[name] })
		if err != nil || got != want {
			t.Errorf("%s builds %q, %v, want %q", text, got, err, want)
		}
	}
}

// A time may contain the delimiter, and so may what a bucket cuts off.
func TestBucketsWithAnyDelimiter(t *testing.T) {
	for _, delimiter := range []string{"#", ":", "-", "T", ".", "Z"} {
		for bucket, want := range map[string]string{"year": "2026", "hour": "2026-01-31T10"} {
			key, err := keys.MustDelimited(delimiter, "D"+delimiter+"{at:"+bucket+"}").Build(func(string) keys.Value {
				return keys.TimeValue(time.Date(2026, 1, 31, 10, 30, 0, 7e6, time.UTC))
			})
			if err != nil || key != "D"+delimiter+want {
				t.Errorf("with %s: %q, %v, want %s", delimiter, key, err, want)
			}
		}
	}
}

// A key is divided where it was joined, or not built, with any delimiter and with values of its characters.
func TestDelimiters(t *testing.T) {
	for _, delimiter := range []string{"#", "|", "::", "--", ":-:"} {
		template := keys.MustDelimited(delimiter, "{x}"+delimiter+"X{y}")
		var texts []string
		for _, x := range append(strings.Split(delimiter, ""), "a") {
			for _, y := range append(strings.Split(delimiter, ""), "", "a") {
				texts = append(texts, x+y, x+y+x, "a"+x+y)
			}
		}
		built := 0
		for _, x := range texts {
			for _, y := range texts {
				values := map[string]keys.Value{"x": keys.StringValue(x), "y": keys.StringValue(y)}
				key, err := template.Build(func(name string) keys.Value { return values[name] })
				if err != nil {
					continue
				}
				built++
				if got, ok := template.Match(key); !ok || !slices.Equal(got, []string{x, y}) {
					t.Errorf("%q of %q and %q has %q", key, x, y, got)
				}
			}
		}
		if built == 0 {
			t.Errorf("no key with the delimiter %s", delimiter)
		}
	}
}

func TestLeading(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "",
		"{id}":                "",
		"LATEST":              "LATEST",
		"ORDER#{at}#{id}":     "ORDER#",
		"v{n:07}":             "v",
		"A#B#c{x}#D":          "A#B#c",
		"COUNTRY#{c}#STATE#a": "COUNTRY#",
	} {
		if got := keys.MustTemplate(text).Leading(); got != want {
			t.Errorf("%q leads with %q, want %q", text, got, want)
		}
	}
}

func TestMatchRejects(t *testing.T) {
	for text, bad := range map[string][]string{
		"":                 {"x", "#"},
		"USER#{id}":        {"", "USER", "USER#", "USERS#7", "USER#7#8", "XUSER#7", "USER#\x01", "USER#\xff"},
		"ITEM#{n:04}":      {"ITEM#1", "ITEM#00001", "ITEM#-001", "ITEM#0x01", "ITEM#000a"},
		"{at:day}#{id}":    {"2026-01#7", "2026-01-31", "2026-01-31T09#7"},
		"A#LATEST":         {"A#LATES", "A#LATEST#", "A#LATEST1"},
		"{a}#{b}":          {"#", "x#", "#x", "x#y#z"},
		"ORDER#{at}#{id}#": {"ORDER#a#b", "ORDER#a#b#c"},
	} {
		for _, key := range bad {
			if got, ok := keys.MustTemplate(text).Match(key); ok {
				t.Errorf("%q matches %q as %q", text, key, got)
			}
		}
	}
}

// value draws a text that is allowed in a key: ':' and '%' are the ID's own delimiters, space and
// '$' sort around the key's.
func value(t *rapid.T, label string) string {
	return rapid.StringMatching(`[ !"$%:a-zA-Z0-9äß€😀./~-]{1,12}`).Draw(t, label)
}

func TestBuildThenMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		segment := rapid.SampledFrom([]string{"", "LIT", "{s}", "x{s}", "{n:06}", "v{n:06}", "{n}", "{at:month}"})
		segments := rapid.SliceOfN(segment, 1, 5).Draw(t, "segments")
		template := keys.MustTemplate(strings.Join(segments, "#"))
		if template.String() == "" {
			return
		}
		text, n := value(t, "s"), rapid.IntRange(0, 999_999).Draw(t, "n")
		at := time.UnixMilli(rapid.Int64Range(0, 4e12).Draw(t, "at"))
		values := map[string]keys.Value{"s": keys.StringValue(text), "n": keys.IntValue(n), "at": keys.TimeValue(at)}
		built, err := template.Build(func(name string) keys.Value { return values[name] })
		fatal.If(t, err)
		got, ok := template.Match(built)
		if !ok || len(got) != len(template.Variables()) {
			t.Fatalf("%q does not match its own %q: %q", template, built, got)
		}
		again := map[string]string{}
		for i, name := range template.Variables() {
			again[name] = got[i]
		}
		rebuilt, err := template.Build(func(name string) keys.Value { return keys.StringValue(again[name]) })
		if err != nil || rebuilt != built {
			t.Fatalf("%q matches %q as %q, which builds %q, %v", template, built, got, rebuilt, err)
		}
		if !strings.HasPrefix(built, template.Leading()) {
			t.Fatalf("%q does not begin with %q", built, template.Leading())
		}
	})
}

func build(t *rapid.T, template string, v keys.Value) string {
	text, err := keys.MustTemplate(template).Build(func(string) keys.Value { return v })
	fatal.If(t, err)
	return text
}

func TestNumberOrderIsTextOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Custom(func(t *rapid.T) int {
			return rapid.IntRange(0, 1<<rapid.IntRange(0, 63).Draw(t, "bits")-1).Draw(t, "n")
		})
		a, b := number.Draw(t, "a"), number.Draw(t, "b")
		x, y := build(t, "v{n:019}#x", keys.IntValue(a)), build(t, "v{n:019}#x", keys.IntValue(b))
		if cmp.Compare(x, y) != cmp.Compare(a, b) {
			t.Fatalf("%d and %d are %q and %q", a, b, x, y)
		}
	})
}

// instant draws a time of the years 0000 to 9999 in any zone, often close to
// another one.
func instant(t *rapid.T, label string) time.Time {
	const first, last = -62167219200, 253402300799
	seconds := rapid.OneOf(
		rapid.Int64Range(first, last), rapid.Int64Range(1767225600, 1767225602), rapid.Int64Range(-1, 1),
	).Draw(t, label)
	ns := rapid.OneOf(rapid.Int64Range(0, 999_999_999), rapid.Int64Range(0, 3_000_000)).Draw(t, label+" ns")
	zone := 60 * rapid.IntRange(-14*60, 14*60).Draw(t, label+" zone")
	return time.Unix(seconds, ns).In(time.FixedZone("", zone))
}

func TestTimeOrderIsTextOrder(t *testing.T) {
	cut := map[string]func(time.Time) time.Time{
		"{at}": func(t time.Time) time.Time { return time.UnixMilli(t.UnixMilli()) },
		"{at:hour}": func(t time.Time) time.Time {
			return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), 0, 0, 0, time.UTC)
		},
		"{at:day}":   func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC) },
		"{at:month}": func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC) },
		"{at:year}":  func(t time.Time) time.Time { return time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC) },
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := instant(t, "a"), instant(t, "b")
		for template, cut := range cut {
			x, y := build(t, template, keys.TimeValue(a)), build(t, template, keys.TimeValue(b))
			if cmp.Compare(x, y) != cut(a.UTC()).Compare(cut(b.UTC())) {
				t.Fatalf("%s: %s and %s are %q and %q", template, a, b, x, y)
			}
		}
	})
}

// TestRangeEndsAreExact checks that a range contains a stored time exactly if the time is not
// before from and not after to.
func TestRangeEndsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stored := instant(t, "stored").Truncate(time.Millisecond)
		end := instant(t, "end")
		text := build(t, "{at}", keys.TimeValue(stored))
		if end.UTC().Year() < 9999 {
			from := build(t, "{at}", keys.EarliestTime(end))
			if (text >= from) != !stored.Before(end) {
				t.Fatalf("from %s is %q, stored is %q", end, from, text)
			}
		}
		to := build(t, "{at}", keys.TimeValue(end))
		if (text <= to) != !stored.After(end) {
			t.Fatalf("to %s is %q, stored is %q", end, to, text)
		}
	})
}

func TestTimeOutsideOfTheCalendar(t *testing.T) {
	late, early := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(-1, 12, 31, 23, 59, 59, 0, time.UTC)
	for _, at := range []time.Time{late, early} {
		for _, v := range []keys.Value{keys.TimeValue(at), keys.EarliestTime(at)} {
			_, err := keys.MustTemplate("{at}").Build(func(string) keys.Value { return v })
			wantInputError(t, err, "at", "at: a time must lie in the years 0000 to 9999")
		}
	}
}

func TestMustTemplatePanics(t *testing.T) {
	defer func() {
		if text, _ := recover().(string); !strings.HasPrefix(text, "keys: bug in generated code: ") {
			t.Errorf("MustTemplate panicked with %q", text)
		}
	}()
	keys.MustTemplate("{")
}

// TestDescribe describes a key, with {name} for a value that is unset or not allowed in a key.
func TestDescribe(t *testing.T) {
	unknown := func(name string) string { return "{" + name + "}" }
	span := keys.RangeValue(keys.IntValue(1), keys.IntValue(2))
	for _, c := range []struct {
		values keys.Values
		want   string
	}{
		{nil, "ORDER#{id}#{line}"},
		{keys.Values{{Name: "id", Value: keys.StringValue("7")}, {Name: "line", Value: keys.IntValue(3)}}, "ORDER#7#0003"},
		{keys.Values{{Name: "id", Value: keys.StringValue("a#b")}, {Name: "line", Value: span}}, "ORDER#{id}#{line}"},
	} {
		if got := keys.MustTemplate("ORDER#{id}#{line:04}").Describe(c.values.Get, unknown); got != c.want {
			t.Errorf("%v: %s, want %s", c.values, got, c.want)
		}
	}
}

func TestBucketOfAVariable(t *testing.T) {
	template := keys.MustTemplate("DEVICE#{device}#{at:day}")
	if template.Bucket("at") != keys.Day || template.Bucket("device") != 0 || template.Bucket("other") != 0 {
		t.Errorf("the buckets are %d, %d, %d", template.Bucket("at"), template.Bucket("device"), template.Bucket("other"))
	}
}
