package hotkeys

import (
	"time"

	"golang.org/x/time/rate"
)

// minute is how long what was consumed counts in the Usage of NewUsage: after a minute, 63 % of a new rate is shown,
// and 95 % after three.
const minute = time.Minute

// Usage is what the partition keys of a table and of its indexes consume. The zero Usage does not fade.
type Usage struct {
	// Reads and Writes count read units and write units.
	Reads, Writes Units
}

// Units are those that keys consume.
type Units struct {
	Sketch
	// Kind is "read" or "write".
	Kind string
	// Limit is how many a partition key can consume in a second at most. It is less for keys that share a partition.
	//
	// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
	Limit float64

	onHot func(*Units, Count)
	told  rate.Sometimes
}

// NewUsage returns the Usage of the last minutes. onHot is called with the key that certainly consumes most if that is
// a third of the limit, at most once a minute for reads, and for writes.
func NewUsage(onHot func(*Units, Count)) *Usage {
	var u Usage
	u.Reads.Kind, u.Reads.Limit = "read", 3000
	u.Writes.Kind, u.Writes.Limit = "write", 1000
	for _, units := range []*Units{&u.Reads, &u.Writes} {
		units.Fading, units.told.Interval, units.onHot = minute, minute, onHot
	}
	return &u
}

// PerSecond returns the units of a Count in a second.
func (u *Units) PerSecond(units float64) float64 { return units / u.Fading.Seconds() }

// Add counts units that a partition key of an index has consumed, or with "" of the table.
func (u *Units) Add(index, key string, units float64) {
	if u.Sketch.Add(index, key, units) {
		u.tell()
	}
}

// AddAll is Add for n keys, which a function returns, that have consumed as much each.
func (u *Units) AddAll(index string, n int, key func(int) string, each float64) {
	if u.Sketch.AddAll(index, n, key, each) {
		u.tell()
	}
}

// tell calls onHot if there is something to tell.
func (u *Units) tell() {
	top, _ := u.Top(1)
	if len(top) > 0 && u.PerSecond(top[0].Least()) >= u.Limit/3 {
		u.told.Do(func() { u.onHot(u, top[0]) })
	}
}
