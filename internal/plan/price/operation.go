package price

import (
	"slices"

	"github.com/partita/partita/internal/plan"
)

// operation is the worst case of an operation.
type operation struct {
	*fold
	root *object
	timetable
}

// timetable has the waves in which an operation is read.
type timetable struct {
	// waves are those of all phases, in which deferred Gets are where they are sent.
	waves []wave
	// starts are the first waves of the phases; sentIn are the waves in which the deferred Gets of a phase's waves are
	// sent.
	starts []int
	sentIn [][]int
}

func newOperation(b *plan.Bound) *operation {
	p := &fold{reader: reader{b.ForAnyone()}, known: make(map[nodeKey]*object, b.Objects())}
	o := &operation{fold: p, root: p.root()}
	o.schedule()
	return o
}

// schedule sets the waves of the operation.
func (o *operation) schedule() {
	o.timetable = timetable{}
	for _, phase := range o.root.phases {
		start := len(o.waves)
		waves, sentIn := sendDeferred(slices.Clone(phase))
		for i := range sentIn {
			sentIn[i] += start
		}
		o.waves = append(o.waves, waves...)
		o.starts, o.sentIn = append(o.starts, start), append(o.sentIn, sentIn)
	}
}

// price returns the price of the operation.
func (o *operation) price(limits pageLimits) plan.Price {
	price := plan.Price{WriteUnits: min(o.root.writes, most), Introspected: float64(o.Introspected())}
	price.Objects = min(price.Introspected+newAnswerSize(o.Bound, limits).object(o.Root), most)
	requests, waves := o.root.otherRequests, 0.0
	for _, w := range o.waves {
		if w != (wave{}) {
			waves += max(1, o.Schema.RoundTrips(w.requests()))
		}
		requests += w.requests()
		price.ReadUnits += w.units
	}
	price.ReadUnits = min(price.ReadUnits, most)
	price.Requests, price.Waves = int(min(requests, most)), int(min(waves, most))
	return price
}

// limited returns the price with smaller pages, which the operation then has. Only sums are computed again: what is
// read does not depend on the sizes of pages.
func (o *operation) limited(limits pageLimits) plan.Price {
	for _, n := range o.pages {
		o.resize(n, limits.apply(n.Field, n.page))
		n.addDeclared()
	}
	for _, below := range o.objects {
		below.sum()
	}
	o.schedule()
	return o.price(limits)
}
