package bill

import (
	"maps"
	"slices"
	"time"
)

const (
	// maxHours limits the memory for what was consumed in each hour: a kilobyte for each hour of each resource.
	maxHours = 50_000
	// maxSpread is over how many minutes the units of a subscription are spread at most.
	maxSpread = 31 * 24 * 60
	minutes   = 60
)

// load is what was consumed in each minute, of the table and its indexes.
type load struct {
	hours map[hourOf]*hour
	// isBeyond is set if there were more than maxHours.
	isBeyond bool
	// minute is that of pending, which are the units of operations that are not in hours yet: they are divided for a
	// minute at once.
	minute  int64
	pending map[string]Usage
}

// hourOf is an hour, since 1970, of a resource.
type hourOf struct {
	resource string
	hour     int64
}

type hour [minutes]struct{ reads, writes Quantity }

func newLoad() *load { return &load{hours: map[hourOf]*hour{}, pending: map[string]Usage{}} }

func minuteOf(at time.Time) int64 { return at.Unix() / 60 }

// add adds the units of an operation.
func (l *load) add(at time.Time, operation string, used Usage, shares map[string][]Share) {
	if minute := minuteOf(at); minute != l.minute {
		l.flush(shares)
		l.minute = minute
	}
	all := l.pending[operation]
	all.add(used)
	l.pending[operation] = all
}

func (l *load) flush(shares map[string][]Share) {
	for operation, used := range l.pending {
		for _, part := range divided(used, shares[operation]) {
			l.put(part.capacity, l.minute, part.ReadUnits, part.WriteUnits)
		}
	}
	clear(l.pending)
}

// spread adds the units of a subscription evenly to the time that it was there.
func (l *load) spread(until time.Time, length time.Duration, operation string, used Usage, shares map[string][]Share) {
	last := minuteOf(until)
	n := min(max(0, last-minuteOf(until.Add(-length))), maxSpread-1) + 1
	for _, part := range divided(used, shares[operation]) {
		all := int64(part.ReadUnits)
		for i := range n {
			l.put(part.capacity, last-n+1+i, Quantity(all*(i+1)/n-all*i/n), 0)
		}
	}
}

func (l *load) put(resource string, minute int64, reads, writes Quantity) {
	if reads == 0 && writes == 0 || minute < 0 {
		return
	}
	of := hourOf{resource, minute / minutes}
	if l.hours[of] == nil {
		if len(l.hours) >= maxHours {
			l.isBeyond = true
			return
		}
		l.hours[of] = &hour{}
	}
	at := &l.hours[of][minute%minutes]
	at.reads += reads
	at.writes += writes
}

// resources returns those that have consumed anything.
func (l *load) resources() []string {
	all := map[string]bool{}
	for of := range l.hours {
		all[of.resource] = true
	}
	return slices.Collect(maps.Keys(all))
}

// busiest returns the most units of a minute in an hour.
func (l *load) busiest(of hourOf) (reads, writes Quantity) {
	if h := l.hours[of]; h != nil {
		for _, m := range h {
			reads, writes = max(reads, m.reads), max(writes, m.writes)
		}
	}
	return reads, writes
}
