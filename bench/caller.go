package main

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// fairNames are the operations that the well-behaved caller sends in turn.
var fairNames = []string{"user", "viewer", "followers", "orders with items"}

// caller is the well-behaved caller: it sends operations at a rate, whether or not earlier ones have been answered.
type caller struct {
	process  *process
	requests [][]byte

	mu   sync.Mutex
	idle []*connection
}

func newCaller(p *process) (*caller, error) {
	c := &caller{process: p}
	asked, err := selected(operations(0), fairNames, operation.String)
	if err != nil {
		return nil, err
	}
	for _, o := range asked {
		request, err := p.text(o)
		if err != nil {
			return nil, err
		}
		c.requests = append(c.requests, request)
	}
	return c, nil
}

// send sends operations for a time, and returns how long each of them took, and how many had no answer or one with
// errors.
func (c *caller) send(ctx context.Context, rate int, d time.Duration) (took []time.Duration, failed int) {
	var mu sync.Mutex
	var sent sync.WaitGroup
	ticker := time.NewTicker(time.Second / time.Duration(rate))
	defer ticker.Stop()
	for i := range max(1, int(d.Seconds()*float64(rate))) {
		sent.Go(func() {
			begun := time.Now()
			err := c.ask(ctx, c.requests[i%len(c.requests)])
			mu.Lock()
			defer mu.Unlock()
			if took = append(took, time.Since(begun)); err != nil {
				failed++
			}
		})
		<-ticker.C
	}
	sent.Wait()
	slices.Sort(took)
	return took, failed
}

// ask sends an operation on an idle connection, or a new one.
func (c *caller) ask(ctx context.Context, request []byte) error {
	conn, err := c.connection(ctx)
	if err != nil {
		return err
	}
	body, err := conn.send(request)
	if err == nil {
		_, err = c.process.data(body)
	}
	if err != nil {
		return errors.Join(err, conn.Close())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = append(c.idle, conn)
	return nil
}

func (c *caller) connection(ctx context.Context) (*connection, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if last := len(c.idle) - 1; last >= 0 {
		conn := c.idle[last]
		c.idle = c.idle[:last]
		return conn, nil
	}
	return dial(ctx, c.process.addr)
}
