package bill

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math/big"
	"slices"
)

// Hours are unit-hours that are provisioned for the table or an index in a period.
type Hours struct {
	Resource      string
	Reads, Writes *big.Rat
}

// Compare compares what the units in the bill cost on demand with the price of the unit-hours that hours returns for
// each period: of these, at most the target utilization is used. A note says when that is so.
func (b *Bill) Compare(periods []Period, hours func(Period) []Hours, when string) {
	target, _ := b.prices.TargetUtilization.n.Float64()
	b.compare(periods, hours, fmt.Sprintf("so that at most %.4g %% are used %s", 100*target, when))
}

func (b *Bill) compare(periods []Period, hours func(Period) []Hours, how string) {
	c := &Comparison{
		ReadUtilization:  utilization(b.class.ReadUnitHour, b.class.ReadUnits),
		WriteUtilization: utilization(b.class.WriteUnitHour, b.class.WriteUnits),
	}
	of := map[string]*Capacity{}
	for part := range b.consumed() {
		one := capacityOf(of, part.capacity)
		one.ReadUnits += part.ReadUnits
		one.WriteUnits += part.WriteUnits
		one.OnDemand = one.OnDemand.plus(part.Amount)
		c.OnDemand = c.OnDemand.plus(part.Amount)
	}
	for _, p := range periods {
		all := hours(p)
		for i, paid := range b.paid(all, p) {
			one := capacityOf(of, paid.Resource)
			reads, _ := quantityOf(all[i].Reads)
			writes, _ := quantityOf(all[i].Writes)
			one.ReadUnitHours += reads
			one.WriteUnitHours += writes
			amount := b.class.ReadUnitHour.of(paid.Reads, 1).plus(b.class.WriteUnitHour.of(paid.Writes, 1))
			one.Provisioned = one.Provisioned.plus(amount)
			c.Provisioned = c.Provisioned.plus(amount)
		}
	}
	for _, one := range of {
		c.Resources = append(c.Resources, *one)
	}
	slices.SortFunc(c.Resources, func(a, b Capacity) int {
		return cmp.Or(cmp.Compare(b.Provisioned, a.Provisioned), cmp.Compare(a.Resource, b.Resource))
	})
	b.Comparison = c
	if one := of[""]; one != nil && one.ReadUnitHours > 0 {
		how += "; it is more, because units are not divided between table and indexes, which have capacity of their own"
	}
	b.Notes = append(append(b.Notes, "provisioned: "+how), b.cheaper(c)...)
}

// cheaper returns which mode costs less, and from which use on provisioned capacity does.
func (b *Bill) cheaper(c *Comparison) []string {
	if slices.ContainsFunc(append(slices.Clone(c.Resources), c.total()), Capacity.isExceeded) {
		return []string{"more is consumed than is provisioned, so that the modes cannot be compared: the capacity is not " +
			"the same all the time, or requests are throttled"}
	}
	text := "the same as"
	switch less := c.OnDemand - c.Provisioned; {
	case less > 0:
		text = fmt.Sprintf("%s %s less than", less, b.Currency)
	case less < 0:
		text = fmt.Sprintf("%s %s more than", -less, b.Currency)
	}
	reads, writes := percent(c.ReadUtilization), percent(c.WriteUtilization)
	part, counted := reads, ""
	if reads != writes {
		part = fmt.Sprintf("%s of read units and %s of write units", reads, writes)
	}
	if b.class.FreeUnitHours.n.Sign() > 0 {
		counted = ", without what is free each month"
	}
	return []string{
		fmt.Sprintf("provisioned capacity costs %s on demand", text),
		fmt.Sprintf("it costs less if more than %s are used on average%s", part, counted),
	}
}

// isDivided reports whether the resource of all units is known.
func (c *Comparison) isDivided() bool {
	return !slices.ContainsFunc(c.Resources, func(r Capacity) bool { return r.Resource == "" })
}

// total returns the sums.
func (c *Comparison) total() Capacity {
	sum := Capacity{Resource: "total", Provisioned: c.Provisioned, OnDemand: c.OnDemand}
	for _, r := range c.Resources {
		sum.ReadUnitHours += r.ReadUnitHours
		sum.ReadUnits += r.ReadUnits
		sum.WriteUnitHours += r.WriteUnitHours
		sum.WriteUnits += r.WriteUnits
	}
	return sum
}

// isExceeded reports whether more is consumed than is provisioned. Units whose resource is not known do not count.
func (c Capacity) isExceeded() bool {
	return c.Resource != "" &&
		(c.ReadUnits/secondsOfHour > c.ReadUnitHours || c.WriteUnits/secondsOfHour > c.WriteUnitHours)
}

func percent(part float64) string { return fmt.Sprintf("%.1f %%", 100*part) }

// utilization returns how much of a provisioned unit must be used, as a part of 1, for its price to be that of the same
// units on demand.
func utilization(hour, million Price) float64 {
	if million.n.Sign() == 0 {
		return 0
	}
	units := new(big.Rat).Mul(hour.n, big.NewRat(1e6, secondsOfHour))
	part, _ := units.Quo(units, million.n).Float64()
	return part
}

const secondsOfHour = 60 * 60

func capacityOf(of map[string]*Capacity, resource string) *Capacity {
	if of[resource] == nil {
		of[resource] = &Capacity{Resource: resource}
	}
	return of[resource]
}

// consumed yields the parts of what operations have consumed.
func (b *Bill) consumed() iter.Seq[*Part] {
	return func(yield func(*Part) bool) {
		for _, c := range b.Charges {
			if c.Item != ItemRequests {
				continue
			}
			for i := range c.Parts {
				if !yield(&c.Parts[i]) {
					return
				}
			}
		}
	}
}

// paid returns the unit-hours without those that are free, which are subtracted in the order of the resources.
func (b *Bill) paid(hours []Hours, p Period) []Hours {
	free := func() *big.Rat { return new(big.Rat).Mul(b.class.FreeUnitHours.n, p.part()) }
	freeReads, freeWrites := free(), free()
	paid := make([]Hours, 0, len(hours))
	for _, h := range hours {
		paid = append(paid, Hours{h.Resource, beyond(h.Reads, freeReads), beyond(h.Writes, freeWrites)})
	}
	return paid
}

// Constant returns the unit-hours for the units in the bill if they are consumed evenly, so that the target utilization
// is not exceeded. An index of stored that consumes nothing has one unit.
func (b *Bill) Constant(stored []Stored) func(Period) []Hours {
	return func(p Period) []Hours {
		reads, writes := map[string]Quantity{}, map[string]Quantity{}
		for part := range b.consumed() {
			reads[part.capacity] += part.ReadUnits
			writes[part.capacity] += part.WriteUnits
		}
		hours := func(units Quantity) *big.Rat {
			return scaled(b.units(units, p.Seconds), p.Seconds)
		}
		var all []Hours
		for _, resource := range withIndexes(slices.Collect(maps.Keys(reads)), stored) {
			all = append(all, Hours{resource, hours(reads[resource]), hours(writes[resource])})
		}
		return all
	}
}

// units returns how many units must be provisioned so that so many can be consumed in some seconds without exceeding
// the target utilization: at least one.
func (b *Bill) units(consumed Quantity, seconds int64) int64 {
	n := new(big.Rat).Quo(big.NewRat(int64(consumed), 1000*max(1, seconds)), b.prices.TargetUtilization.n)
	up := new(big.Int).Add(n.Num(), new(big.Int).Sub(n.Denom(), big.NewInt(1)))
	return max(1, up.Quo(up, n.Denom()).Int64())
}

// scaled returns the unit-hours of units for some seconds.
func scaled(units, seconds int64) *big.Rat {
	return new(big.Rat).Mul(big.NewRat(units, secondsOfHour), big.NewRat(seconds, 1))
}

// withIndexes returns the resources with those of stored that have capacity of their own, the table first. Where units
// are not divided, nothing is added.
func withIndexes(resources []string, stored []Stored) []string {
	if !slices.Contains(resources, "") {
		resources = append(resources, ResourceTable)
		for _, s := range stored {
			if s.IsGlobal {
				resources = append(resources, resourceOf(s.Index))
			}
		}
	}
	slices.SortFunc(resources, func(a, b string) int {
		if a == ResourceTable || b == ResourceTable {
			return -cmp.Compare(a, b) // before all that begin with "index"
		}
		return cmp.Compare(a, b)
	})
	return slices.Compact(resources)
}
