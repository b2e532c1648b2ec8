package design_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

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
