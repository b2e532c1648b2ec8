package loaders

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// run sends all requests of a wave, at least one, and sets the outcomes of their Reads.
func (x *executor) run(ctx context.Context, requests []plannedRequest) {
	wave := x.countWave(len(requests))
	for i := range requests {
		requests[i].wave = wave
	}
	ctx, ended := x.observeWave(ctx, len(requests))
	defer ended()
	defer x.awaiting(ctx)()
	if len(requests) == 1 || x.inOrder {
		for i := range requests {
			x.send(ctx, &requests[i])
		}
		return
	}
	var wg sync.WaitGroup
	for i := range requests[1:] {
		wg.Go(func() { x.send(ctx, &requests[1+i]) })
	}
	x.send(ctx, &requests[0])
	wg.Wait()
}

// send sends a request and sets the outcomes of its Reads. A panic of the Source does not end the process.
func (x *executor) send(ctx context.Context, req *plannedRequest) {
	defer func() {
		if cause := recover(); cause != nil {
			x.log.ErrorContext(ctx, "panic in a request to the table",
				"panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
			req.fail(x.readError(errNoAnswer))
		}
	}()
	switch {
	case req.ranged != nil:
		x.query(ctx, req)
	case len(req.gets) == 1:
		x.getItem(ctx, req)
	default:
		x.batchGetItem(ctx, req)
	}
}
