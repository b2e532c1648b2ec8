package loaders_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/executors"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/item"
	"github.com/partita/partita/loaders"
)

// TestEstimateIsAnUpperBound: no operation consumes more read units than estimated, with a table in which all items
// have the maximum size. Send checks this for each operation of all tests.
func TestEstimateIsAnUpperBound(t *testing.T) {
	t.Parallel()
	s := testservice.StartEmpty(t, func(c *gateway.Config, _ *loaders.Options) { c.MaxTokens = 20_000 })
	items := testservice.Items()
	for i, it := range items {
		items[i] = padded(it)
	}
	s.Load(t, items...)

	g, random := testservice.Schema().Generator(), rand.New(rand.NewPCG(20260103, 4))
	g.Valid, g.HandWritten = true, true
	consumed, estimated, answered, exact := 0.0, 0.0, 0, 0
	const operations = 700
	var o executors.Operation
	for n, isNext := 0, false; n < operations; n++ {
		s.Header.Del(loaders.ConsistencyHeader)
		if n%3 == 0 {
			s.Header.Set(loaders.ConsistencyHeader, "strong")
		}
		if !isNext {
			o = g.Operation(random)
		}
		a, err := s.Send(t.Context(), o.Document, o.Variables)
		if err != nil {
			t.Fatalf("operation %d: %v\n%s\n%v", n, err, o.Document, o.Variables)
		}
		if a.Data == nil {
			t.Fatalf("operation %d is not valid: %+v\n%s\n%v", n, a.Errors, o.Document, o.Variables)
		}
		o, isNext = o.Next(random, a.Data)
		cost := a.Extensions.Cost
		consumed += cost.ReadUnits
		estimated += cost.EstimatedReadUnits
		if cost.ReadUnits > 0 {
			answered++
		}
		if cost.ReadUnits == cost.EstimatedReadUnits {
			exact++
		}
	}
	if answered < operations*3/4 {
		t.Errorf("only %d of %d operations read anything: the generator is too wild", answered, operations)
	}
	t.Logf("%d operations consumed %v read units of %v estimated; %d consumed exactly the estimate",
		operations, consumed, estimated, exact)
}

// padded returns the item with the maximum size of its type.
func padded(it item.Item) item.Item {
	t := testservice.Design().Type(it.Type())
	if t == nil {
		return it
	}
	const name = "padding"
	if room := t.MaxBytes - it.Size() - len(name); room > 0 {
		return append(slices.Clone(it), item.Attribute{Name: name, Value: item.StringValue(strings.Repeat("x", room))})
	}
	return it
}
