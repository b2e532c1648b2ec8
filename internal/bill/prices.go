package bill

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/partita/partita/internal/jsonerror"
)

// DefaultPrices is the price list of us-east-1, in the format of ReadPrices: the public prices of August 15, 2026
// without discounts, from the offer AmazonDynamoDB of the AWS Price List, and for streams from
// https://aws.amazon.com/dynamodb/pricing/on-demand/. The target utilization is the default of auto scaling.
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
	// TargetUtilization is which part of provisioned capacity auto scaling keeps in use, more than 0 and at most 1.
	TargetUtilization Price `json:"targetUtilization"`
	// Classes are the prices of each table class, by the names of DynamoDB's API.
	Classes map[string]*Class `json:"classes"`
	Backups *Backups          `json:"backups"`
	Streams *Streams          `json:"streams"`
}

// Class is what a table of a class costs.
type Class struct {
	// ReadUnits and WriteUnits are the prices of a million of units.
	ReadUnits  Price `json:"millionReadUnits"`
	WriteUnits Price `json:"millionWriteUnits"`
	// ReadUnitHour and WriteUnitHour are the prices of a unit in each second of an hour, in provisioned mode. The first
	// unit-hours of a month are free in each account and region, so many for reads and as many for writes.
	ReadUnitHour  Price `json:"readUnitHour"`
	WriteUnitHour Price `json:"writeUnitHour"`
	FreeUnitHours Price `json:"freeUnitHours"`
	// Storage is the price of a GB for a month. The first ones are free in each account and region.
	Storage     Price `json:"storageGBMonth"`
	FreeStorage Price `json:"freeStorageGB"`
}

// Backups are the prices of a GB for a month of point-in-time recovery, and of backups that somebody has made.
type Backups struct {
	PointInTime Price `json:"pointInTimeGBMonth"`
	OnDemand    Price `json:"onDemandGBMonth"`
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
		"targetUtilization": p.TargetUtilization.n == nil, "backups": p.Backups == nil, "streams": p.Streams == nil,
	})
	for name, c := range p.Classes {
		if c == nil {
			c = &Class{}
		}
		missing = append(missing, missingIn(name+".", map[string]bool{
			"millionReadUnits": c.ReadUnits.n == nil, "millionWriteUnits": c.WriteUnits.n == nil,
			"readUnitHour": c.ReadUnitHour.n == nil, "writeUnitHour": c.WriteUnitHour.n == nil,
			"freeUnitHours": c.FreeUnitHours.n == nil, "storageGBMonth": c.Storage.n == nil,
			"freeStorageGB": c.FreeStorage.n == nil,
		})...)
	}
	if b := p.Backups; b != nil {
		missing = append(missing, missingIn("backups.", map[string]bool{
			"pointInTimeGBMonth": b.PointInTime.n == nil, "onDemandGBMonth": b.OnDemand.n == nil,
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
	if t := p.TargetUtilization.n; t.Sign() == 0 || t.Cmp(big.NewRat(1, 1)) > 0 {
		return errors.New("targetUtilization is not more than 0 and at most 1")
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
	return amountOf(cost.Mul(cost, big.NewRat(1, per)))
}
