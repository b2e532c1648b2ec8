package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders/request"
)

// TestQueryOfExistingIndex: the bounds and the position of a Query have the names of the table, each key attribute
// once, and Numbers.
func TestQueryOfExistingIndex(t *testing.T) {
	c := &Client{&connections{settings: Settings{Table: "t"}}, map[string]keys.IndexLayout{
		"":        {PK: "pk", SK: "sk"},
		"swapped": {PK: "sk", SK: "pk"},
		"by-n":    {PK: "m", SK: "n", PKNumber: true, SKNumber: true},
		"by-list": {PK: "list", SK: "sk"},
		"alone":   {PK: "name"},
	}}
	number := func(n int64) keys.SK {
		ix := keys.IndexLayout{SK: "n", SKNumber: true}
		return ix.SortKey(item.Item{{Name: "n", Value: item.IntValue(n)}})
	}
	five, seven := number(5), number(7)
	base := keys.Key{PK: "P", SK: "S"}
	for _, tt := range []struct {
		name                 string
		query                request.Query
		names, values, start string
	}{
		{
			"the table", request.Query{PK: "P", Prefix: "A#", Start: keys.Position{SK: "A#1"}},
			`{"#p":"pk","#s":"sk"}`, `{":p":{"S":"P"},":from":{"S":"A#"},":to":{"S":"A$"}}`,
			`{"pk":{"S":"P"},"sk":{"S":"A#1"}}`,
		},
		{
			"keys swapped", request.Query{Index: "swapped", PK: "S", Start: keys.Position{SK: "P", Base: base}},
			`{"#p":"sk"}`, `{":p":{"S":"S"}}`, `{"pk":{"S":"P"},"sk":{"S":"S"}}`,
		},
		{
			"Numbers",
			request.Query{Index: "by-n", PK: keys.PK(five), From: " ", To: seven, Start: keys.Position{SK: five, Base: base}},
			`{"#p":"m","#s":"n"}`, `{":p":{"N":"5"},":from":{"N":"-9999999999999999999"},":to":{"N":"7"}}`,
			`{"pk":{"S":"P"},"sk":{"S":"S"},"m":{"N":"5"},"n":{"N":"5"}}`,
		},
		{
			"one key of the table", request.Query{Index: "by-list", PK: "L", Start: keys.Position{SK: "S", Base: base}},
			`{"#p":"list"}`, `{":p":{"S":"L"}}`, `{"pk":{"S":"P"},"sk":{"S":"S"},"list":{"S":"L"}}`,
		},
		{
			"no sort key", request.Query{Index: "alone", PK: "N", Start: keys.Position{Base: base}},
			`{"#p":"name"}`, `{":p":{"S":"N"}}`, `{"pk":{"S":"P"},"sk":{"S":"S"},"name":{"S":"N"}}`,
		},
		{"the beginning", request.Query{Index: "alone", PK: "N"}, `{"#p":"name"}`, `{":p":{"S":"N"}}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var body struct {
				KeyConditionExpression                                                 string
				ExpressionAttributeNames, ExpressionAttributeValues, ExclusiveStartKey json.RawMessage
			}
			text := c.appendQuery(nil, tt.query)
			if err := json.Unmarshal(text, &body); err != nil {
				t.Fatalf("%v in %s", err, text)
			}
			condition := PartitionCondition
			if strings.Contains(tt.names, "#s") {
				condition = RangeCondition
			}
			for _, c := range [][2]string{
				{body.KeyConditionExpression, condition}, {string(body.ExpressionAttributeNames), tt.names},
				{string(body.ExpressionAttributeValues), tt.values}, {string(body.ExclusiveStartKey), tt.start},
			} {
				if c[0] != c[1] {
					t.Errorf("%s, want %s", c[0], c[1])
				}
			}
		})
	}
}
