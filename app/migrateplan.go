package app

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/partita/partita/internal/gen/contract"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/migrate/run"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/prices"
	"github.com/partita/partita/table"
)

type migratePlanCommand struct {
	migrationSettings
	firstTenant
	UnitsPerSecond float64 `default:"500" range:"1..1e9" help:"The rate at which the time is computed."`
	ReadPrice      float64 `placeholder:"N" range:"0..1e6" help:"The price of a million read units, for an estimate in money."`
	WritePrice     float64 `placeholder:"N" range:"0..1e6" help:"The price of a million write units."`

	Operations []string `sep:"none" placeholder:"GLOB" help:"Operations of clients, whose prices at worst are compared, as for diff; repeatable."`
	Log        []string `type:"existingfile" predictor:"file" placeholder:"FILE" help:"The log of a gateway, which says how often operations are sent, for their units each month; repeatable."`
}

// migrationPlan is what `partita migrate plan` prints as JSON.
type migrationPlan struct {
	run.Estimate
	Operations []operationPrice `json:"operations,omitempty"`
}

// Run prints the plan.
func (c *migratePlanCommand) Run(ctx context.Context, a *Application) error {
	return c.with(ctx, a, func(t *table.Table, _ *slog.Logger, _ *record.Store, r migrate.Record) error {
		if r.Revision == 0 {
			return c.print(struct{}{}, "The table has no record of its design. "+a.command("migrate run")+
				" reads all of it, and writes the record if it follows the design of the schema.")
		}
		from, to, err := c.versions(ctx, a, t, r)
		if err != nil {
			return err
		}
		e, err := run.Plan(ctx, t, from, to)
		if err != nil {
			return err
		}
		operations, err := c.prices(ctx, from, to)
		if err != nil {
			return err
		}
		p := migrationPlan{e, operations}
		return c.print(p, c.text(a, p))
	})
}

// prices returns what --operations cost before and after, and how often --log has them.
func (c *migratePlanCommand) prices(ctx context.Context, from, to migrate.Version) ([]operationPrice, error) {
	operations, err := readOperations(c.Operations)
	if err != nil {
		return nil, err
	}
	calls, err := readCalls(ctx, c.Log)
	if err != nil {
		return nil, err
	}
	of := func(v migrate.Version) contract.Version {
		return contract.Version{API: plan.API(v.AST), Source: v.AST, Design: v.Design}
	}
	compared, err := prices.Compare(operations, of(from), of(to), prices.Limits{Increase: math.Inf(1)}, time.Now())
	if err != nil {
		return nil, err
	}
	all := make([]operationPrice, len(compared))
	for i, o := range compared {
		all[i] = operationPrice{Comparison: o, CallsPerMonth: calls[o.Operation]}
	}
	return all, nil
}

func (c *migratePlanCommand) text(a *Application, e migrationPlan) string {
	var b strings.Builder
	if len(e.Parts) == 0 {
		b.WriteString("The table follows the design of the schema: nothing has to change.\n")
		return b.String() + c.operationsText(e.Operations)
	}
	b.WriteString("What differs:\n")
	for _, p := range e.Parts {
		fmt.Fprintf(&b, "  %s\n", p)
	}
	b.WriteString("\n" + stepsText(e.Estimate, a.command("migrate finish")))
	if e.Unfollowed != "" {
		fmt.Fprintf(&b, "\nOther programs that write to the table cannot be followed, because %s. Stop them from %s to %s, "+
			"or turn the stream on:\n  %s\n", e.Unfollowed, a.command("migrate run"), a.command("migrate finish"), e.Fix)
	}
	read, written := e.Units(false)
	took := time.Duration((read + written) / c.UnitsPerSecond * float64(time.Second)).Round(time.Second)
	fmt.Fprintf(&b, "\n%s takes %s at %g units a second.", a.command("migrate run"), max(took, time.Second),
		c.UnitsPerSecond)
	if c.ReadPrice+c.WritePrice > 0 {
		r, w := e.Units(true)
		fmt.Fprintf(&b, " All steps cost %.2f.", (read+r)*c.ReadPrice/1e6+(written+w)*c.WritePrice/1e6)
	}
	b.WriteByte('\n')
	return b.String() + hotText(e.Hot) + c.operationsText(e.Operations)
}

// stepsText returns the steps of an estimate. finish is the command that takes the last one.
func stepsText(e run.Estimate, finish string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Steps, for %d items (%d were read for this):\n", e.Items, e.Sampled)
	for n, s := range e.Steps {
		by := ""
		if s.IsFinish {
			by = " (" + finish + ", cannot be undone)"
		}
		fmt.Fprintf(&b, "  %d. %s%s: items %d, read units %g, write units %g\n", n+1, s.What, by, s.Items, s.ReadUnits,
			s.WriteUnits)
	}
	return b.String()
}

func hotText(hot []run.HotKey) string {
	if len(hot) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\nPartition keys that become hot, by the items of the sample:\n")
	for _, k := range hot {
		fmt.Fprintf(&b, "  %s %s: %d items, %.0f %% instead of %.0f %%\n", cmp.Or(k.Index, "table"), k.Key, k.Items,
			100*k.Share, 100*k.Before)
	}
	return b.String()
}

// operationsText returns a table of operations; "" for none.
func (c *migratePlanCommand) operationsText(operations []operationPrice) string {
	if len(operations) == 0 {
		return ""
	}
	var b strings.Builder
	hasPrices := c.ReadPrice+c.WritePrice > 0
	title, columns := "Operations at worst, before and after", ""
	if slices.ContainsFunc(operations, func(o operationPrice) bool { return o.CallsPerMonth > 0 }) {
		title, columns = title+", and what they consume each month", "\tcalls\tread units\twrite units"
		if hasPrices {
			columns += "\tmoney"
		}
	}
	fmt.Fprintf(&b, "\n%s:\n", title)
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "  "+strings.Join(prices.Columns, "\t")+columns) // a Builder returns no error
	for i := range operations {
		o := &operations[i]
		row := o.Row()
		if o.CallsPerMonth > 0 {
			row = append(row, fmt.Sprintf("%.0f", o.CallsPerMonth),
				o.perMonth("%.0f", func(p *prices.Price) float64 { return p.ReadUnits }),
				o.perMonth("%.0f", func(p *prices.Price) float64 { return p.WriteUnits }))
			if hasPrices {
				row = append(row, o.perMonth("%.2f", func(p *prices.Price) float64 {
					return (p.ReadUnits*c.ReadPrice + p.WriteUnits*c.WritePrice) / 1e6
				}))
			}
		}
		_, _ = fmt.Fprintln(table, "  "+strings.Join(row, "\t"))
	}
	_ = table.Flush()
	for _, o := range operations {
		for _, fault := range o.Faults {
			fmt.Fprintf(&b, "  %s (%s): %s\n", o.Operation, o.Place, fault)
		}
	}
	return b.String()
}
