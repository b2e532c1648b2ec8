package design_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

// payments is the design of a table with two indexes on ordinary attributes: one on an account and a Number, and one
// without a sort key.
func payments() *design.Design {
	layout := stored.DefaultLayout()
	layout.Indexes = []stored.IndexLayout{
		{Name: "by-amount", PK: keys.Named("account"), SK: keys.Named("amount")},
		{Name: "by-account", PK: keys.Named("account")},
	}
	byAmount, byAccount := shape("{account}", "{amount}"), keys.Shape{PK: keys.MustTemplate("{account}")}
	field := func(index string, arguments ...keys.Argument) *design.Field {
		return &design.Field{
			Parent: "Query", Name: index, Kind: design.Query, Index: index, PK: keys.MustTemplate("{account}"),
			Types:     []string{"Payment"},
			Arguments: append(arguments, keys.Argument{Name: "account", Kind: keys.String}),
		}
	}
	return design.MustDesign(layout, []*design.Type{{
		Name: "Payment", Item: shape("PAYMENT#{id}", "PAYMENT#{id}"), Identity: []string{"id"},
		Attributes: []design.Attribute{
			{Name: "id", Kind: keys.String}, {Name: "account", Kind: keys.String}, {Name: "amount", Kind: keys.Int64},
		},
		Indexes: []design.Index{
			{Name: "by-amount", Shape: byAmount, Shards: 1}, {Name: "by-account", Shape: byAccount, Shards: 1},
		},
	}}, []*design.Field{
		field("by-amount", keys.Argument{Name: "amount", Kind: keys.Int64, Range: true}), field("by-account"),
	})
}

// payment returns a stored item as the design has it.
func payment(d *design.Design, amount string) item.Item {
	return d.FromStored(item.Item{
		{Name: "PK", Value: item.StringValue("PAYMENT#p1")}, {Name: "SK", Value: item.StringValue("PAYMENT#p1")},
		{Name: "account", Value: item.StringValue("a")}, {Name: "amount", Value: item.Value{Kind: item.Number, Text: amount}},
	})
}

// inAccount returns the condition of a field for an account and a range of amounts.
func inAccount(f *design.Field, amount keys.Value) (design.Condition, error) {
	values := keys.Values{{Name: "account", Value: keys.StringValue("a")}, {Name: "amount", Value: amount}}
	return f.Bind(values.Get).Condition()
}

// TestNumberKeys: the texts of Number keys have the order of the numbers, negative ones included.
func TestNumberKeys(t *testing.T) {
	design := payments()
	field := design.Field("Query", "by-amount")
	numbers := []string{
		"-1" + zeros(125), "-12345678901234567890123456.5", "-12345678901234567890123456", "-10000000000000000000",
		"-9999999999999999999", "-9223372036854775808", "-100", "-10", "-9.55", "-9.5", "-9", "-1", "-0.5", "0",
		"0." + zeros(129) + "1", "0.5", "1", "9", "9.5", "9.55", "10",
		"100", "9223372036854775807", "9999999999999999999", "10000000000000000000",
		"12345678901234567890123456789012345678", "1" + zeros(100), "9" + zeros(125),
	}
	var texts []string
	for _, number := range numbers {
		it := payment(design, number)
		text := it.Text(keys.IndexSK("by-amount"))
		texts = append(texts, text)
		if got := keys.KeyNumber(text); got != number {
			t.Errorf("%s is %q, and that is %s", number, text, got)
		}
		if !field.Agrees(design.Types[0], it) {
			t.Errorf("%s: the key of the entry does not agree with the item", number)
		}
		whole, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			continue
		}
		amount := keys.RangeValue(keys.IntValue(whole), keys.IntValue(whole))
		c, err := inAccount(field, amount)
		if err != nil || string(c.From) != text || c.From != c.To {
			t.Errorf("a range of %s is from %q to %q, not %q: %v", number, c.From, c.To, text, err)
		}
	}
	if !slices.IsSorted(texts) {
		t.Errorf("the texts are not in the order of the numbers: %q", texts)
	}
}

func zeros(n int) string { return strings.Repeat("0", n) }

// TestNumberKeysWithExponents: DynamoDB sends large and small Numbers with an exponent. Their texts are those of all
// digits.
func TestNumberKeysWithExponents(t *testing.T) {
	for sent, want := range map[string]string{
		"1E+25": "1" + zeros(25), "-1.5E+25": "-15" + zeros(24), "9.9999999999999999999999999999999999999E+125": "9" +
			strings.Repeat("9", 37) + zeros(88), "1.5E-3": "0.0015", "-1E-130": "-0." + zeros(129) + "1",
	} {
		text := payment(payments(), sent).Text(keys.IndexSK("by-amount"))
		if got := keys.KeyNumber(text); text == "" || got != want {
			t.Errorf("%s has the text %q, and that is %s, not %s", sent, text, got, want)
		}
	}
	for _, no := range []string{"1E+126", "1" + zeros(126), "x", "1E", "+Inf"} {
		if text := payment(payments(), no).Text(keys.IndexSK("by-amount")); text != "" {
			t.Errorf("%s has the text %q", no, text)
		}
	}
}

// TestOpenRangeOfNumbers: a range without a lower end includes negative numbers.
func TestOpenRangeOfNumbers(t *testing.T) {
	amount := keys.RangeValue(keys.Value{}, keys.IntValue(9))
	c, err := inAccount(payments().Field("Query", "by-amount"), amount)
	if err != nil {
		t.Fatal(err)
	}
	from, to := keys.KeyNumber(string(c.From)), keys.KeyNumber(string(c.To))
	if from != "-9.9999999999999999999999999999999999999E+125" || to != "9" {
		t.Errorf("the range is from %s to %s", from, to)
	}
}

// TestCursorWithoutSortKey: the entries of an index without a sort key have positions, too.
func TestCursorWithoutSortKey(t *testing.T) {
	c, err := inAccount(payments().Field("Query", "by-account"), keys.Value{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.ParseCursor("after", c.Cursor(0, payment(payments(), "1")))
	want := keys.Position{Base: keys.Key{PK: "PAYMENT#p1", SK: "PAYMENT#p1"}}
	if err != nil || got.Position != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}

// TestNumberFormat: a text that is stored as a Number has one form, in attributes and in keys.
func TestNumberFormat(t *testing.T) {
	design := design.MustDesign(&stored.Layout{PK: keys.Named("n"), Delimiter: "#"}, []*design.Type{{
		Name: "T", Identity: []string{"n"}, MaxBytes: 100, Item: keys.Shape{PK: keys.MustDelimited("#", "{n}")},
		Attributes: []design.Attribute{{Name: "n", Kind: keys.IDKind, As: keys.Number, NonNull: true}},
	}}, nil)
	typ := design.Type("T")
	for _, text := range []string{"0", "-7", "101", "0.25", "12345678901234567890123456789012345678"} {
		a := typ.Attribute("n")
		if !typ.CanStore(a, item.StringValue(text)) ||
			!typ.Rounded(a, item.StringValue(text)).Equal(item.StringValue(text)) {
			t.Errorf("%s is not stored as it is", text)
		}
		key, err := typ.BaseKey(func(string) keys.Value { return keys.StringValue(text) })
		if pk, _ := design.Layout.ShowKey(key); err != nil || pk != text {
			t.Errorf("the key of %s is %s, %v", text, pk, err)
		}
	}
	for _, text := range []string{"", "007", "1.0", "1e3", "-0", "x", "123456789012345678901234567890123456789"} {
		if typ.CanStore(typ.Attribute("n"), item.StringValue(text)) {
			t.Errorf("%q can be stored", text)
		}
		if key, err := typ.BaseKey(func(string) keys.Value { return keys.StringValue(text) }); err == nil {
			t.Errorf("%q has the key %q", text, key)
		}
	}
	written := item.Value{Kind: item.Number, Text: "1.5E+3"}
	got := design.FromStored(item.Item{{Name: "n", Value: written}})
	if v, _ := got.Get("n"); v.Text != "1500" || v.Kind != item.String {
		t.Errorf("1.5E+3 is %+v", v)
	}
	if v, _ := design.ToStored(got).Get("n"); v.Text != "1500" || v.Kind != item.Number {
		t.Errorf("it is stored again as %+v", v)
	}
}

// scores is the design of an index whose sort key is a Float.
func scores() *design.Design {
	layout := stored.DefaultLayout()
	layout.Indexes = []stored.IndexLayout{{Name: "by-score", PK: keys.Named("game"), SK: keys.Named("score")}}
	return design.MustDesign(layout, []*design.Type{{
		Name: "Score", Item: shape("SCORE#{id}", "SCORE#{id}"), Identity: []string{"id"},
		Attributes: []design.Attribute{
			{Name: "id", Kind: keys.String}, {Name: "game", Kind: keys.String}, {Name: "score", Kind: keys.Float},
		},
		Indexes: []design.Index{{Name: "by-score", Shape: shape("{game}", "{score}"), Shards: 1}},
	}}, []*design.Field{{
		Parent: "Query", Name: "scores", Kind: design.Query, Index: "by-score", PK: keys.MustTemplate("{game}"),
		Types: []string{"Score"},
		Arguments: []keys.Argument{
			{Name: "game", Kind: keys.String}, {Name: "score", Kind: keys.Float, Range: true},
		},
	}})
}

// TestFloatKeys: a number has one key, however it is stored and given.
func TestFloatKeys(t *testing.T) {
	design := scores()
	field := design.Field("Query", "scores")
	for number, same := range map[string][]string{
		"8.3":   {"8.3", "8.30", "83e-1", "0.83E+1", "+8.3", "08.3"},
		"-8.25": {"-8.25", "-825E-2", "-8.250"},
		"1000":  {"1000", "1e3", "1E+3", "1000.0"},
		"0":     {"0", "-0", "0.0", "0E+9"},
		"0.001": {"0.001", "1e-3", ".001"},
	} {
		var want string
		for i, text := range same {
			it := design.FromStored(item.Item{
				{Name: "PK", Value: item.StringValue("SCORE#s")}, {Name: "SK", Value: item.StringValue("SCORE#s")},
				{Name: "game", Value: item.StringValue("g")}, {Name: "score", Value: item.Value{Kind: item.Number, Text: text}},
			})
			got := it.Text(keys.IndexSK("by-score"))
			if i == 0 {
				want = got
			}
			if got != want || keys.KeyNumber(got) != number {
				t.Errorf("%s is the key %q, and that is %s", text, got, keys.KeyNumber(got))
			}
			if !field.Agrees(design.Types[0], it) {
				t.Errorf("%s: the key of the entry does not agree with the item", text)
			}
			values, set, err := design.Types[0].IndexKey(design.Types[0].Indexes[0], func(name string) keys.Value {
				return keys.AttributeValue(it, name)
			})
			if err != nil || !set || string(values.SK) != want {
				t.Errorf("%s: the key is written as %q, %v", text, values.SK, err)
			}
		}
	}
}

// TestFloatArguments: the ends of a range have the keys of their numbers, whatever the caller has written.
func TestFloatArguments(t *testing.T) {
	field := scores().Field("Query", "scores")
	bind := func(from, to any) (design.Condition, error) {
		ends := map[string]any{"from": from, "to": to}
		values := keys.Values{
			{Name: "game", Value: keys.StringValue("g")},
			{Name: "score", Value: keys.ArgumentValue(keys.Argument{Kind: keys.Float, Range: true}, ends)},
		}
		return field.Bind(values.Get).Condition()
	}
	want, err := bind(-8.5, 10.0)
	if err != nil {
		t.Fatal(err)
	}
	for _, ends := range [][2]any{
		{json.Number("-8.50"), int64(10)}, {"-85e-1", json.Number("1e1")}, {-8.5, 10},
	} {
		if got, err := bind(ends[0], ends[1]); err != nil || got.From != want.From || got.To != want.To {
			t.Errorf("%v: %q to %q, %v", ends, got.From, got.To, err)
		}
	}
	for _, wrong := range []any{json.Number("1e400"), 1e200, 1e-200, "NaN", "Infinity", "abc", "", true} {
		if _, err := bind(wrong, nil); !isInputError(err) {
			t.Errorf("%v: %v", wrong, err)
		}
	}
}

func isInputError(err error) bool {
	_, is := errors.AsType[*keys.InputError](err)
	return is
}
