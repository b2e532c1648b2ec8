package design_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/keys"
)

func TestLengthOfKeys(t *testing.T) {
	const tooLongPK = "the values are too long together: a partition key holds at most 2048 bytes"
	const tooLongSK = "the values are too long together: a sort key holds at most 1024 bytes"
	at := map[string]any{"from": "2026-01-01T00:00:00Z", "to": "2026-01-02T00:00:00Z"}
	for _, c := range []struct {
		field   string
		values  map[string]any
		vary    string
		longest int
		message string
	}{
		// An unsharded partition has all 2,048 bytes, a sharded one those that its
		// shard leaves, a bucketed one those that its bucket leaves.
		{"latest", map[string]any{}, "doc", 2048 - len("DOC#"), tooLongPK},
		{"ordersByProduct", map[string]any{}, "sku", 2048 - len("PRODUCT#"), tooLongPK},
		{"ordersByStatus", map[string]any{}, "status", 2048 - len("STATUS##3"), tooLongPK},
		{"readings", map[string]any{"at": at}, "device", 2048 - len("DEVICE##2026-01-01"), tooLongPK},
		{"userByBoth", map[string]any{"email": "a"}, "id", 1024 - len("USER#"), tooLongSK},
		{"stores", map[string]any{"chain": "x"}, "country", 1024 - len("COUNTRY##STATE#"), tooLongSK},
	} {
		f := shop.MustField("Query", c.field)
		with := func(n int) error {
			text := strings.Repeat("é", n/2) + strings.Repeat("e", n%2)
			if c.vary == "id" {
				text = keys.NewID("User", text).Encode()
			}
			c.values[c.vary] = text
			_, err := conditionOf(f, c.values)
			return err
		}
		if err := with(c.longest); err != nil {
			t.Errorf("%s of %d bytes: %v", f.Coordinate(), c.longest, err)
		}
		wantInputError(t, with(c.longest+1), "", c.message)
		if c.message == tooLongPK {
			wantInputError(t, with(2049), c.vary, c.vary+" is too long: a key holds at most 2048 bytes")
		}
	}
}

func TestBucketsOfNoTime(t *testing.T) {
	for end, c := range map[string]keys.Value{
		"from": keys.RangeValue(keys.StringValue("x"), keys.TimeValue(time.Unix(0, 0))),
		"to":   keys.RangeValue(keys.TimeValue(time.Unix(0, 0)), keys.StringValue("x")),
	} {
		_, err := shop.MustField("Query", "readings").Bind(func(name string) keys.Value {
			return map[string]keys.Value{"device": keys.StringValue("d"), "at": c}[name]
		}).Condition()
		wantInputError(t, err, "at", fmt.Sprintf("at.%s must be a time", end))
	}
}
