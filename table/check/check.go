package check

import (
	"context"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/keys"
)

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

// Repair repairs what Table would find, as far as Violation.Fix describes how, and
// reports what is left. It writes nothing that has changed since it was read. If
// anything is wrong it makes two passes: counters are set once all copies are in
// place, and a copy that several objects share gets the right one after what it held
// wrongly is removed. Otherwise it is like Table.
func Repair(ctx context.Context, source Source, o Options) (Report, error) {
	return run(ctx, source, o,
		func(v Violation) bool { return v.Kind != CounterWrong },
		func(v Violation) bool { return !v.lowers })
}
