package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// fairCommand measures a well-behaved caller, alone and beside a hostile one.
type fairCommand struct {
	Rounds      int           `default:"3" range:"1..1000" help:"How often each attack is measured."`
	Window      time.Duration `default:"5s" range:"1ms..1h" help:"How long each half of a round lasts."`
	Rate        int           `default:"50" range:"1..10000" help:"How many operations the caller sends each second."`
	Connections int           `default:"64" range:"1..10000" help:"How many connections the hostile caller has."`
	Attack      []string      `placeholder:"NAME" help:"Measure only these attacks."`
	Partita     string        `default:"bin/partita" type:"path" help:"Path of Partita's binary."`
	Write       string        `type:"path" placeholder:"FILE" help:"Also write the results into this Markdown file."`
}

// fairSystem has a budget that does not end an attack, and what it has by itself with the local engine: as many
// connections to it, and the page /table.
var fairSystem = system{
	name: "partita", arguments: []string{"serve"},
	settings: append(slices.Clone(production), "DYNAMODB_CONNECTIONS=8", "TABLE_PAGE=on"),
	request:  operation.graphQL,
}

// Run measures all attacks and prints the results.
func (c *fairCommand) Run(ctx context.Context) error {
	results, err := c.measure(ctx)
	if err != nil {
		return err
	}
	return publish(c.report(results), c.Write, fairMarks)
}

func (c *fairCommand) measure(ctx context.Context) (all []fairResult, err error) {
	chosen, err := selected(attacks(), c.Attack, func(a attack) string { return a.name })
	if err != nil {
		return nil, err
	}
	b, err := openWorkbench(ctx, c.Partita)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	for _, a := range chosen {
		r, err := c.attacked(ctx, a, b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.name, err)
		}
		all = append(all, r)
	}
	return all, nil
}

// attacked measures one attack on a process of its own, so that the peak of memory belongs to it.
func (c *fairCommand) attacked(ctx context.Context, a attack, b *workbench) (r fairResult, err error) {
	p, err := start(ctx, fairSystem, b.self, c.Partita, b.engine.Endpoint(), b.dir)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	caller, err := newCaller(p)
	if err != nil {
		return r, err
	}
	line, err := a.line(p)
	if err != nil {
		return r, err
	}
	if _, failed := caller.send(ctx, c.Rate, c.Window); failed > 0 { // caches are filled
		return r, p.failed(fmt.Errorf("%d operations failed without an attack", failed))
	}
	r.attack = a.name
	for round := range c.Rounds {
		_, _ = fmt.Fprintf(os.Stderr, "%s: round %d of %d\n", a.name, round+1, c.Rounds)
		alone, _ := caller.send(ctx, c.Rate, c.Window)
		hostile, err := startAttacker(ctx, b.self, p.addr, c.Connections, line)
		if err != nil {
			return r, err
		}
		beside, failed := caller.send(ctx, c.Rate, c.Window)
		answers, err := hostile.stop()
		if err != nil {
			return r, p.failed(err)
		}
		r.failed += failed
		r.rounds = append(r.rounds, fairRound{alone, beside, float64(answers) / c.Window.Seconds()})
	}
	r.peakMemory, err = p.peakMemory()
	return r, err
}

// report returns the results as Markdown.
func (c *fairCommand) report(results []fairResult) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. %d operations each second, %d hostile connections, the median of %d rounds of %v.\n\n", machine(),
		c.Rate, c.Connections, c.Rounds, c.Window)
	fairTable(&b, results)
	return b.String()
}
