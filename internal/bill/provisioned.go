package bill

import "math/big"

// Provision makes a bill that has what operations consume one of capacity that is provisioned: each operation has the
// part of it that it has of the units.
func (b *Bill) Provision(of []Throughput, periods []Period) {
	b.compare(periods, func(p Period) []Hours { return fixed(of, p) }, "as the table is described, all the time")
	b.Capacity = Provisioned
	for _, p := range periods {
		b.divide(p.Month, b.paid(fixed(of, p), p))
	}
	b.Total = 0
	for i := range b.Charges {
		c := &b.Charges[i]
		if c.Item == ItemRequests {
			c.Amount = 0
			for _, part := range c.Parts {
				c.Amount = c.Amount.plus(part.Amount)
			}
		}
		b.Total = b.Total.plus(c.Amount)
	}
}

func fixed(of []Throughput, p Period) (hours []Hours) {
	for _, t := range of {
		hours = append(hours, Hours{resourceOf(t.Index), scaled(t.Reads, p.Seconds), scaled(t.Writes, p.Seconds)})
	}
	return hours
}

// divide divides what the capacity of a month costs among the operations of that month. What nothing was consumed of is
// a charge of its own.
func (b *Bill) divide(month string, paid []Hours) {
	reads, writes := newDivision(), newDivision()
	for _, h := range paid {
		reads.cost[h.Resource] = new(big.Rat).Mul(h.Reads, b.class.ReadUnitHour.n)
		writes.cost[h.Resource] = new(big.Rat).Mul(h.Writes, b.class.WriteUnitHour.n)
	}
	var parts []*Part
	for i := range b.Charges {
		c := &b.Charges[i]
		if c.Item != ItemRequests || c.Month != month {
			continue
		}
		for j := range c.Parts {
			part := &c.Parts[j]
			reads.add(part.capacity, part.ReadUnits)
			writes.add(part.capacity, part.WriteUnits)
			parts = append(parts, part)
		}
	}
	for _, part := range parts {
		cost := reads.of(part.capacity, part.ReadUnits)
		part.Amount = amountOf(cost.Add(cost, writes.of(part.capacity, part.WriteUnits)))
	}
	rest := Charge{Item: ItemCapacity, Key: Key{Month: month}}
	for _, h := range paid {
		cost := reads.rest(h.Resource)
		if amount := amountOf(cost.Add(cost, writes.rest(h.Resource))); amount > 0 {
			rest.Parts = append(rest.Parts, Part{Resource: h.Resource, Amount: amount})
		}
	}
	if len(rest.Parts) > 0 {
		b.add(rest)
	}
}

// division divides the cost of reads, or that of writes. Units whose resource is not known have their part of all of
// the cost.
type division struct {
	cost map[string]*big.Rat
	used map[string]Quantity
	all  Quantity
}

func newDivision() *division {
	return &division{cost: map[string]*big.Rat{}, used: map[string]Quantity{}}
}

func (d *division) known(resource string) string {
	if d.cost[resource] == nil {
		return ""
	}
	return resource
}

func (d *division) add(resource string, units Quantity) {
	d.used[d.known(resource)] += units
	d.all += units
}

// of returns what units of a resource cost.
func (d *division) of(resource string, units Quantity) *big.Rat {
	if units == 0 {
		return new(big.Rat)
	}
	resource = d.known(resource)
	cost := d.costOf(resource)
	return cost.Mul(cost, big.NewRat(int64(units), int64(d.used[resource])))
}

// rest returns the cost of a resource that has consumed nothing.
func (d *division) rest(resource string) *big.Rat {
	if d.used[resource] > 0 {
		return new(big.Rat)
	}
	return d.costOf(resource)
}

// costOf returns what all units of a resource cost together.
func (d *division) costOf(resource string) *big.Rat {
	cost, part := new(big.Rat), d.all-d.used[""]
	if resource != "" {
		cost.Set(d.cost[resource])
	} else {
		part = d.used[""]
		for _, one := range d.cost {
			cost.Add(cost, one)
		}
	}
	if d.all > 0 {
		cost.Mul(cost, big.NewRat(int64(part), int64(d.all)))
	}
	return cost
}
