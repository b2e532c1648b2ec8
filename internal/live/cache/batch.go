package cache

import (
	"context"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

// batch is a BatchGetItem that asks only for the keys that no other operation is asking for. A key whose flight fails
// is unprocessed: the request of another operation does not fail the rest of this one.
type batch struct {
	flights *flights[getID]
	// send sends a BatchGetItem of some of the keys.
	send func([]keys.Key) (request.Result, error)

	// led are the keys to send, and waiting those in flights of others.
	led, waiting []member
	result       request.Result
}

// member is a key with its flight.
type member struct {
	id     getID
	flight *flight
}

// enter joins the flights of keys that began after a time, and begins those of the others.
func (b *batch) enter(of uint64, tenant string, wanted []keys.Key, after func(getID) int64) {
	b.led, b.result.Unsent = make([]member, 0, len(wanted)), true
	fresh, now := make([]flight, len(wanted)), b.flights.now()
	b.flights.mu.Lock()
	defer b.flights.mu.Unlock()
	for i, key := range wanted {
		id := getID{of, itemID{tenant, key}}
		f, role := b.flights.join(id, after(id), now, &fresh[i])
		switch role {
		case leads:
			b.led = append(b.led, member{id, f})
		case waits:
			b.waiting = append(b.waiting, member{id, f})
		case has:
			b.reuse(member{id, f})
		}
	}
}

// run sends the keys that the batch leads, and waits for the others.
func (b *batch) run(ctx context.Context) (request.Result, error) {
	defer b.leave()
	for {
		if len(b.led) > 0 {
			if err := b.lead(ctx); err != nil {
				return b.result, err
			}
		}
		if len(b.waiting) == 0 {
			return b.result, nil
		}
		next := b.waiting[0]
		isLeader, err := b.flights.wait(ctx, next.id, next.flight)
		b.waiting = b.waiting[1:]
		switch {
		case err != nil:
			return b.result, err
		case isLeader:
			b.led = append(b.led[:0], next)
			b.takeOver()
		default:
			b.reuse(next)
		}
	}
}

// reuse adds the outcome of a flight of another operation to the result.
func (b *batch) reuse(m member) {
	o := m.flight.outcome
	if o.err != nil || o.unprocessed {
		b.result.Unprocessed = append(b.result.Unprocessed, m.id.key)
		return
	}
	b.result.Items = append(b.result.Items, o.items...)
	b.flights.joined.Add(1)
	b.result.Reused++
	b.result.ReusedKeys = append(b.result.ReusedKeys, m.id.key)
}

// takeOver takes the lead of all other flights that have none. Their leader has usually handed over all at once.
func (b *batch) takeOver() {
	b.flights.mu.Lock()
	defer b.flights.mu.Unlock()
	now, rest := b.flights.now(), b.waiting[:0]
	for _, m := range b.waiting {
		select {
		case <-m.flight.lead:
			m.flight.takeOver(now)
			b.led = append(b.led, m)
		default:
			rest = append(rest, m)
		}
	}
	b.waiting = rest
}

// leave leaves the flights that the batch waits for.
func (b *batch) leave() {
	if len(b.waiting) == 0 {
		return
	}
	b.flights.mu.Lock()
	defer b.flights.mu.Unlock()
	for _, m := range b.waiting {
		b.flights.leave(m.id, m.flight)
	}
}

// lead sends the keys that the batch leads. If the context has ended, or if the Source has panicked, their flights are
// handed over.
func (b *batch) lead(ctx context.Context) (err error) {
	wanted := make([]keys.Key, len(b.led))
	for i, m := range b.led {
		wanted[i] = m.id.key
	}
	var res request.Result
	isOutcome := false
	defer func() { b.end(isOutcome, res, err) }()
	res, err = b.send(wanted)
	res.Items = res.Items[:len(res.Items):len(res.Items)] // others append to it, too
	isOutcome = err == nil || ctx.Err() == nil
	b.add(res)
	return err
}

// add adds the result of a request.
func (b *batch) add(res request.Result) {
	if !res.Unsent && !b.result.Unsent {
		b.result.Retries++
	}
	b.result.Unsent = b.result.Unsent && res.Unsent
	if len(b.result.Items) == 0 {
		b.result.Items = res.Items
	} else {
		b.result.Items = append(b.result.Items, res.Items...)
	}
	b.result.Unprocessed = append(b.result.Unprocessed, res.Unprocessed...)
	b.result.ReusedKeys = append(b.result.ReusedKeys, res.ReusedKeys...)
	b.result.Reused += res.Reused
	b.result.ReadUnits += res.ReadUnits
	b.result.Retries += res.Retries
	b.result.Throttles += res.Throttles
	b.result.Throttled = append(b.result.Throttled, res.Throttled...)
	b.result.Unanswered += res.Unanswered
}

// end passes the outcomes of a request to those that wait for its keys.
func (b *batch) end(isOutcome bool, res request.Result, err error) {
	b.flights.mu.Lock()
	defer b.flights.mu.Unlock()
	var outcomes map[keys.Key]outcome
	for _, m := range b.led {
		switch {
		case !isOutcome:
			b.flights.handOver(m.id, m.flight)
		case err != nil || !b.flights.isNeeded(m.flight):
			b.flights.end(m.id, m.flight, outcome{err: err})
		default:
			if outcomes == nil {
				outcomes = outcomesOf(res)
			}
			b.flights.end(m.id, m.flight, outcomes[m.id.key])
		}
	}
	b.led = b.led[:0]
}

// outcomesOf returns the outcomes of the keys of a BatchGetItem, except those that have no item.
func outcomesOf(res request.Result) map[keys.Key]outcome {
	outcomes := make(map[keys.Key]outcome, len(res.Items)+len(res.Unprocessed))
	for i, it := range res.Items {
		outcomes[keys.KeyOf(it)] = outcome{items: res.Items[i : i+1 : i+1]}
	}
	for _, k := range res.Unprocessed {
		outcomes[k] = outcome{unprocessed: true}
	}
	return outcomes
}
