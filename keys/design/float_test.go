package design_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

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
