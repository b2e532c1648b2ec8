package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/bill"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/gen/contract"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/prices"
)

// billedOperation is what an operation costs at worst, and how its units divide.
type billedOperation struct {
	plan.Price
	shares []bill.Share
}

// operations returns --operations by their names.
func (c *billCommand) operations(a *Application) (map[string]billedOperation, error) {
	listed, err := readOperations(c.Operations)
	if err != nil {
		return nil, err
	}
	version := contract.Version{API: plan.API(a.Schema.Schema()), Design: a.Design}
	known := map[string]billedOperation{}
	for _, o := range listed {
		if _, has := known[o.Name]; has {
			return nil, &exit.Error{
				Problem: fmt.Sprintf("two operations have the name %s, the second one in %s", o.Name, o.Place),
				Fix:     "give each a name of its own", Code: exit.DataError,
			}
		}
		worst, parts, err := prices.WorstParts(o, version, time.Now())
		if faults, is := errors.AsType[gqlerror.List](err); is {
			return nil, &exit.Error{
				Problem: fmt.Sprintf("the operation %s (%s) is not valid: %v", o.Name, o.Place, faults[0].Message),
				Fix:     "correct it, or name the schema that it is for", Code: exit.DataError, Err: err,
			}
		}
		if err != nil {
			return nil, err
		}
		one := billedOperation{Price: worst}
		for _, p := range parts {
			one.shares = append(one.shares, bill.Share{
				Index: p.Index, IsLocal: a.Design.Layout.Index(p.Index).Local,
				Reads: p.ReadUnits, Writes: p.WriteUnits,
			})
		}
		known[o.Name] = one
	}
	return known, nil
}

func sharesOf(known map[string]billedOperation) map[string][]bill.Share {
	shares := map[string][]bill.Share{}
	for name, o := range known {
		shares[name] = o.shares
	}
	return shares
}

// estimate adds what operations consume by --rates: on average in --log, and otherwise at worst.
func (c *billCommand) estimate(ctx context.Context, b *bill.Bill, known map[string]billedOperation) error {
	rates, err := c.rates()
	if err != nil {
		return err
	}
	each, worst, err := c.means(ctx, known)
	if err != nil {
		return err
	}
	usage := map[bill.Key]bill.Usage{}
	var atWorst []string
	for _, r := range rates {
		one, has := each[r.Operation]
		if !has {
			return c.wrongRate(fmt.Sprintf("line %d: there is no operation %s", r.Line, r.Operation),
				"name one of "+strings.Join(slices.Sorted(maps.Keys(each)), ", "))
		}
		used, fits := r.Month(one)
		if !fits {
			return c.wrongRate(fmt.Sprintf("line %d: more units than can be counted", r.Line), "lower the rate")
		}
		usage[bill.Key{Operation: r.Operation}] = used
		if delete(each, r.Operation); worst[r.Operation] {
			atWorst = append(atWorst, r.Operation)
		}
	}
	b.Requests(usage, sharesOf(known))
	b.Notes = append(b.Notes, "estimated for 30 days")
	b.Note("at worst: ", atWorst)
	b.Note("without a rate, and not in the bill: ", slices.Sorted(maps.Keys(each)))
	return nil
}

func (c *billCommand) rates() ([]bill.Rate, error) {
	text, err := folder.ReadFile(c.Rates)
	if err != nil {
		return nil, err
	}
	rates, err := bill.ReadRates(text)
	if err != nil {
		return nil, c.wrongRate(err.Error(),
			"write one for each operation, such as PlaceOrder: 2.5/s, per s, min, h, day or month")
	}
	return rates, nil
}

func (c *billCommand) wrongRate(problem, fix string) error {
	return &exit.Error{Problem: c.Rates + ": " + problem, Fix: fix, Code: exit.DataError}
}

// means returns what operations consume: those of --log on average, and others of --operations at worst, which are in
// the second result.
func (c *billCommand) means(
	ctx context.Context, known map[string]billedOperation,
) (each map[string]bill.Mean, worst map[string]bool, err error) {
	log := bill.NewLog()
	if err := readLogs(ctx, log, c.Log); err != nil {
		return nil, nil, err
	}
	each, worst = log.Means(), map[string]bool{}
	for name, o := range known {
		if _, has := each[name]; !has {
			each[name] = bill.Mean{ReadUnits: o.ReadUnits, WriteUnits: o.WriteUnits, PlannedWrites: o.WriteUnits}
			worst[name] = true
		}
	}
	return each, worst, nil
}

// add adds what --log says, and returns the log.
func (c *billCommand) add(ctx context.Context, b *bill.Bill, known map[string]billedOperation) (*bill.Log, error) {
	classes, err := c.classes()
	if err != nil {
		return nil, err
	}
	log := bill.NewLog()
	log.Classes, log.Shares = classes, sharesOf(known)
	if err := readLogs(ctx, log, c.Log); err != nil {
		return nil, err
	}
	b.Requests(log.Usage, log.Shares)
	b.Notes = append(b.Notes, log.Notes()...)
	if len(c.Operations) > 0 {
		b.Notes = append(b.Notes,
			"table and indexes have what the plans of operations have for them; DynamoDB did not report it")
		b.Note("not among --operations, and not divided: ", b.Undivided())
	}
	return log, nil
}

// classes returns the classes of --callers.
func (c *billCommand) classes() (map[string]string, error) {
	if c.Callers == "" {
		return nil, nil
	}
	text, err := folder.ReadFile(c.Callers)
	if err != nil {
		return nil, err
	}
	classes, err := bill.ReadClasses(text)
	if err != nil {
		return nil, &exit.Error{
			Problem: c.Callers + ": " + err.Error(),
			Fix:     "write lines such as '01999ec9-0c00-73b3: importer', one for each caller", Code: exit.DataError, Err: err,
		}
	}
	return classes, nil
}

// measure adds what --metrics say.
func (c *billCommand) measure(ctx context.Context, b *bill.Bill) error {
	metrics := bill.NewMetrics()
	for _, name := range c.Metrics {
		if err := readMetrics(ctx, metrics, name); err != nil {
			return err
		}
	}
	b.Requests(metrics.Usage, nil)
	for since, reads := range metrics.Streams {
		b.StreamReads(reads, bill.Period{Month: since})
	}
	b.Notes = append(b.Notes, "counted since the start of each process")
	return nil
}

func readMetrics(ctx context.Context, m *bill.Metrics, name string) error {
	file, closed, err := open(ctx, name)
	if err != nil {
		return err
	}
	defer closed()
	if err := m.Read(file); err != nil {
		return &exit.Error{
			Problem: fmt.Sprintf("the metrics in %s cannot be used: %v", name, err),
			Fix:     "save what a gateway answers to GET /metrics", Code: exit.DataError, Err: err,
		}
	}
	return nil
}
