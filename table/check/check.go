package check

import (
	"context"
	"slices"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
)

const (
	// parallel is how many requests run at once within a page.
	parallel = 4
	// remembered is how many items of earlier pages are kept, so that an item and
	// its copies are not each read again for the other. They use some 30 MB.
	remembered = 1 << 14
)

// Options are what to check, and how.
type Options struct {
	// Design is the design of the table.
	Design *design.Design
	// Scope is which violations to find, and to repair.
	Scope Scope
	// Rules are the invariants beyond those of the Design.
	Rules []Rule
	// Decode returns an error for a base item that is not a valid object of its
	// type, beyond what the Design requires of its attributes; nil for no such test.
	Decode func(item.Item) error
	// ReadUnits is the limit of read units per second; 0 for none.
	ReadUnits float64
	// PageItems is how many items a page of the Scan has at most; 0 leaves it to
	// DynamoDB's 1 MB.
	PageItems int
	// Checkpoint is the path of a file in which the state of the run is saved after
	// each page. If the file exists, the run resumes from it. It is removed at the
	// end. "" for none.
	Checkpoint string
	// Found is called with each violation, those of the checkpoint first; may be nil.
	// It is not called concurrently.
	Found func(Violation)
	// Progress is called after each page with the Report so far; may be nil.
	Progress func(Report)
}

// Report is what a run has found so far.
type Report struct {
	// Items is how many items were inspected.
	Items int `json:"items"`
	// Violations are in the order of the Scan, without those that were repaired.
	Violations []Violation `json:"violations,omitempty"`
	// Repaired are the violations that Repair has repaired.
	Repaired []Violation `json:"repaired,omitempty"`
	// Unconfirmed are items that looked wrong and were written to all the time, so
	// that it is unknown whether they are, by the keys that Violation has.
	Unconfirmed []keys.Key `json:"unconfirmed,omitempty"`
	Cost        Cost       `json:"cost"`
}

// Clean reports whether no violation is left and nothing is unconfirmed.
func (r Report) Clean() bool { return len(r.Violations) == 0 && len(r.Unconfirmed) == 0 }

// Table inspects all items of the table, which may be written to meanwhile. With
// an error it returns the Report of what was done before. Errors are those of the
// Source, and *CheckpointError.
func Table(ctx context.Context, source Source, o Options) (Report, error) {
	return run(ctx, source, o, nil)
}

// run makes a pass for each element of repairs, which reports whether the pass
// repairs a violation; nil repairs none. A pass that finds nothing wrong is the
// last.
func run(ctx context.Context, source Source, o Options, repairs ...func(Violation) bool) (Report, error) {
	c, err := resume(o.Checkpoint, checkpoint{Table: source.Name(), Repairs: len(repairs) > 1, Scope: o.Scope},
		len(repairs))
	if err != nil {
		return Report{}, err
	}
	p, err := newPass(source, o, c.Report.Cost)
	if err != nil {
		return Report{}, err
	}
	final := func() bool { return c.Pass == len(repairs)-1 }
	p.report(c.Report, final())
	for {
		p.repairs = repairs[c.Pass]
		if err := p.run(ctx, &c, final()); err != nil {
			c.Report.Cost = p.meter.spent()
			return c.Report, err
		}
		if final() || c.Report.Clean() && len(c.Report.Repaired) == 0 {
			return c.Report, discard(o.Checkpoint)
		}
		// What is left is found again by the next pass. It must not see items as they were before their repair.
		p.earlier.Purge()
		c.Pass, c.Start = c.Pass+1, keys.Key{}
		c.Report.Items, c.Report.Violations, c.Report.Unconfirmed = 0, nil, nil
		if err := c.save(o.Checkpoint); err != nil {
			return c.Report, err
		}
	}
}

// pass is one Scan of the table.
type pass struct {
	Options
	meter     *meter
	inspector *inspector
	// repairs reports whether this pass repairs the violation; nil for none.
	repairs func(Violation) bool
	earlier *memory
}

func newPass(source Source, o Options, spent Cost) (*pass, error) {
	earlier, err := lru.NewLRU[place, item.Item](remembered, nil)
	return &pass{
		Options:   o,
		meter:     newMeter(source, o.ReadUnits, spent),
		inspector: newInspector(o, source.Now),
		earlier:   earlier,
	}, err
}

// run continues from c to the end of the table. Only a final pass calls Found with
// what is left.
func (p *pass) run(ctx context.Context, c *checkpoint, final bool) error {
	for {
		result, err := p.meter.scan(ctx, admin.Scan{Start: c.Start, Limit: p.PageItems})
		if err != nil {
			return err
		}
		last := result.Last.Base
		shares, without := p.shares(result, c.Start)
		for _, s := range shares {
			if err := p.inspect(s.context(ctx), s, &c.Report, final); err != nil {
				return err
			}
		}
		for _, it := range without {
			v := withoutTenant(it)
			c.Report.Violations = append(c.Report.Violations, v)
			p.report(Report{Violations: []Violation{v}}, final)
		}
		c.Report.Items += len(result.Items)
		c.Report.Cost = p.meter.spent()
		c.Start = last
		if p.Progress != nil {
			p.Progress(c.Report)
		}
		if last == (keys.Key{}) {
			return nil
		}
		if err := c.save(p.Checkpoint); err != nil {
			return err
		}
	}
}

// inspect inspects what a page has of one tenant, and adds what it finds to the report.
func (p *pass) inspect(ctx context.Context, s share, r *Report, final bool) error {
	suspects, err := p.suspects(ctx, s)
	if err != nil {
		return err
	}
	outcomes, err := p.resolve(ctx, suspects)
	if err != nil {
		return err
	}
	for i, o := range outcomes {
		o.repaired, o.left = p.shown(s, o.repaired), p.shown(s, o.left)
		r.Repaired = append(r.Repaired, o.repaired...)
		r.Violations = append(r.Violations, o.left...)
		if !o.confirmed {
			r.Unconfirmed = append(r.Unconfirmed, p.showKey(s, suspects[i]))
		}
		p.report(Report{Repaired: o.repaired, Violations: o.left}, final)
	}
	return nil
}

func (p *pass) report(r Report, left bool) {
	if p.Found == nil {
		return
	}
	for _, v := range r.Repaired {
		p.Found(v)
	}
	if left {
		for _, v := range r.Violations {
			p.Found(v)
		}
	}
}

// suspects returns the keys of the items that look wrong, or that cannot be
// inspected with what is cheap to read, in their order.
func (p *pass) suspects(ctx context.Context, s share) ([]keys.Key, error) {
	items, at := s.items, newPage(s.items, s.start, s.last)
	at.earlier = earlier{p.earlier, s.tenant}
	looksWrong := make([]bool, len(items))
	undecided := make([]int, len(items))
	for i := range items {
		undecided[i] = i
	}
	for len(undecided) > 0 {
		wanted := map[keys.Key]bool{}
		var inOrder []keys.Key
		var wantedBy []int
		for _, i := range undecided {
			r := &pageReader{page: at}
			found := p.inspector.inspect(items[i], r)
			switch {
			case r.apart:
				looksWrong[i] = true
			case len(r.missing) > 0:
				wantedBy = append(wantedBy, i)
				for _, key := range r.missing {
					if !wanted[key] {
						wanted[key] = true
						inOrder = append(inOrder, key)
					}
				}
			default:
				looksWrong[i] = len(found) > 0
			}
		}
		if err := p.fetch(ctx, at, inOrder); err != nil {
			return nil, err
		}
		undecided = wantedBy
	}
	var suspects []keys.Key
	for i, it := range items {
		at.earlier.Add(keys.KeyOf(it), it)
		if looksWrong[i] {
			suspects = append(suspects, keys.KeyOf(it))
		}
	}
	return suspects, nil
}

// fetch reads the wanted items into the page.
func (p *pass) fetch(ctx context.Context, at *page, wanted []keys.Key) error {
	batches := slices.Collect(slices.Chunk(wanted, request.MaxBatchKeys))
	found := make([][]item.Item, len(batches))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	for i, batch := range batches {
		group.Go(func() error {
			return p.meter.batch(ctx, batch, func(it item.Item) { found[i] = append(found[i], it) })
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, key := range wanted {
		at.items[key] = nil
	}
	for _, it := range slices.Concat(found...) {
		at.items[keys.KeyOf(it)] = it
	}
	for _, key := range wanted { // in this order, so that each run reads the same
		at.earlier.Add(key, at.items[key])
	}
	return nil
}

// outcome is what was found wrong with a suspect.
type outcome struct {
	repaired, left []Violation
	// confirmed is false if the rounds did not agree.
	confirmed bool
}

// resolve confirms and repairs each suspect. The last one is first: sort keys often have the order of what decides who
// the latest is, and if that one is put, the others need not be.
func (p *pass) resolve(ctx context.Context, suspects []keys.Key) ([]outcome, error) {
	outcomes := make([]outcome, len(suspects))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	for i, key := range slices.Backward(suspects) {
		group.Go(func() (err error) {
			outcomes[i], err = p.repair(ctx, key)
			return err
		})
	}
	return outcomes, group.Wait()
}
