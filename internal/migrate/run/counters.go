package run

import (
	"context"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/table/check"
)

// count sets the counters that only the later design has, for the n-th time. Gateways count what they create and delete
// meanwhile.
func (m *Migrator) count(ctx context.Context, n int) (*BlockedError, error) {
	types := countedTypes(migrate.Compare(m.from, m.to))
	if len(types) == 0 {
		return &BlockedError{}, nil
	}
	m.progress.update(func(p *Progress) { p.Phase, p.Pass, p.Blocked, p.BlockedBy = phaseCount, n, 0, nil })
	report, err := check.Repair(ctx, admin.Scanner{Table: m.by(m.to)}, check.Options{
		Design: m.to.Design, ReadUnits: m.UnitsPerSecond,
		Scope: check.Scope{Only: []check.Kind{check.CounterWrong}, Types: types},
	})
	m.progress.update(func(p *Progress) {
		p.ReadUnits += report.Cost.ReadUnits
		p.WriteUnits += report.Cost.WriteUnits
	})
	if err != nil {
		return nil, err
	}
	blocked := &BlockedError{}
	for _, v := range report.Violations {
		m.progress.block(blocked, Blocked{Code: Code(v.Kind), PK: v.PK, SK: v.SK, Problem: v.Problem})
	}
	for _, k := range report.Unconfirmed {
		m.progress.block(blocked, Blocked{Code: Code(check.CounterWrong), PK: k.PK, SK: k.SK,
			Problem: "its collection was changed all the time: run again when it is changed less often"})
	}
	return blocked, nil
}

// countedTypes returns the types with counters that only the later design has.
func countedTypes(d migrate.Difference) []string {
	var types []string
	for _, p := range d.Parts {
		if p.Kind == migrate.CounterOf && p.Change != migrate.Gone {
			types = append(types, p.Type)
		}
	}
	return types
}
