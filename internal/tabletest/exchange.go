package tabletest

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/google/uuid"

	"github.com/partita/partita/internal/tabletest/amazon"
)

type fault int

const (
	faultNone fault = iota
	faultReset
	faultCut
	faultThrottled
	faultFailed
	faultErrorCode
	faultConflict
	faultLost
)

// exchange is what the Proxy does with one request.
type exchange struct {
	fault   fault
	code    string // of faultErrorCode
	forward []byte // the body to pass on
	// items are those that the transaction locks, with Faults.Contended.
	items []string
	// taken are the keys or puts that were removed from the request, by table. The response has them
	// under field.
	field string
	taken map[string]any
	// logged is the line of the log.
	logged *logged
}

// arrive counts and records the request and decides what happens to it.
func (p *Proxy) arrive(operation string, text []byte) exchange {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts.Requests[operation]++
	x := p.decide(operation, text)
	entry := ""
	switch x.fault {
	case faultReset, faultCut:
		p.counts.ResetConnections++
		entry += " -> reset"
	case faultLost:
		p.counts.ResetConnections++
		entry += " -> lost"
	case faultConflict:
		p.counts.Conflicts++
		entry += " -> conflict"
	case faultThrottled:
		p.counts.Throttled++
		entry += " -> throttled"
	case faultFailed:
		p.counts.Failed++
		entry += " -> failed"
	case faultErrorCode:
		entry += " -> " + x.code
	}
	n := 0
	for _, taken := range x.taken {
		n += taken.(unprocessed).count()
	}
	if n > 0 && (x.fault == faultNone || x.fault == faultCut) {
		p.counts.Unprocessed += n
		entry += fmt.Sprintf(" -> %d unprocessed", n)
	}
	x.logged = &logged{operation, text, entry}
	p.log = append(p.log, x.logged)
	return x
}

// refused counts a request that is answered with an error because of Limits.
func (p *Proxy) refused(x exchange, f *amazon.Failure) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !f.IsThrottle {
		x.logged.text += " -> refused"
		return
	}
	p.counts.Throttled++
	p.counts.ThrottledUnits += f.Units
	x.logged.text += " -> throttled"
}

func (p *Proxy) decide(operation string, text []byte) exchange {
	x := exchange{forward: text}
	if p.faults.Only != nil && !p.faults.Only(p.request(operation, text)) {
		return x
	}
	if p.faults.ErrorCode != "" {
		x.fault, x.code = faultErrorCode, p.faults.ErrorCode
		return x
	}
	thing := sync.OnceValue(func() string {
		if p.faults.Name != nil {
			return p.faults.Name(p.request(operation, text)) + operation
		}
		return canonical(text) + operation
	})
	if roll := p.dice.roll("reset", p.faults.Reset, thing); roll < p.faults.Reset/2 {
		x.fault = faultReset
		return x
	} else if roll < p.faults.Reset {
		x.fault = faultCut
	}
	if p.dice.roll("throttle", p.faults.Throttled, thing) < p.faults.Throttled {
		x.fault = faultThrottled
		return x
	}
	if p.dice.roll("fail", p.faults.Failed, thing) < p.faults.Failed {
		x.fault = faultFailed
		return x
	}
	if isWrite(operation) && p.dice.roll("conflict", p.faults.Conflict, thing) < p.faults.Conflict {
		x.fault = faultConflict
		return x
	}
	if isWrite(operation) && (p.faults.Contended || p.limiter.Limits.Contended) && !p.occupy(&x, operation) {
		x.fault = faultConflict
		return x
	}
	if p.dice.roll("lose", p.faults.Lost, thing) < p.faults.Lost {
		x.fault = faultLost
	}
	switch {
	case operation == "BatchGetItem" && (p.faults.Unprocessed > 0 || p.limiter.Limits.ReadUnits > 0):
		p.takeKeys(&x)
	case operation == "BatchWriteItem" && (p.faults.Unprocessed > 0 || p.limiter.Limits.WriteUnits > 0):
		p.takeWrites(&x)
	case operation == "TransactWriteItems" && p.faults.NewTokens:
		x.forward = renewed(text)
	case operation == "Query" && p.faults.PageSize > 0:
		x.forward = limited(text, p.faults.PageSize)
	}
	return x
}

// occupy locks the items of the transaction until vacate, unless one is locked. A single write locks nothing.
func (p *Proxy) occupy(x *exchange, operation string) bool {
	var b body
	_ = json.Unmarshal(x.forward, &b) // the engine returns the error
	items := transactionKeys(p.layout, b)
	for _, key := range items {
		if p.busy[key] {
			return false
		}
	}
	if operation != "TransactWriteItems" {
		return true
	}
	for _, key := range items {
		p.busy[key] = true
	}
	x.items = items
	return true
}

// vacate unlocks what occupy locked.
func (p *Proxy) vacate(x exchange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, key := range x.items {
		delete(p.busy, key)
	}
}

// unprocessed is a part of a request in the format in which DynamoDB returns it.
type unprocessed interface{ count() int }

func (k keysAndAttributes) count() int { return len(k.Keys) }

type writes []json.RawMessage

func (w writes) count() int { return len(w) }

func (p *Proxy) takeKeys(x *exchange) {
	take(x, "UnprocessedKeys", func(table string, request keysAndAttributes) (left, taken keysAndAttributes) {
		left, taken = request, request
		left.Keys, taken.Keys = p.divide(request.Keys, func(key json.RawMessage) bool {
			return p.limiter.AdmitKey(table, key, request.ConsistentRead)
		})
		return left, taken
	})
}

func (p *Proxy) takeWrites(x *exchange) {
	take(x, "UnprocessedItems", func(table string, request writes) (left, taken writes) {
		return p.divide(request, func(one json.RawMessage) bool { return p.limiter.AdmitPut(table, one) })
	})
}

// divide takes what a fault is drawn for, and what is not admitted.
func (p *Proxy) divide(all []json.RawMessage, admit func(json.RawMessage) bool) (left, taken []json.RawMessage) {
	for _, one := range all {
		thing := func() string { return canonical(one) }
		if p.dice.roll("unprocessed", p.faults.Unprocessed, thing) < p.faults.Unprocessed || !admit(one) {
			taken = append(taken, one)
		} else {
			left = append(left, one)
		}
	}
	return left, taken
}

func take[T unprocessed](x *exchange, field string, divide func(table string, request T) (left, taken T)) {
	var document map[string]json.RawMessage
	var requests map[string]T
	if json.Unmarshal(x.forward, &document) != nil || json.Unmarshal(document["RequestItems"], &requests) != nil {
		return // the engine returns the error
	}
	x.field, x.taken = field, map[string]any{}
	left := 0
	for name, request := range requests {
		kept, taken := divide(name, request)
		requests[name] = kept
		left += kept.count()
		if taken.count() > 0 {
			x.taken[name] = taken
		}
	}
	if left == 0 {
		x.fault = faultThrottled
		return
	}
	document["RequestItems"] = marshal(requests)
	x.forward = marshal(document)
}

// restore adds to the response what was removed from the request.
func (x exchange) restore(answer []byte) []byte {
	if len(x.taken) == 0 {
		return answer
	}
	var document map[string]json.RawMessage
	if json.Unmarshal(answer, &document) != nil || document["__type"] != nil {
		return answer // an error of the engine
	}
	document[x.field] = marshal(x.taken)
	return marshal(document)
}

func limited(text []byte, size int) []byte {
	var b struct{ Limit int }
	var document map[string]json.RawMessage
	if json.Unmarshal(text, &b) != nil || json.Unmarshal(text, &document) != nil {
		return text
	}
	if b.Limit > 0 && b.Limit <= size {
		return text
	}
	document["Limit"] = marshal(size)
	return marshal(document)
}

// renewed returns a transaction with another token.
func renewed(text []byte) []byte {
	var document map[string]json.RawMessage
	if json.Unmarshal(text, &document) != nil {
		return text
	}
	document["ClientRequestToken"] = marshal(uuid.NewString())
	return marshal(document)
}

// marshal encodes what was just decoded, which cannot fail.
func marshal(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}
