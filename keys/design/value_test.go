package design_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// TestArgumentValueAgrees draws values of a field's arguments. The condition of the values that
// gqlparser returns is the same as that of the values of the typed functions, which resolvers call.
func TestArgumentValueAgrees(t *testing.T) {
	type typed map[string]keys.Value
	number := func(t *rapid.T, label string) (any, keys.Value) {
		n := rapid.IntRange(-2, 12_000).Draw(t, label)
		raw := rapid.SampledFrom([]any{
			int64(n), n, float64(n), json.Number(strconv.Itoa(n)), strconv.Itoa(n), fmt.Sprintf("%+d", n),
		}).Draw(t, label+" as")
		return raw, keys.IntValue(n)
	}
	at := func(t *rapid.T, label string, value func(time.Time) keys.Value) (any, keys.Value) {
		if rapid.IntRange(0, 3).Draw(t, label+" is given") == 0 {
			return nil, keys.Value{}
		}
		i := instant(t, label)
		if y := i.Year(); y < 0 || y > 9999 {
			i = i.UTC()
		}
		return i.Format(time.RFC3339Nano), value(i)
	}
	draw := map[string]func(*rapid.T) (map[string]any, typed){
		"Query.user": func(t *rapid.T) (map[string]any, typed) {
			encoded := keys.NewID("User", value(t, "id")).Encode()
			text := rapid.OneOf(rapid.String(), rapid.Just(encoded), rapid.Just("VXNlcjo3Ojg")).Draw(t, "text")
			var id keys.ID
			if err := id.UnmarshalGQL(text); err != nil {
				t.Fatal(err)
			}
			return map[string]any{"id": text}, typed{"id": keys.IDValue(id)}
		},
		"Query.ordersByStatus": func(t *rapid.T) (map[string]any, typed) {
			from, earliest := at(t, "from", keys.EarliestTime)
			to, latest := at(t, "to", keys.TimeValue)
			status := rapid.SampledFrom([]string{"PAID", "PENDING"}).Draw(t, "status")
			return map[string]any{"status": status, "createdAt": map[string]any{"from": from, "to": to}},
				typed{"status": keys.EnumValue(status), "createdAt": keys.RangeValue(earliest, latest)}
		},
		"Query.versions": func(t *rapid.T) (map[string]any, typed) {
			doc := rapid.String().Draw(t, "doc")
			from, low := number(t, "from")
			to, high := number(t, "to")
			return map[string]any{"doc": doc, "version": map[string]any{"from": from, "to": to}},
				typed{"doc": keys.StringValue(doc), "version": keys.RangeValue(low, high)}
		},
		"Query.version": func(t *rapid.T) (map[string]any, typed) {
			doc := rapid.Ptr(rapid.String(), true).Draw(t, "doc")
			raw, n := number(t, "version")
			values := map[string]any{"version": raw}
			if doc != nil {
				values["doc"] = *doc
			}
			return values, typed{"doc": keys.Optional(doc, keys.StringValue), "version": n}
		},
	}
	for _, f := range shop.Fields {
		draw := draw[f.Coordinate()]
		if draw == nil {
			continue
		}
		t.Run(f.Coordinate(), rapid.MakeCheck(func(t *rapid.T) {
			raw, values := draw(t)
			ahead := describe(conditionOf(f, raw))
			resolved := describe(f.Bind(func(name string) keys.Value { return values[name] }).Condition())
			if ahead != resolved {
				t.Fatalf("%v makes\n%sas a document's argument, but as a resolver's\n%s", raw, ahead, resolved)
			}
		}))
	}
}

func TestArgumentOfAnotherKind(t *testing.T) {
	f := shop.MustField("Query", "version")
	for raw, message := range map[any]string{
		1.5:                  "version: this must be of type Int",
		float64(1 << 60):     "version: this must be of type Int",
		json.Number("1e400"): "version: this must be of type Int",
		"twelve":             "version: this must be of type Int",
		struct{}{}:           "version: this must be of type Int",
	} {
		_, err := conditionOf(f, map[string]any{"doc": "a", "version": raw})
		wantInputError(t, err, "version", message)
	}
}

func TestDateArgument(t *testing.T) {
	day := keys.Argument{Name: "day", Kind: keys.Date}
	template := keys.MustTemplate("{day}")
	text, err := template.Build(func(string) keys.Value { return keys.ArgumentValue(day, "2024-02-29") })
	if err != nil || text != "2024-02-29" {
		t.Errorf("the day is %q, %v", text, err)
	}
	_, err = template.Build(func(string) keys.Value { return keys.ArgumentValue(day, "2026-02-29") })
	wantInputError(t, err, "day", "day: a date must be an existing day written as yyyy-mm-dd, such as 2026-01-31")
}

func TestInt64Argument(t *testing.T) {
	template := keys.MustTemplate("{n:019}")
	build := func(raw any) (string, error) {
		argument := keys.Argument{Name: "n", Kind: keys.Int64}
		return template.Build(func(string) keys.Value { return keys.ArgumentValue(argument, raw) })
	}
	for _, raw := range []any{
		"9007199254740993", int64(9007199254740993), 9007199254740993, json.Number("9007199254740993"),
	} {
		if text, err := build(raw); err != nil || text != "0009007199254740993" {
			t.Errorf("%T: the key is %q, %v", raw, text, err)
		}
	}
	for _, raw := range []any{1.5, 1e3, json.Number("1e3"), "9223372036854775808", "", "a", true} {
		_, err := build(raw)
		wantInputError(t, err, "n", `n: an Int64 must be a whole number of 64 bits, such as "9007199254740993" or 42`)
	}
}

func TestRangeInPlaceOfAValue(t *testing.T) {
	two := keys.RangeValue(keys.IntValue(1), keys.Value{})
	_, err := shop.MustField("Query", "version").Bind(func(name string) keys.Value {
		return map[string]keys.Value{"doc": keys.StringValue("a"), "version": two}[name]
	}).Condition()
	wantInputError(t, err, "version", "version must be one value, not a range")
}

func TestAttributeValue(t *testing.T) {
	it := item.Item{
		{Name: "s", Value: item.StringValue("a")},
		{Name: "n", Value: item.IntValue(7)},
		{Name: "b", Value: item.BoolValue(true)},
		{Name: "null", Value: item.Value{}},
		{Name: "list", Value: item.ListValue([]item.Value{item.StringValue("a")})},
	}
	template := keys.MustTemplate("{v}")
	for name, want := range map[string]string{"s": "a", "n": "7", "b": "true"} {
		got, err := template.Build(func(string) keys.Value { return keys.AttributeValue(it, name) })
		if err != nil || got != want {
			t.Errorf("attribute %s is %q, %v, want %q", name, got, err, want)
		}
	}
	for _, name := range []string{"null", "list", "missing"} {
		if keys.AttributeValue(it, name).IsSet() {
			t.Errorf("attribute %s is set", name)
		}
	}
}

func TestKindNames(t *testing.T) {
	for kind, want := range map[keys.Kind]string{
		keys.String: "String", keys.IDKind: "ID", keys.Int: "Int", keys.Boolean: "Boolean",
		keys.Enum: "enum", keys.Time: "Time", keys.Date: "Date", keys.Int64: "Int64", keys.Other: "Kind(0)",
	} {
		if kind.String() != want {
			t.Errorf("%d is %s, want %s", kind, kind, want)
		}
	}
}

// TestGoString writes constants and templates as generated code has them.
func TestGoString(t *testing.T) {
	got := fmt.Sprintf("%#v", []any{
		[]keys.Kind{keys.Other, keys.String, keys.IDKind, keys.Int, keys.Boolean, keys.Enum, keys.Time, keys.Date,
			keys.Int64},
		[]design.FieldKind{design.Get, design.Query, design.Node, design.Nodes}, []design.Result{design.One, design.Many,
			design.Connection},
		keys.MustTemplate("A#{b:04}"),
	})
	want := `[]interface {}{[]keys.Kind{keys.Other, keys.String, keys.IDKind, keys.Int, ` +
		`keys.Boolean, keys.Enum, keys.Time, keys.Date, keys.Int64}, ` +
		`[]design.FieldKind{design.Get, design.Query, design.Node, design.Nodes}, ` +
		`[]design.Result{design.One, design.Many, design.Connection}, ` +
		`keys.MustTemplate("A#{b:04}")}`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTypeKey(t *testing.T) {
	ticket := &design.Type{
		Name:       "Ticket",
		Attributes: []design.Attribute{{Name: "id", Kind: keys.IDKind, Ref: "Ticket", NonNull: true}},
		Identity:   []string{"id"},
		Item:       shape("TICKET#{id}", "TICKET#{id}"),
	}
	key, err := ticket.Key(keys.Values{{Name: "id", Value: keys.IDValue(keys.NewID("Ticket", "t1"))}}.Get)
	if err != nil || key != (keys.Key{PK: "TICKET#t1", SK: "TICKET#t1"}) {
		t.Errorf("got %v, %v", key, err)
	}
	_, err = ticket.Key(keys.Values{{Name: "id", Value: keys.IDValue(keys.NewID("Queue", "t1"))}}.Get)
	if err == nil || err.Error() != "id must be the id of a Ticket" {
		t.Errorf("the id of another type gave %v", err)
	}
}

func TestIsKeyOnly(t *testing.T) {
	stored := item.Item{{Name: keys.AttributePK, Value: item.StringValue("TICKET#t1")}}
	if keys.IsKeyOnly(stored) || !keys.IsKeyOnly(item.Item{{Name: "id", Value: item.StringValue("t1")}}) {
		t.Error("an item is partial exactly when it has no PK")
	}
}
