package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"time"
)

// runner compares the systems by one operation. They are started anew for each operation, so that the peak of memory
// belongs to it.
type runner struct {
	*runCommand
	operation string // its name
	proxy     *proxy
	clients   []*client
	results   []result // of each client
}

// start starts the systems and records what they read.
func (r *runner) start(ctx context.Context, compared []system, self, dir string) error {
	if _, err := r.proxy.control(controlLine{}); err != nil {
		return err
	}
	for i, s := range compared {
		all, err := selected(operations(i), []string{r.operation}, operation.String)
		if err != nil {
			return err
		}
		if o := all[0]; o.isMutation && s.isReader {
			continue
		}
		p, err := start(ctx, s, self, r.Partita, r.proxy.endpoint, dir)
		if err != nil {
			return err
		}
		c, err := newClient(p, all[0], i)
		if err != nil {
			return errors.Join(err, p.stop())
		}
		r.clients = append(r.clients, c)
		r.results = append(r.results, result{operation: r.operation, system: s.name, samples: map[setting][]sample{}})
	}
	return r.record(ctx)
}

// record sends the operation to each system once, and compares the answers.
func (r *runner) record(ctx context.Context) error {
	var first any
	for i, c := range r.clients {
		text, err := c.ask(ctx)
		if err != nil {
			return err
		}
		var data any
		if err := json.Unmarshal(text, &data); err != nil {
			return err
		}
		maskCursors(data)
		if i == 0 {
			first = data
		} else if !reflect.DeepEqual(data, first) {
			return fmt.Errorf("%s answers\n%s\nbut %s\n%s",
				r.clients[0].process.name, r.clients[0].data, c.process.name, text)
		}
	}
	return nil
}

// maskCursors replaces the values of cursors, which each system encodes in its own way.
func maskCursors(data any) {
	switch data := data.(type) {
	case map[string]any:
		if text, is := data["cursor"].(string); is && text != "" {
			data["cursor"] = "masked"
		}
		for _, v := range data {
			maskCursors(v)
		}
	case []any:
		for _, v := range data {
			maskCursors(v)
		}
	}
}

// measure runs all rounds. The system that begins is another one in each.
func (r *runner) measure(ctx context.Context) error {
	for _, c := range r.clients { // caches are filled, and pages of memory used
		if _, err := r.window(ctx, c, r.busiest()); err != nil {
			return err
		}
	}
	for round := range r.Rounds {
		_, _ = fmt.Fprintf(os.Stderr, "%s: round %d of %d\n", r.operation, round+1, r.Rounds)
		for _, delay := range r.Delay {
			for _, concurrency := range r.Concurrency {
				for i := range r.clients {
					turn := (i + round) % len(r.clients)
					s := setting{delay, concurrency}
					got, err := r.window(ctx, r.clients[turn], s)
					if err != nil {
						return err
					}
					r.results[turn].samples[s] = append(r.results[turn].samples[s], got)
				}
			}
		}
	}
	for i, c := range r.clients {
		var err error
		if r.results[i].peakMemory, err = c.process.peakMemory(); err != nil {
			return err
		}
	}
	return nil
}

// window measures one system in one setting.
func (r *runner) window(ctx context.Context, c *client, s setting) (sample, error) {
	before, err := r.proxy.control(controlLine{Replay: true, Delay: s.delay})
	if err != nil {
		return sample{}, err
	}
	objects, bytes, err := c.process.allocations(ctx)
	if err != nil {
		return sample{}, err
	}
	cpu, err := c.process.cpu()
	if err != nil {
		return sample{}, err
	}
	took, err := c.run(ctx, s.concurrency, r.Window)
	if err != nil {
		return sample{}, err
	}
	cpuAfter, err := c.process.cpu()
	if err != nil {
		return sample{}, err
	}
	objectsAfter, bytesAfter, err := c.process.allocations(ctx)
	if err != nil {
		return sample{}, err
	}
	after, err := r.proxy.control(controlLine{Replay: true, Delay: s.delay})
	if err != nil {
		return sample{}, err
	}
	if len(after.Unknown) > len(before.Unknown) {
		return sample{}, fmt.Errorf("%s sent a request that had not been recorded: %s", c.process.name, after.Unknown[0])
	}
	slices.Sort(took)
	n := float64(len(took))
	return sample{
		took: took, cpu: (cpuAfter - cpu) / time.Duration(len(took)),
		objects: (objectsAfter - objects) / n, bytes: (bytesAfter - bytes) / n,
		requests: float64(after.Requests-before.Requests) / n,
	}, nil
}

// stop stops all systems.
func (r *runner) stop() error {
	var errs []error
	for _, c := range r.clients {
		errs = append(errs, c.close(), c.process.stop())
	}
	return errors.Join(errs...)
}

// runCommand is the comparison.
type runCommand struct {
	Rounds      int             `default:"5" range:"1..1000" help:"How many windows each system has for each operation, concurrency and delay."`
	Window      time.Duration   `default:"500ms" range:"1ms..1h" help:"How long one window is."`
	Delay       []time.Duration `default:"0s,4ms" range:"0s..1m" help:"Delays of DynamoDB's answers. CPU time and allocations are reported for the first one."`
	Concurrency []int           `default:"1,64" range:"1..10000" help:"How many operations are in flight."`
	Operation   []string        `placeholder:"NAME" help:"Compare only these operations."`
	System      []string        `placeholder:"NAME" help:"Compare only these systems, and the baseline handlers-sdk."`
	Partita     string          `default:"bin/partita" type:"path" help:"Path of Partita's binary."`
	Write       string          `type:"path" placeholder:"FILE" help:"Also write the results into this Markdown file, between its marks."`
}

// busiest is the setting in which CPU time and allocations are reported.
func (c *runCommand) busiest() setting { return setting{c.Delay[0], slices.Max(c.Concurrency)} }
