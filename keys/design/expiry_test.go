package design_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

func TestExpiry(t *testing.T) {
	shape := keys.Shape{PK: keys.MustTemplate("{id}"), SK: keys.MustTemplate("{id}")}
	id := design.Attribute{Name: "id", Kind: keys.String, NonNull: true}
	until := design.Attribute{Name: "until", Kind: keys.Time, Stored: "ttl", As: keys.EpochSeconds}
	d := design.MustDesign(nil, []*design.Type{
		{Name: "User", Item: shape, Attributes: []design.Attribute{id}},
		{Name: "Session", Item: shape, Attributes: []design.Attribute{id, until}, Expires: "until"},
		{Name: "Code", Item: shape, Attributes: []design.Attribute{id}, Expires: "ttl"},
	}, nil)
	if got := d.ExpiryAttribute(); got != "ttl" {
		t.Errorf("the attribute is %q", got)
	}
	number := func(n int64, end string) item.Value {
		return item.Value{Kind: item.Number, Text: strconv.FormatInt(n, 10) + end}
	}
	now := time.Date(2026, 1, 31, 9, 30, 0, 999e6, time.UTC)
	second := now.Truncate(time.Second)
	for name, tt := range map[string]struct {
		typ, attribute string
		value          item.Value
		expired        bool
	}{
		"a time":                       {"Session", "until", item.TimeValue(second), true},
		"a later time":                 {"Session", "until", item.TimeValue(second.Add(time.Second)), false},
		"a number":                     {"Code", "ttl", item.IntValue(second.Unix()), true},
		"a later number":               {"Code", "ttl", item.IntValue(second.Unix() + 1), false},
		"a time with a fraction":       {"Code", "ttl", number(second.Unix()-1, ".5"), true},
		"a fraction later":             {"Code", "ttl", number(second.Unix(), ".5"), false},
		"a field with a fraction":      {"Session", "until", number(second.Unix()-1, ".5"), true},
		"an exponent":                  {"Code", "ttl", number(second.Unix()/1000, "E+3"), true},
		"a number of 38 digits":        {"Code", "ttl", number(second.Unix(), strings.Repeat("9", 28)), false},
		"milliseconds":                 {"Code", "ttl", item.IntValue(second.UnixMilli()), false},
		"five years ago":               {"Code", "ttl", item.IntValue(second.AddDate(-5, 0, 0).Unix()), true},
		"longer ago":                   {"Code", "ttl", item.IntValue(second.AddDate(-5, 0, 0).Unix() - 1), false},
		"0 for never":                  {"Code", "ttl", item.IntValue(0), false},
		"a text":                       {"Code", "ttl", item.TimeValue(second), false},
		"an item of another type":      {"User", "ttl", item.IntValue(second.Unix()), true},
		"a claim":                      {"Claim", "ttl", item.IntValue(second.Unix()), true},
		"the time of something else":   {"User", "until", item.TimeValue(second), false},
		"an attribute of another name": {"Code", "until", item.IntValue(second.Unix()), false},
		"none":                         {"Session", "until", item.Value{}, false},
	} {
		it := item.Item{
			{Name: item.EntityType, Value: item.StringValue(tt.typ)}, {Name: tt.attribute, Value: tt.value},
		}
		e := d.ExpiryAt(now)
		if e.IsExpired(it) != tt.expired || e.IsMissing(it) != tt.expired {
			t.Errorf("%s: expired is %v", name, !tt.expired)
		}
	}
	if design.MustDesign(nil, d.Types[:1], nil).ExpiryAt(now).IsExpired(item.Item{
		{Name: keys.AttributeExpiry, Value: item.IntValue(second.Unix())},
	}) {
		t.Error("an item has expired although no type of the design does")
	}
	code := design.MustDesign(nil, d.Types[2:], nil)
	if !code.ExpiryAt(now).IsExpired(item.Item{
		{Name: item.EntityType, Value: item.StringValue("Code")}, {Name: "ttl", Value: item.IntValue(second.Unix())},
	}) {
		t.Errorf("an item has not expired by %q, which is no field", code.ExpiryAttribute())
	}
}
