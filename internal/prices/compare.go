package prices

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/internal/gen/contract"
	"github.com/partita/partita/internal/plan/price"
)

// Limits are what a change may add to the price of an operation.
type Limits struct {
	// Increase is the largest accepted increase of requests, read units and write units, as a part: 0.1 for 10 %.
	Increase float64
	// Prices are the limits of the gateway.
	Prices price.Limits
}

// Comparison is an operation in two versions of an API.
type Comparison struct {
	Operation string `json:"operation"`
	Place     string `json:"place"`
	// Before and Now are the prices at worst; nil if the operation is not valid there.
	Before *Price `json:"before"`
	Now    *Price `json:"now"`
	// Faults are why the operation cannot be executed now, or costs too much.
	Faults []string `json:"faults,omitempty"`

	uses usedBy
}

// Price is the worst case of an operation, see [plan.Price].
type Price struct {
	Requests   int     `json:"requests"`
	Waves      int     `json:"waves"`
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits"`
	Objects    float64 `json:"objects"`
}

// Compare returns the prices of operations in two versions of an API. The new one, head, has a design. If the base has
// none, there are no prices before.
func Compare(operations []Operation, base, head contract.Version, limits Limits, now time.Time) ([]Comparison, error) {
	comparisons := make([]Comparison, len(operations))
	for i, o := range operations {
		c := Comparison{Operation: o.Name, Place: o.Place}
		before, faultsBefore, err := priceIn(base, o, now)
		if err != nil {
			return nil, err
		}
		after, faults, err := priceIn(head, o, now)
		if err != nil {
			return nil, err
		}
		c.Before, c.Now, c.uses = before, after, usesOf(o, base.API)
		switch {
		case len(faults) > 0 && len(faultsBefore) == 0:
			c.fault("it is not valid any more: %s", texts(faults))
		case len(faults) > 0:
			c.fault("it is not valid, and was not before: %s", texts(faults))
		default:
			c.check(limits)
		}
		comparisons[i] = c
	}
	return comparisons, nil
}

// priceIn returns the price of an operation in a version, nil if the version has no design, and why it is not valid.
func priceIn(v contract.Version, o Operation, now time.Time) (*Price, gqlerror.List, error) {
	if v.Design == nil {
		faults, err := validate(o, v.API)
		return nil, faults, err
	}
	p, err := Worst(o, v, now)
	if faults, is := errors.AsType[gqlerror.List](err); is {
		return nil, faults, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return &Price{p.Requests, p.Waves, p.ReadUnits, p.WriteUnits, p.Objects}, nil, nil
}

func texts(faults gqlerror.List) string {
	messages := make([]string, len(faults))
	for i, f := range faults {
		messages[i] = strings.TrimSuffix(f.Message, ".")
	}
	return strings.Join(messages, "; ")
}

func (c *Comparison) fault(format string, args ...any) {
	c.Faults = append(c.Faults, fmt.Sprintf(format, args...))
}

// check adds faults for what exceeds the limits. What exceeded a limit of the gateway before, and costs no more now, is
// no fault of the change.
func (c *Comparison) check(limits Limits) {
	before := Price{}
	if c.Before != nil {
		before = *c.Before
		c.increase("requests", float64(before.Requests), float64(c.Now.Requests), limits.Increase)
		c.increase("read units", before.ReadUnits, c.Now.ReadUnits, limits.Increase)
		c.increase("write units", before.WriteUnits, c.Now.WriteUnits, limits.Increase)
		if n := c.Now.Waves - before.Waves; n > 0 {
			c.fault("it has %d waves instead of %d: requests that wait for each other", c.Now.Waves, before.Waves)
		}
	}
	for _, l := range []struct {
		name, setting    string
		before, now, max float64
	}{
		{"read units", "MAX_READ_UNITS", before.ReadUnits, c.Now.ReadUnits, limits.Prices.ReadUnits},
		{"write units", "MAX_WRITE_UNITS", before.WriteUnits, c.Now.WriteUnits, limits.Prices.WriteUnits},
		{"objects", "MAX_OBJECTS", before.Objects, c.Now.Objects, limits.Prices.Objects},
	} {
		if l.max > 0 && l.now > l.max && l.now > l.before {
			c.fault("the gateway does not execute it: %s %s are more than %s=%s",
				number(l.now), l.name, l.setting, number(l.max))
		}
	}
}

func (c *Comparison) increase(name string, before, now, most float64) {
	if now <= before || now <= before*(1+most) {
		return
	}
	by := ""
	if before > 0 {
		by = " (+" + percent(now/before-1) + ")"
	}
	c.fault("%s %s -> %s%s, more than %s", name, number(before), number(now), by, percent(most))
}

func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

func percent(part float64) string { return number(math.Round(part*1000)/10) + " %" }

// change returns a number before and now.
func change(before, now *Price, of func(*Price) float64) string {
	switch {
	case before == nil && now == nil:
		return "-"
	case before == nil:
		return "? -> " + number(of(now))
	case now == nil:
		return number(of(before)) + " -> ?"
	case of(before) == of(now):
		return number(of(now))
	}
	return number(of(before)) + " -> " + number(of(now))
}

// Columns are the names of the columns of a table of comparisons.
var Columns = []string{"operation", "requests", "waves", "read units", "write units", "objects"}

// Row returns the row of a table: each number once, or before and now.
func (c *Comparison) Row() []string {
	row := []string{c.Operation}
	for _, of := range []func(*Price) float64{
		func(p *Price) float64 { return float64(p.Requests) },
		func(p *Price) float64 { return float64(p.Waves) },
		func(p *Price) float64 { return p.ReadUnits },
		func(p *Price) float64 { return p.WriteUnits },
		func(p *Price) float64 { return p.Objects },
	} {
		row = append(row, change(c.Before, c.Now, of))
	}
	return row
}

// Users returns the names of the operations that use what a change of the base is about.
func Users(comparisons []Comparison, base *ast.Schema, change contract.Change) []string {
	path := change.Path
	if !exists(base, path) {
		path = owner(path)
	}
	var names []string
	for _, c := range comparisons {
		if path == "schema" || c.uses[path] {
			names = append(names, c.Operation)
		}
	}
	return slices.Compact(names)
}
