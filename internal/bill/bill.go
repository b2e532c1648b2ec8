package bill

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// Key is what consumption is attributed to. What is not known is "".
type Key struct {
	// Operation is the name of an operation, which may be "".
	Operation string `json:"operation"`
	// Caller is the class of the callers: Anonymous, SignedIn, or their roles.
	Caller string `json:"caller,omitempty"`
	Tenant string `json:"tenant,omitempty"`
	// Month is such as 2026-11, in UTC.
	Month string `json:"month,omitempty"`
}

// Usage is what operations have consumed, or will.
type Usage struct {
	Calls      int64
	ReadUnits  Quantity
	WriteUnits Quantity
	// PlannedWrites is what the plans of the calls have for WriteUnits; 0 if that is not known.
	PlannedWrites Quantity
}

func (u *Usage) add(other Usage) {
	u.Calls += other.Calls
	u.ReadUnits += other.ReadUnits
	u.WriteUnits += other.WriteUnits
	u.PlannedWrites += other.PlannedWrites
}

// Share is how many units the plan of an operation has for the table or one of its indexes, at worst.
type Share struct {
	// Index is the name of the index, "" for the table itself.
	Index string
	// IsLocal is set for a local index, which uses the capacity of the table.
	IsLocal       bool
	Reads, Writes float64
}

// Bill is what is to be paid.
type Bill struct {
	Region     string `json:"region"`
	PricesOf   string `json:"pricesOf"`
	Currency   string `json:"currency"`
	TableClass string `json:"tableClass"`
	// Capacity is the mode of the table: OnDemand or Provisioned.
	Capacity string   `json:"capacity"`
	Charges  []Charge `json:"charges"`
	Total    Amount   `json:"total"`
	// Comparison is with provisioned capacity for the same units, and with on-demand capacity if the table has
	// provisioned one; nil if what is known does not allow one.
	Comparison *Comparison `json:"comparison,omitempty"`
	// Notes say what is not in the bill, and how it was made.
	Notes []string `json:"notes,omitempty"`

	prices *Prices
	class  *Class
}

// maxLine is the length in bytes of the longest line of a log or of metrics that is read. A gateway's have less than
// 3,000.
const maxLine = 1 << 20

// unnamed is an operation without a name.
const unnamed = "(without a name)"

// The items of charges.
const (
	ItemRequests    = "requests"
	ItemStorage     = "storage"
	ItemStreams     = "streams"
	ItemPointInTime = "point-in-time recovery"
	ItemBackups     = "backups"
	// ItemCapacity is the provisioned capacity of resources that have consumed nothing.
	ItemCapacity = "capacity"
)

// The modes of capacity.
const (
	OnDemand    = "on demand"
	Provisioned = "provisioned"
)

// Charge is what one combination of an operation, callers, a tenant and a month costs, or one of the other items in a
// month. Its Amount is the sum of those of its Parts if it has any. Each part is rounded once.
type Charge struct {
	Item string `json:"item"`
	Key
	Calls      int64    `json:"calls,omitempty"`
	ReadUnits  Quantity `json:"readUnits,omitempty"`
	WriteUnits Quantity `json:"writeUnits,omitempty"`
	// StreamReads are requests of GetRecords.
	StreamReads Quantity `json:"streamReads,omitempty"`
	// GBMonths are those of backups. Those of storage are in its Parts.
	GBMonths Quantity `json:"gbMonths,omitempty"`
	Amount   Amount   `json:"amount"`
	Parts    []Part   `json:"parts,omitempty"`
}

// Part is what the table or one of its indexes has of a Charge.
type Part struct {
	// Resource is "table", the name of an index as "index GSI1", or "" for units that are not divided.
	Resource   string   `json:"resource"`
	ReadUnits  Quantity `json:"readUnits,omitempty"`
	WriteUnits Quantity `json:"writeUnits,omitempty"`
	GBMonths   Quantity `json:"gbMonths,omitempty"`
	Amount     Amount   `json:"amount"`

	// capacity is the resource whose capacity these units use: the table for one of its local indexes.
	capacity string
}

// Comparison is what the same units cost in both modes of capacity.
type Comparison struct {
	OnDemand    Amount `json:"onDemand"`
	Provisioned Amount `json:"provisioned"`
	// ReadUtilization and WriteUtilization are from which part of it on provisioned capacity costs less, without what is
	// free: 0.3 if three of ten units must be consumed. 0 if on-demand units are free.
	ReadUtilization  float64    `json:"readUtilization"`
	WriteUtilization float64    `json:"writeUtilization"`
	Resources        []Capacity `json:"resources"`
}

// Capacity is what is provisioned for the table or a global index, what was consumed of it, and what both cost.
type Capacity struct {
	// Resource is as in a Part.
	Resource       string   `json:"resource"`
	ReadUnitHours  Quantity `json:"readUnitHours"`
	ReadUnits      Quantity `json:"readUnits"`
	WriteUnitHours Quantity `json:"writeUnitHours"`
	WriteUnits     Quantity `json:"writeUnits"`
	Provisioned    Amount   `json:"provisioned"`
	OnDemand       Amount   `json:"onDemand"`
}

// ResourceTable is the resource of what belongs to the table itself.
const ResourceTable = "table"

func (s Share) capacity() string {
	if s.IsLocal {
		return ResourceTable
	}
	return resourceOf(s.Index)
}

func resourceOf(index string) string {
	if index == "" {
		return ResourceTable
	}
	return "index " + index
}

// New returns a bill without charges, by the prices of a table class that the list has.
func New(prices *Prices, class string) *Bill {
	return &Bill{
		Region: prices.Region, PricesOf: prices.Date, Currency: prices.Currency, TableClass: class, Capacity: OnDemand,
		Charges: []Charge{}, prices: prices, class: prices.Classes[class],
	}
}

// Requests adds what operations have consumed. Their units are divided by the shares of their names, see divided; those
// of an operation without shares are not.
func (b *Bill) Requests(usage map[Key]Usage, shares map[string][]Share) {
	for _, key := range slices.SortedFunc(maps.Keys(usage), compareKeys) {
		used := usage[key]
		c := Charge{
			Item: ItemRequests, Key: key, Calls: used.Calls, ReadUnits: used.ReadUnits, WriteUnits: used.WriteUnits,
		}
		for _, part := range divided(used, shares[key.Operation]) {
			reads := b.class.ReadUnits.of(part.ReadUnits.rat(), 1e6)
			part.Amount = reads.plus(b.class.WriteUnits.of(part.WriteUnits.rat(), 1e6))
			c.Parts = append(c.Parts, part)
		}
		b.add(c)
	}
}

// maxNoted is how many names a note has.
const maxNoted = 20

// Note adds a note about names of operations, if there are any.
func (b *Bill) Note(text string, names []string) {
	if len(names) == 0 {
		return
	}
	noted := slices.Clone(names[:min(len(names), maxNoted)])
	for i, name := range noted {
		noted[i] = cmp.Or(name, unnamed)
	}
	if more := len(names) - len(noted); more > 0 {
		noted = append(noted, fmt.Sprintf("and %d more", more))
	}
	b.Notes = append(b.Notes, text+strings.Join(noted, ", "))
}

// Undivided returns the operations that have units and no shares, sorted.
func (b *Bill) Undivided() []string {
	names := map[string]bool{}
	for _, c := range b.Charges {
		if slices.ContainsFunc(c.Parts, func(p Part) bool { return p.Resource == "" }) {
			names[c.Operation] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func compareKeys(a, b Key) int {
	return cmp.Or(
		cmp.Compare(a.Month, b.Month), cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Tenant, b.Tenant),
		cmp.Compare(a.Caller, b.Caller),
	)
}

// add adds a charge, whose amount is that of its parts.
func (b *Bill) add(c Charge) {
	for _, part := range c.Parts {
		c.Amount = c.Amount.plus(part.Amount)
	}
	b.Total = b.Total.plus(c.Amount)
	b.Charges = append(b.Charges, c)
}

// divided returns the parts of what was consumed, which add up to it. Read units are divided in proportion to the
// shares. Of write units, the indexes have what they have in the plan of each call, which is the same however a call
// writes: alone, in a transaction or with an idempotency key. The table has the rest.
func divided(used Usage, shares []Share) []Part {
	reads := portions(used.ReadUnits, sizes(shares, func(s Share) float64 { return s.Reads }), nil)
	planned := new(big.Rat)
	if used.Calls > 0 {
		planned.Quo(used.PlannedWrites.rat(), big.NewRat(used.Calls, 1))
	}
	writes := portions(used.WriteUnits, sizes(shares, func(s Share) float64 {
		if s.Index == "" && planned.Sign() > 0 {
			return 0
		}
		return s.Writes
	}), planned)
	parts := make([]Part, 0, len(shares))
	rest := Part{ReadUnits: used.ReadUnits, WriteUnits: used.WriteUnits}
	for i, s := range shares {
		part := Part{Resource: resourceOf(s.Index), ReadUnits: reads[i], WriteUnits: writes[i], capacity: s.capacity()}
		rest.ReadUnits -= part.ReadUnits
		rest.WriteUnits -= part.WriteUnits
		parts = append(parts, part)
	}
	if len(shares) > 0 && planned.Sign() > 0 {
		parts, rest.WriteUnits = withTable(parts, rest.WriteUnits), 0
	}
	return slices.DeleteFunc(append(parts, rest), func(p Part) bool { return p.ReadUnits == 0 && p.WriteUnits == 0 })
}

// withTable adds write units to the part of the table.
func withTable(parts []Part, writes Quantity) []Part {
	i := slices.IndexFunc(parts, func(p Part) bool { return p.Resource == ResourceTable })
	if i < 0 {
		return append(parts, Part{Resource: ResourceTable, WriteUnits: writes, capacity: ResourceTable})
	}
	parts[i].WriteUnits += writes
	return parts
}

func sizes(shares []Share, size func(Share) float64) []*big.Rat {
	all := make([]*big.Rat, len(shares))
	for i, s := range shares {
		all[i] = ratOf(size(s))
	}
	return all
}

// portions divides a quantity in proportion to sizes. If they add up to less than the least sum, the portions add up to
// less than the quantity.
func portions(all Quantity, sizes []*big.Rat, least *big.Rat) []Quantity {
	out := make([]Quantity, len(sizes))
	total, until := new(big.Rat), new(big.Rat)
	for _, n := range sizes {
		total.Add(total, n)
	}
	if least != nil && total.Cmp(least) < 0 {
		total = least
	}
	if total.Sign() == 0 {
		return out
	}
	var given Quantity
	for i, n := range sizes {
		until.Add(until, n)
		part := new(big.Rat).Quo(until, total)
		end, _ := rounded(part.Mul(part, big.NewRat(int64(all), 1)))
		out[i], given = Quantity(end)-given, Quantity(end)
	}
	return out
}

func ratOf(n float64) *big.Rat {
	out := new(big.Rat)
	out.SetFloat64(n) // nil only for what is not finite, and out remains 0
	return out
}
