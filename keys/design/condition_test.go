package design_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// TestCondition compares the condition of a field with values of its variables, one "name value" in
// a line. Values are JSON, except that an ID is written as Type:value instead of its encoded text.
// A name that is not an argument of the field is an attribute of the parent.
func TestCondition(t *testing.T) {
	datadriven.Walk(t, "testdata/condition", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			parent, name, _ := strings.Cut(d.Cmd, ".")
			f := shop.Field(parent, name)
			if f == nil {
				d.Fatalf(t, "the design has no field %s", d.Cmd)
			}
			return describe(conditionOf(f, readValues(t, d, f)))
		})
	})
}

func readValues(t *testing.T, d *datadriven.TestData, f *design.Field) map[string]any {
	values := map[string]any{}
	for line := range strings.Lines(d.Input) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		var v any
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&v); err != nil {
			d.Fatalf(t, "%s: %v", line, err)
		}
		a := f.Argument(name)
		if s, ok := v.(string); ok && a != nil && a.Kind == keys.IDKind {
			v = keys.ID(s).Encode()
		}
		values[name] = v
	}
	return values
}

// describe returns the condition as a person would write it.
func describe(c design.Condition, err error) string {
	var in *keys.InputError
	switch {
	case err != nil && !c.IsEmpty():
		return "an error, but the condition selects something\n"
	case errors.As(err, &in):
		return fmt.Sprintf("%q: %s\n", in.Argument, in.Message)
	case err != nil:
		return "an error of another type: " + err.Error()
	case c.IsEmpty():
		return "absent\n"
	case c.Partitions == nil:
		return fmt.Sprintf("PK = %s, SK = %s\n", c.Key.PK, c.Key.SK)
	}
	var b strings.Builder
	for _, p := range c.Partitions {
		fmt.Fprintf(&b, "PK = %s", p.PK)
		if p.Label != "" {
			fmt.Fprintf(&b, " (%s)", p.Label)
		}
		switch {
		case c.From != "" || c.To != "":
			fmt.Fprintf(&b, ", SK BETWEEN %q AND %q\n", c.From, c.To)
		case c.Prefix != "":
			fmt.Fprintf(&b, ", SK begins with %q\n", c.Prefix)
		default:
			b.WriteString(", any SK\n")
		}
	}
	return b.String()
}

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
