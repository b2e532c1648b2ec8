package price_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/internal/plantest"
)

// TestPrice compares the prices of operations, whose parts add up to them.
func TestPrice(t *testing.T) {
	plantest.Cases(t, "testdata/price", func(t *testing.T, d *datadriven.TestData, schema *plan.Schema) string {
		b := plantest.Bind(t, d, schema)
		whole := price.Of(b)
		for _, p := range price.Parts(b) {
			whole.ReadUnits -= p.ReadUnits
			whole.WriteUnits -= p.WriteUnits
		}
		if whole.ReadUnits != 0 || whole.WriteUnits != 0 {
			t.Errorf("%s: %v read units and %v write units are in no part", d.Pos, whole.ReadUnits, whole.WriteUnits)
		}
		text := priceText(price.Of(b))
		if b.Live != nil {
			text += "each event: " + priceText(price.Of(b.OfEvent()))
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
	plantest.Cases(t, "testdata/explain", plantest.Explained)
}

// TestLimit compares the errors of operations above a limit.
func TestLimit(t *testing.T) {
	plantest.Cases(t, "testdata/limit", func(t *testing.T, d *datadriven.TestData, schema *plan.Schema) string {
		var limits price.Limits
		d.MaybeScanArgs(t, "limit", &limits.ReadUnits)
		d.MaybeScanArgs(t, "objects", &limits.Objects)
		d.MaybeScanArgs(t, "writes", &limits.WriteUnits)
		err := price.Check(plantest.Bind(t, d, schema), limits)
		exceeded, is := errors.AsType[*price.LimitError](err)
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
