package designtools

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/internal/bill"
	"github.com/partita/partita/internal/prices"
)

const (
	// maxOperations is how many operations are compared.
	maxOperations = 200
	// maxObjects is how many objects of a type are counted.
	maxObjects = 1e11
	// itemOverhead is how many bytes DynamoDB adds to the size of each item and entry in what it charges for storage.
	itemOverhead = 100
)

// ratedOperation is an operation and how often it is sent.
type ratedOperation struct {
	Document      string `json:"document" jsonschema:"the GraphQL document with the operation; variables have the values that cost most"`
	OperationName string `json:"operationName,omitempty" jsonschema:"which operation, where the document has several"`
	Rate          string `json:"rate,omitempty" jsonschema:"how often it is sent: a number per s, min, h, day or month, such as 2.5/s or 100/day; without it, it has no part in the money"`
}

// comparedOperation is what an operation costs at worst in both designs.
type comparedOperation struct {
	Name  string  `json:"name"`
	Rate  string  `json:"rate,omitempty"`
	Base  priced  `json:"base"`
	Other priced  `json:"other"`
	Less  float64 `json:"less" jsonschema:"by how much other is cheaper a month; negative if it is dearer"`
}

type priced struct {
	Requests   int     `json:"requests"`
	Waves      int     `json:"waves"`
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits"`
	Objects    float64 `json:"objects"`
	Month      float64 `json:"month" jsonschema:"money a month of 30 days; 0 without a rate"`
	// Problem is why there is no price.
	Problem string `json:"problem,omitempty" jsonschema:"why there is no price: the operation is not valid in this design, or a field of it is not read"`
}

// money is what is paid in a month.
type money struct {
	Currency     string  `json:"currency"`
	PricesOf     string  `json:"pricesOf"`
	Base         float64 `json:"base"`
	Other        float64 `json:"other"`
	BaseStorage  float64 `json:"baseStorage"`
	OtherStorage float64 `json:"otherStorage"`
	Cheaper      string  `json:"cheaper" jsonschema:"base, other, or equal"`
	By           float64 `json:"by"`
}

// bills are those of both designs.
type bills struct {
	sides [2]side
	bills [2]*bill.Bill
	// isNeeded is set if there is anything to be paid.
	isNeeded bool
	list     *bill.Prices
	stored   [2]float64
}

func newBills(base, other side) *bills {
	list, err := bill.ReadPrices(bill.DefaultPrices)
	if err != nil {
		panic(fmt.Sprintf("designtools: bug: %v", err))
	}
	b := &bills{sides: [2]side{base, other}, list: list}
	for i := range b.bills {
		b.bills[i] = bill.New(list, bill.StandardClass)
	}
	return b
}

// operations returns the prices of operations in both designs, and adds them to the bills.
func (b *bills) operations(ctx context.Context, all []ratedOperation) ([]comparedOperation, error) {
	if len(all) > maxOperations {
		return nil, fmt.Errorf("there are more than %d operations: give the ones that are sent most", maxOperations)
	}
	compared := []comparedOperation{}
	for i, rated := range all {
		o, err := operationOf(rated, i)
		if err != nil {
			return nil, err
		}
		one := comparedOperation{Name: o.Name, Rate: rated.Rate}
		for side, to := range []*priced{&one.Base, &one.Other} {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if *to, err = b.price(side, o, rated.Rate); err != nil {
				return nil, err
			}
		}
		one.Less = rounded(one.Base.Month - one.Other.Month)
		compared = append(compared, one)
	}
	return compared, nil
}

// operationOf returns the operation that is meant.
func operationOf(rated ratedOperation, n int) (prices.Operation, error) {
	var none prices.Operation
	if err := checkDocument(rated.Document); err != nil {
		return none, err
	}
	place := fmt.Sprintf("operation %d", n+1)
	found, err := prices.Documents([]*ast.Source{{Name: place, Input: rated.Document}})
	if faults, is := errors.AsType[gqlerror.List](err); is {
		return none, fmt.Errorf("%s is not GraphQL: %s", place, faults[0].Message)
	}
	if err != nil {
		return none, err
	}
	if rated.OperationName == "" && len(found) == 1 {
		return found[0], nil
	}
	for _, o := range found {
		if o.Name == rated.OperationName {
			return o, nil
		}
	}
	return none, fmt.Errorf("%s: name one of the document's operations with operationName", place)
}

// price returns what an operation costs in one of the designs.
func (b *bills) price(side int, o prices.Operation, rate string) (priced, error) {
	v := b.sides[side].version
	worst, parts, err := prices.WorstParts(o, v, time.Now())
	if faults, is := errors.AsType[gqlerror.List](err); is {
		return priced{Problem: faults[0].Message}, nil
	}
	if err != nil {
		return priced{}, err
	}
	p := priced{worst.Requests, worst.Waves, worst.ReadUnits, worst.WriteUnits, worst.Objects, 0, ""}
	if rate == "" {
		return p, nil
	}
	r, is := bill.NewRate(o.Name, rate)
	if !is {
		return p, fmt.Errorf("%s: %.100q is no rate: write a number per s, min, h, day or month, such as 2.5/s", o.Name, rate)
	}
	used, fits := r.Month(bill.Mean{
		ReadUnits: worst.ReadUnits, WriteUnits: worst.WriteUnits, PlannedWrites: worst.WriteUnits,
	})
	if !fits {
		return p, fmt.Errorf("%s: these are more units than can be counted: lower the rate", o.Name)
	}
	var shares []bill.Share
	for _, part := range parts {
		shares = append(shares, bill.Share{Index: part.Index, Reads: part.ReadUnits, Writes: part.WriteUnits})
	}
	to := b.bills[side]
	to.Requests(map[bill.Key]bill.Usage{{Operation: o.Name}: used}, map[string][]bill.Share{o.Name: shares})
	b.isNeeded = true
	p.Month = amount(to.Charges[len(to.Charges)-1].Amount)
	return p, nil
}

// storage adds what so many objects of the largest size take to the bills.
func (b *bills) storage(objects map[string]int64) error {
	if len(objects) == 0 {
		return nil
	}
	for i, s := range b.sides {
		var bytes int64
		for _, t := range s.page.Types {
			n := objects[t.Name]
			if n < 0 || n > maxObjects {
				return fmt.Errorf("objects: %s has %d: give a number from 0 to %d", t.Name, n, int64(maxObjects))
			}
			bytes += n * int64((t.MaxBytes+itemOverhead)*(t.Items+t.Entries))
		}
		before := b.bills[i].Total
		b.bills[i].Storage([]bill.Stored{{Bytes: bytes}}, []bill.Period{{Seconds: bill.MonthSeconds, Of: bill.MonthSeconds}})
		b.stored[i] = amount(b.bills[i].Total - before)
	}
	for name := range objects {
		if b.sides[0].schema.Type(name) == nil && b.sides[1].schema.Type(name) == nil {
			return fmt.Errorf("objects: no design stores a type %.100q: name one with @item", name)
		}
	}
	b.isNeeded = true
	return nil
}

// money returns the sums; nil if nothing is to be paid for.
func (b *bills) money() *money {
	if !b.isNeeded {
		return nil
	}
	m := &money{
		Currency: b.list.Currency, PricesOf: b.list.Region + ", " + b.list.Date,
		Base: amount(b.bills[0].Total), Other: amount(b.bills[1].Total),
		BaseStorage: b.stored[0], OtherStorage: b.stored[1], Cheaper: "equal",
	}
	switch {
	case m.Base < m.Other:
		m.Cheaper, m.By = b.sides[0].name, rounded(m.Other-m.Base)
	case m.Other < m.Base:
		m.Cheaper, m.By = b.sides[1].name, rounded(m.Base-m.Other)
	}
	return m
}

func amount(a bill.Amount) float64 { return rounded(float64(a) / 1e9) }

// text returns the sums in words.
func (m *money) text() string {
	difference := "both cost the same"
	if m.Cheaper != "equal" {
		difference = fmt.Sprintf("%s is cheaper by %.2f %s", m.Cheaper, m.By, m.Currency)
	}
	return fmt.Sprintf("A month at worst: base %.2f %s, of which storage %.2f; other %.2f, of which storage %.2f: %s "+
		"(on-demand prices of %s; what is free is subtracted from storage).\n", m.Base, m.Currency, m.BaseStorage,
		m.Other, m.OtherStorage, difference, m.PricesOf)
}

// String returns the price in words.
func (p priced) String() string {
	if p.Problem != "" {
		return "has no price there (" + p.Problem + ")"
	}
	text := fmt.Sprintf("%s in %s, %g read units", counted(p.Requests, "request"), counted(p.Waves, "wave"), p.ReadUnits)
	if p.WriteUnits > 0 {
		text += fmt.Sprintf(", %g write units", p.WriteUnits)
	}
	if p.Month > 0 {
		text += fmt.Sprintf(", %.2f a month", p.Month)
	}
	return text
}
