package bill

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/partita/partita/internal/jsonerror"
)

// DefaultPrices is the price list of us-east-1, in the format of ReadPrices: the public prices of August 15, 2026
// without discounts, from the offer AmazonDynamoDB of the AWS Price List, and for streams from
// https://aws.amazon.com/dynamodb/pricing/on-demand/.
//
//go:embed prices.json
var DefaultPrices []byte

// Prices is a price list. Transactions have no price of their own: each item of one takes two units for each that a
// single request takes.
type Prices struct {
	Region string `json:"region"`
	// Date is when these prices were valid.
	Date string `json:"date"`
	// Currency is that of all prices, such as USD.
	Currency string `json:"currency"`
	// Classes are the prices of each table class, by the names of DynamoDB's API.
	Classes map[string]*Class `json:"classes"`
	Streams *Streams          `json:"streams"`
}

// Class is what a table of a class costs.
type Class struct {
	// ReadUnits and WriteUnits are the prices of a million of units.
	ReadUnits  Price `json:"millionReadUnits"`
	WriteUnits Price `json:"millionWriteUnits"`
	// Storage is the price of a GB for a month. The first ones are free in each account and region.
	Storage     Price `json:"storageGBMonth"`
	FreeStorage Price `json:"freeStorageGB"`
}

// Streams is what reading the streams of tables costs.
type Streams struct {
	// Reads is the price of a million of GetRecords. The first ones of a month are free in each account and region.
	Reads     Price `json:"millionReads"`
	FreeReads Price `json:"freeReads"`
}

// StandardClass is the table class of tables for which none was chosen.
const StandardClass = "STANDARD"

// Price is a decimal number from 0 to 10,000,000 without an exponent.
type Price struct{ n *big.Rat }

// UnmarshalJSON implements json.Unmarshaler.
func (p *Price) UnmarshalJSON(text []byte) error {
	n, is := parseDecimal(string(text))
	if !is || n.Cmp(big.NewRat(1e7, 1)) > 0 {
		return fmt.Errorf("%s is no price: write digits such as 0.125, at most 10000000", text)
	}
	p.n = n
	return nil
}

// ReadPrices reads a price list. All prices must be there: what is free has the price 0.
func ReadPrices(text []byte) (*Prices, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	p := &Prices{}
	if err := decoder.Decode(p); err != nil {
		return nil, jsonerror.Describe(err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("there is something after the price list")
	}
	return p, p.check()
}

func (p *Prices) check() error {
	missing := missingIn("", map[string]bool{
		"region": p.Region == "", "date": p.Date == "", "currency": p.Currency == "", "classes": len(p.Classes) == 0,
		"streams": p.Streams == nil,
	})
	for name, c := range p.Classes {
		if c == nil {
			c = &Class{}
		}
		missing = append(missing, missingIn(name+".", map[string]bool{
			"millionReadUnits": c.ReadUnits.n == nil, "millionWriteUnits": c.WriteUnits.n == nil,
			"storageGBMonth": c.Storage.n == nil, "freeStorageGB": c.FreeStorage.n == nil,
		})...)
	}
	if s := p.Streams; s != nil {
		missing = append(missing, missingIn("streams.", map[string]bool{
			"millionReads": s.Reads.n == nil, "freeReads": s.FreeReads.n == nil,
		})...)
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		return errors.New("there is no " + strings.Join(missing, ", no "))
	}
	return nil
}

// missingIn returns the names that are missing, with the prefix.
func missingIn(prefix string, isMissing map[string]bool) []string {
	var names []string
	for name, is := range isMissing {
		if is {
			names = append(names, prefix+name)
		}
	}
	return names
}

// ClassNames returns the names of the table classes in the list, sorted.
func (p *Prices) ClassNames() []string { return slices.Sorted(maps.Keys(p.Classes)) }

// of returns what so many of something cost by the price of a number of them, rounded to the nearest billionth.
func (p Price) of(quantity *big.Rat, per int64) Amount {
	cost := new(big.Rat).Mul(quantity, p.n)
	n, fits := rounded(cost.Mul(cost, big.NewRat(1e9, per)))
	if !fits {
		n = math.MaxInt64
	}
	return Amount(n)
}
