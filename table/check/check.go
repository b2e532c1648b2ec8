package check

import (
	"context"
	"slices"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders/request"
	"github.com/partita/partita/table/admin"
)

const (
	// parallel is how many requests run at once within a page.
	parallel = 4
	// remembered is how many items of earlier pages are kept, so that an item and
	// its copies need not each be read for the other. That is some 30 MB.
	remembered = 1 << 14
)

// Options say what is checked and how.
type Options struct {
	// Design is what the table is stored by.
	Design *keys.Design
	// Rules are the invariants that Design does not tell.
	Rules []Rule
	// Decode fails for a base item of a type of the Design that does not make an
	// object, beyond what Design tells of its attributes; nil for no further test.
	Decode func(item.Item) error
	// ReadUnits is how many read units a second are used at most; 0 for any
	// number.
	ReadUnits float64
	// PageItems is how many items a page of the Scan has at most; 0 leaves it to
	// DynamoDB's 1 MB.
	PageItems int
	// Checkpoint is a file that holds how far the run has come, after each page. A
	// run with a file that exists goes on from there. It is removed at the end. ""
	// for none.
	Checkpoint string
	// Found is told each violation, those of the checkpoint first; nil for nobody.
	// It is not called concurrently.
	Found func(Violation)
	// Progress is told how far the run has come, after each page; nil for nobody.
	Progress func(Report)
}

// Report is what a run has found so far.
type Report struct {
	// Items is how many items were inspected.
	Items int `json:"items"`
	// Violations are in the order of the Scan. Repair leaves out those it mended.
	Violations []Violation `json:"violations,omitempty"`
	// Mended are the violations that Repair has mended.
	Mended []Violation `json:"mended,omitempty"`
	// Unsettled are items that looked wrong and were written to all the time, so
	// that nothing can be said of them.
	Unsettled []keys.Key `json:"unsettled,omitempty"`
	Cost      Cost       `json:"cost"`
}

// Clean reports whether everything is known to be right.
func (r Report) Clean() bool { return len(r.Violations) == 0 && len(r.Unsettled) == 0 }

// Table inspects all items of the table, which may be written to meanwhile. On an
// error the Report is of what was done before it. Errors are those of the
// Source, and *CheckpointError.
func Table(ctx context.Context, source Source, o Options) (Report, error) {
	return run(ctx, source, o, nil)
}

// run makes a pass for each of mends, which say what the pass mends: nil for
// nothing. Once a pass has found everything right, there is no further one.
func run(ctx context.Context, source Source, o Options, mends ...func(Violation) bool) (Report, error) {
	c, err := resume(o.Checkpoint, checkpoint{Table: source.Name(), Repairs: len(mends) > 1})
	if err != nil {
		return Report{}, err
	}
	p, err := newPass(source, o, c.Report.Cost)
	if err != nil {
		return Report{}, err
	}
	final := func() bool { return c.Pass == len(mends)-1 }
	p.tell(c.Report, final())
	for {
		p.mends = mends[c.Pass]
		if err := p.run(ctx, &c, final()); err != nil {
			c.Report.Cost = p.meter.spent()
			return c.Report, err
		}
		if final() || c.Report.Clean() && len(c.Report.Mended) == 0 {
			return c.Report, discard(o.Checkpoint)
		}
		// What is left is found again by the next pass.
		c.Pass, c.Start = c.Pass+1, keys.Key{}
		c.Report.Items, c.Report.Violations, c.Report.Unsettled = 0, nil, nil
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
	// mends says which violations this pass mends; nil for none.
	mends   func(Violation) bool
	earlier *lru.LRU[keys.Key, item.Item]
}

func newPass(source Source, o Options, spent Cost) (*pass, error) {
	rules := map[string][]Rule{}
	for _, rule := range o.Rules {
		rules[rule.Type] = append(rules[rule.Type], rule)
	}
	earlier, err := lru.NewLRU[keys.Key, item.Item](remembered, nil)
	return &pass{
		Options:   o,
		meter:     newMeter(source, o.ReadUnits, spent),
		inspector: &inspector{design: o.Design, decode: o.Decode, rules: rules},
		earlier:   earlier,
	}, err
}

// run goes on from c until the pass is at the end of the table. Only a final pass
// tells what it leaves.
func (p *pass) run(ctx context.Context, c *checkpoint, final bool) error {
	for {
		result, err := p.meter.scan(ctx, admin.Scan{Start: c.Start, Limit: p.PageItems})
		if err != nil {
			return err
		}
		last := result.Last.Base
		suspects, err := p.suspects(ctx, result.Items, c.Start, last)
		if err != nil {
			return err
		}
		verdicts, err := p.judge(ctx, suspects)
		if err != nil {
			return err
		}
		c.Report.Items += len(result.Items)
		for i, v := range verdicts {
			c.Report.Mended = append(c.Report.Mended, v.mended...)
			c.Report.Violations = append(c.Report.Violations, v.left...)
			if !v.settled {
				c.Report.Unsettled = append(c.Report.Unsettled, suspects[i])
			}
			p.tell(Report{Mended: v.mended, Violations: v.left}, final)
		}
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

func (p *pass) tell(r Report, left bool) {
	if p.Found == nil {
		return
	}
	for _, v := range r.Mended {
		p.Found(v)
	}
	if left {
		for _, v := range r.Violations {
			p.Found(v)
		}
	}
}

// suspects are the keys of those items that look wrong, or that cannot be
// inspected with what is cheap to have, in their order.
func (p *pass) suspects(ctx context.Context, items []item.Item, start, last keys.Key) ([]keys.Key, error) {
	at := newPage(items, start, last)
	at.earlier = p.earlier
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
		p.earlier.Add(keys.KeyOf(it), it)
		if looksWrong[i] {
			suspects = append(suspects, keys.KeyOf(it))
		}
	}
	return suspects, nil
}

// fetch brings the wanted items into the page.
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
	for _, key := range wanted { // in their order, so that a run reads what another did
		p.earlier.Add(key, at.items[key])
	}
	return nil
}

// verdict is what became of a suspect.
type verdict struct {
	mended, left []Violation
	settled      bool
}

func (p *pass) judge(ctx context.Context, suspects []keys.Key) ([]verdict, error) {
	verdicts := make([]verdict, len(suspects))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	for i, key := range suspects {
		group.Go(func() (err error) {
			verdicts[i], err = p.mend(ctx, key)
			return err
		})
	}
	return verdicts, group.Wait()
}
