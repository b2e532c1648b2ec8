package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
)

// TestQueryOfExistingIndex: the bounds and the position of a Query have the names of the table, each key attribute
// once, and Numbers.
func TestQueryOfExistingIndex(t *testing.T) {
	c := &Client{&connections{settings: Settings{Table: "t"}}, map[string]stored.IndexLayout{
		"":        {PK: keys.Named("pk"), SK: keys.Named("sk")},
		"swapped": {PK: keys.Named("sk"), SK: keys.Named("pk")},
		"by-n":    {PK: number("m"), SK: number("n")},
		"by-list": {PK: keys.Named("list"), SK: keys.Named("sk")},
		"alone":   {PK: keys.Named("name")},
		"several": {
			PK: append(keys.Named("tenant"), number("m")...), SK: append(keys.Named("status"), number("n")...),
		},
	}}
	number := func(n int64) keys.SK {
		ix := stored.IndexLayout{SK: number("n")}
		return ix.SortKey(item.Item{{Name: "n", Value: item.IntValue(n)}})
	}
	five, seven := number(5), number(7)
	base := keys.Key{PK: "P", SK: "S"}
	for _, tt := range []struct {
		name                 string
		query                request.Query
		names, values, start string
		condition            string
	}{
		{
			"the table", request.Query{PK: "P", Prefix: "A#", Start: keys.Position{SK: "A#1"}},
			`{"#p":"pk","#s":"sk"}`, `{":p":{"S":"P"},":from":{"S":"A#"},":to":{"S":"A$"}}`,
			`{"pk":{"S":"P"},"sk":{"S":"A#1"}}`, "",
		},
		{
			"keys swapped", request.Query{Index: "swapped", PK: "S", Start: keys.Position{SK: "P", Base: base}},
			`{"#p":"sk"}`, `{":p":{"S":"S"}}`, `{"pk":{"S":"P"},"sk":{"S":"S"}}`, "",
		},
		{
			"Numbers",
			request.Query{Index: "by-n", PK: keys.PK(five), From: " ", To: seven, Start: keys.Position{SK: five, Base: base}},
			`{"#p":"m","#s":"n"}`, `{":p":{"N":"5"},":from":{"N":"-9.9999999999999999999999999999999999999E+125"},` +
				`":to":{"N":"7"}}`,
			`{"pk":{"S":"P"},"sk":{"S":"S"},"m":{"N":"5"},"n":{"N":"5"}}`, "",
		},
		{
			"one key of the table", request.Query{Index: "by-list", PK: "L", Start: keys.Position{SK: "S", Base: base}},
			`{"#p":"list"}`, `{":p":{"S":"L"}}`, `{"pk":{"S":"P"},"sk":{"S":"S"},"list":{"S":"L"}}`, "",
		},
		{
			"no sort key", request.Query{Index: "alone", PK: "N", Start: keys.Position{Base: base}},
			`{"#p":"name"}`, `{":p":{"S":"N"}}`, `{"pk":{"S":"P"},"sk":{"S":"S"},"name":{"S":"N"}}`, "",
		},
		{"the beginning", request.Query{Index: "alone", PK: "N"}, `{"#p":"name"}`, `{":p":{"S":"N"}}`, "", ""},
		{
			"several attributes", request.Query{
				Index: "several", PK: keys.PK("T\x01" + five), From: "OPEN\x01" + five, To: "OPEN\x01" + seven,
				Start: keys.Position{SK: "OPEN\x01" + five, Base: base},
			},
			`{"#p":"tenant","#p1":"m","#s0":"status","#s":"n"}`,
			`{":p":{"S":"T"},":p1":{"N":"5"},":s0":{"S":"OPEN"},":from":{"N":"5"},":to":{"N":"7"}}`,
			`{"pk":{"S":"P"},"sk":{"S":"S"},"tenant":{"S":"T"},"m":{"N":"5"},"status":{"S":"OPEN"},"n":{"N":"5"}}`,
			"#p = :p AND #p1 = :p1 AND #s0 = :s0 AND #s BETWEEN :from AND :to",
		},
		{
			"an open range", request.Query{Index: "several", PK: keys.PK("T\x01" + five), From: " ", To: "OPEN\x01\U0010FFFF"},
			`{"#p":"tenant","#p1":"m","#s":"status"}`,
			`{":p":{"S":"T"},":p1":{"N":"5"},":to":{"S":"OPEN"}}`, "", "#p = :p AND #p1 = :p1 AND #s <= :to",
		},
		{
			"all of one value", request.Query{Index: "several", PK: keys.PK("T\x01" + five), Prefix: "OPEN\x01"},
			`{"#p":"tenant","#p1":"m","#s0":"status"}`,
			`{":p":{"S":"T"},":p1":{"N":"5"},":s0":{"S":"OPEN"}}`, "", "#p = :p AND #p1 = :p1 AND #s0 = :s0",
		},
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
			condition := tt.condition
			if condition == "" {
				condition = "#p = :p"
			}
			if tt.condition == "" && strings.Contains(tt.names, "#s") {
				condition += " AND #s BETWEEN :from AND :to"
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

func number(name string) keys.KeyAttributes { return keys.KeyAttributes{{Name: name, Number: true}} }
