package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Run compares the systems and prints the results.
func (c *runCommand) Run(ctx context.Context) error {
	results, err := c.measure(ctx)
	if err != nil {
		return err
	}
	return publish(c.report(results), c.Write, runMarks)
}

// measure runs everything in a folder of its own.
func (c *runCommand) measure(ctx context.Context) (all []result, err error) {
	asked, err := selected(operations(0), c.Operation, operation.String)
	if err != nil {
		return nil, err
	}
	compared, err := selected(systems(), withBaseline(c.System), func(s system) string { return s.name })
	if err != nil {
		return nil, err
	}
	b, err := openWorkbench(ctx, c.Partita)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	proxy, err := startProxy(ctx, b.self, b.engine.Endpoint())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, proxy.close()) }()
	for _, o := range asked {
		r := &runner{runCommand: c, operation: o.name, proxy: proxy}
		err := r.start(ctx, compared, b.self, b.dir)
		if err == nil {
			err = r.measure(ctx)
		}
		if err = errors.Join(err, r.stop()); err != nil {
			return nil, fmt.Errorf("%s: %w", o, err)
		}
		all = append(all, r.results...)
	}
	return all, nil
}

// withBaseline adds the baseline to names, unless they are all that there are.
func withBaseline(names []string) []string {
	if len(names) == 0 || slices.Contains(names, baseline) {
		return names
	}
	return append([]string{baseline}, names...)
}
