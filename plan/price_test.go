package plan_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/partita/partita/plan"
)

// TestPrice compares the prices of operations.
func TestPrice(t *testing.T) {
	cases(t, "testdata/price", func(t *testing.T, d *datadriven.TestData, schema *plan.Schema) string {
		b := bind(t, d, schema)
		text := priceText(b.Price())
		if b.Live != nil {
			text += "each event: " + priceText(b.OfEvent().Price())
		}
		return text
	})
}

func priceText(p plan.Price) string {
	text := fmt.Sprintf("%d requests, %d waves, %v read units", p.Requests, p.Waves, p.ReadUnits)
	if p.WriteUnits > 0 {
		text += fmt.Sprintf(", %v write units", p.WriteUnits)
	}
	return fmt.Sprintf("%s, %v objects\n", text, p.Objects)
}

// TestExplain compares the explanations of operations as text, or with json as JSON.
func TestExplain(t *testing.T) {
	cases(t, "testdata/explain", explained)
}

func explained(t *testing.T, d *datadriven.TestData, schema *plan.Schema) string {
	t.Helper()
	x := bind(t, d, schema).Explain()
	if d.HasArg("json") {
		text, err := json.MarshalIndent(x, "", "  ")
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		return string(text) + "\n"
	}
	var text strings.Builder
	if _, err := x.WriteTo(&text); err != nil {
		d.Fatalf(t, "%v", err)
	}
	return text.String()
}

// TestLimit compares the errors of operations above a limit.
func TestLimit(t *testing.T) {
	cases(t, "testdata/limit", func(t *testing.T, d *datadriven.TestData, schema *plan.Schema) string {
		var limits plan.PriceLimits
		d.MaybeScanArgs(t, "limit", &limits.ReadUnits)
		d.MaybeScanArgs(t, "objects", &limits.Objects)
		d.MaybeScanArgs(t, "writes", &limits.WriteUnits)
		err := bind(t, d, schema).CheckPrice(limits)
		exceeded, is := errors.AsType[*plan.LimitError](err)
		if !is {
			return fmt.Sprintln(err)
		}
		at := exceeded.Position
		if at == nil {
			return fmt.Sprintf("%v\n%s\n", exceeded, exceeded.Code())
		}
		return fmt.Sprintf("%v\n%s at %d:%d\n", exceeded, exceeded.Code(), at.Line, at.Column)
	})
}
