package design_test

import (
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
