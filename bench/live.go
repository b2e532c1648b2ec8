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

// liveCommand measures subscriptions: how long an event takes after a write, and what it costs.
type liveCommand struct {
	Rounds      int           `default:"3" range:"1..1000" help:"How many windows each case has."`
	Window      time.Duration `default:"10s" range:"10ms..1h" help:"How long each window lasts."`
	Subscribers []int         `default:"1000,10000,100000" placeholder:"N" help:"How many subscriptions there are. Of several numbers, those after the first have the cases nobody and all subscribers."`
	Connections int           `default:"250" range:"1..10000" help:"How many WebSockets they share at least; one has up to 50."`
	Rate        int           `default:"100" range:"1..10000" help:"How many items are changed each second."`
	Case        []string      `placeholder:"NAME" help:"Measure only these, named as in the results. Can be repeated."`
	Partita     string        `default:"bin/partita" type:"path" help:"Path of Partita's binary."`
	Write       string        `type:"path" placeholder:"FILE" help:"Also write the results into this Markdown file, between its marks."`
}

// liveCase is what is subscribed to, and what is changed.
type liveCase struct {
	name string
	// sharing is how many subscribers are subscribed to each object.
	sharing int
	// speed is by how much the rate is multiplied.
	speed float64
	// isElsewhere reports that other objects are changed.
	isElsewhere bool
}

// liveCases returns all of them. n is the number of subscribers.
func liveCases(n int) []liveCase {
	return []liveCase{
		{name: liveNobody, sharing: n, speed: 1, isElsewhere: true},
		{name: "one subscriber", sharing: 1, speed: 1},
		{name: "ten subscribers", sharing: min(10, n), speed: 1},
		{name: liveAll, sharing: n, speed: 10 / float64(n)}, // as many events as with ten
	}
}

// The cases that are measured with all numbers of subscribers.
const liveNobody, liveAll = "nobody", "all subscribers"

// isMeasured reports whether a case is measured with a number of subscribers.
func (c *liveCommand) isMeasured(l liveCase, n int) bool {
	if len(c.Case) > 0 {
		return slices.Contains(c.Case, l.name)
	}
	return n == c.Subscribers[0] || l.name == liveNobody || l.name == liveAll
}

// connections returns how many WebSockets a number of subscribers shares.
func (c *liveCommand) connections(n int) int { return max(c.Connections, n/sharedBy) }

// sharedBy is how many subscriptions a WebSocket has at most. The gateway allows 100.
const sharedBy = 50

// Run measures all cases and prints the results.
func (c *liveCommand) Run(ctx context.Context) error {
	results, err := c.measure(ctx)
	if err != nil {
		return err
	}
	return publish(c.report(results), c.Write, liveMarks)
}

// report returns the results as Markdown.
func (c *liveCommand) report(results []liveResult) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. %d WebSockets, or one for %d subscribers, ", machine(), c.Connections, sharedBy)
	fmt.Fprintf(&b, "%d windows of %v: the mean of CPU times, the median of others.\n\n", c.Rounds, c.Window)
	liveTable(&b, results)
	return b.String()
}

func (c *liveCommand) measure(ctx context.Context) (all []liveResult, err error) {
	b, err := openWorkbench(ctx, c.Partita)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	w := newLiveWriter(b.engine.Endpoint())
	if err := w.enableStream(ctx); err != nil {
		return nil, err
	}
	for _, n := range c.Subscribers {
		for _, l := range liveCases(n) {
			if !c.isMeasured(l, n) {
				continue
			}
			r, err := c.one(ctx, l, n, b, w)
			if err != nil {
				return nil, fmt.Errorf("%s of %d: %w", l.name, n, err)
			}
			all = append(all, r)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("there is no case %q", c.Case)
	}
	return all, nil
}

// liveSystem has no budget that ends the subscriptions.
var liveSystem = system{
	name: "partita", arguments: []string{"serve"}, settings: production, request: operation.graphQL,
}

// one measures one case with n subscribers on a process of its own.
func (c *liveCommand) one(
	ctx context.Context, l liveCase, n int, b *workbench, w *liveWriter,
) (r liveResult, err error) {
	p, err := start(ctx, liveSystem, b.self, c.Partita, b.engine.Endpoint(), b.dir)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	r.name, r.subscribers = l.name, n
	connections := c.connections(n)
	audience, err := newLiveAudience(ctx, p, w, connections)
	if err != nil {
		return r, err
	}
	defer audience.close()
	before, err := p.memory("VmRSS")
	if err != nil {
		return r, err
	}
	objects := max(1, n/l.sharing)
	for i := range n {
		if err := audience.subscribe(ctx, i, w.order(i%objects)); err != nil {
			return r, p.failed(err)
		}
		if begun := i + 1; begun%min(connections*beginning, mostBeginning) == 0 {
			if err := audience.await(ctx, begun); err != nil {
				return r, p.failed(err)
			}
		}
	}
	if err := audience.await(ctx, n); err != nil {
		return r, p.failed(err)
	}
	after, err := p.memory("VmRSS")
	if err != nil {
		return r, err
	}
	r.memory = (after - before) / float64(n)
	if err := pause(ctx, c.Window); err != nil { // what the first states have left is collected
		return r, err
	}
	for round := range c.Rounds {
		_, _ = fmt.Fprintf(os.Stderr, "%s of %d: round %d of %d\n", l.name, n, round+1, c.Rounds)
		window, err := c.window(ctx, l, p, w, audience, objects)
		if err != nil {
			return r, p.failed(err)
		}
		r.windows = append(r.windows, window)
	}
	return r, nil
}

// window measures the idle process, then changes objects at the rate, and waits for all events.
func (c *liveCommand) window(
	ctx context.Context, l liveCase, p *process, w *liveWriter, audience *liveAudience, objects int,
) (r liveWindow, err error) {
	idle, took, err := cpuWhile(p, func() error { return pause(ctx, c.Window) })
	if err != nil {
		return r, err
	}
	r.idle = time.Duration(float64(idle) / took.Seconds())
	r.changes = max(1, int(float64(c.Rate)*l.speed*c.Window.Seconds()))
	first := 0
	if l.isElsewhere {
		first, objects = objects, len(w.orders)-objects
	}
	audience.reset()
	r.cpu, took, err = cpuWhile(p, func() error {
		began := time.Now()
		if err := w.change(ctx, first, objects, r.changes, c.Window); err != nil {
			return err
		}
		r.lasted = time.Since(began)
		if l.isElsewhere {
			return pause(ctx, untilRead)
		}
		return audience.await(ctx, r.changes*l.sharing)
	})
	r.cpu -= time.Duration(float64(r.idle) * took.Seconds())
	r.took = audience.reset()
	slices.Sort(r.took)
	return r, err
}

// beginning is how many subscriptions of a WebSocket begin at a time. The gateway allows 32, which may not have begun.
const beginning = 16

// mostBeginning is how many subscriptions begin at a time at most: their first states are read within an operation's
// time.
const mostBeginning = 1000

// untilRead is some more than the time until the process has read the last change.
const untilRead = 500 * time.Millisecond

// cpuWhile returns the CPU time of the process while the function runs, and how long that takes.
func cpuWhile(p *process, run func() error) (used, took time.Duration, err error) {
	before, err := p.cpu()
	if err != nil {
		return 0, 0, err
	}
	began := time.Now()
	if err := run(); err != nil {
		return 0, 0, err
	}
	took = time.Since(began)
	after, err := p.cpu()
	return after - before, took, err
}
