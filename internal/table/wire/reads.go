package wire

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/smithy-go"

	"github.com/partita/partita/internal/share"
	"github.com/partita/partita/internal/table/attempt"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

// How many bytes of items a response can have, and how many bytes of JSON each of them at most: an element NULL of a
// list has two and is written as {"NULL":true} with a comma.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
const (
	maxItem, maxPage, maxBatch = item.MaxBytes, 2 << 20, 17 << 20
	expansion                  = 12
)

// GetItem reads one item. Its Result and its errors are those of table.Table, and so for the other reads. Each may
// return an error that wraps ErrUnsupported.
func (c *Client) GetItem(ctx context.Context, r request.GetItem) (request.Result, error) {
	e := newExchange(getItem, maxItem*expansion)
	defer e.release()
	e.body = c.appendGetItem(e.body, r)
	result, err := c.call(ctx, e)
	if err != nil {
		return result, err
	}
	result.Items = e.answer.items
	return result, nil
}

// BatchGetItem reads many items by key.
func (c *Client) BatchGetItem(ctx context.Context, r request.BatchGetItem) (request.Result, error) {
	e := newExchange(batchGetItem, maxBatch*expansion)
	defer e.release()
	e.body = c.appendBatchGetItem(e.body, r)
	result, err := c.call(ctx, e)
	if err != nil {
		return result, err
	}
	result.Items = e.answer.items
	if left := e.answer.unprocessed; len(left) > 0 {
		result.Unprocessed = make([]keys.Key, len(left))
		for i, it := range left {
			result.Unprocessed[i] = c.keyOf(it)
		}
	}
	return result, nil
}

// Query reads one page of a range.
func (c *Client) Query(ctx context.Context, r request.Query) (request.Result, error) {
	e := newExchange(query, maxPage*expansion)
	defer e.release()
	e.body = c.appendQuery(e.body, r)
	result, err := c.call(ctx, e)
	if err != nil {
		return result, err
	}
	result.Items = e.answer.items
	if last := e.answer.last; len(last) > 0 {
		ix := c.indexes[r.Index]
		result.Last = keys.Position{SK: ix.SortKey(last)}
		if r.Index != "" {
			result.Last.Base = c.keyOf(last)
		}
	}
	return result, nil
}

// keyOf returns the primary key in an item; a part of another type than the table's is "".
func (c *Client) keyOf(it item.Item) keys.Key {
	ix := c.indexes[""]
	return keys.Key{PK: ix.PartitionKey(it), SK: ix.SortKey(it)}
}

// call sends the request until an attempt succeeds, or until the Retryer or the context ends that. The Result has
// what all operations have in common.
func (c *Client) call(ctx context.Context, e *exchange) (request.Result, error) {
	counter := attempt.NewCounter(ctx)
	failed := func(err error) (request.Result, error) {
		return counter.Result(), counter.Explain(ctx, fmt.Errorf("%s: %w", e.operation, err))
	}
	for n := 1; ; n++ {
		if err := ctx.Err(); err != nil {
			return failed(err)
		}
		if err := counter.Pass(ctx); err != nil {
			return failed(err)
		}
		err := c.skew.correct(c.attempt(ctx, e), e)
		if errors.Is(err, ErrUnsupported) {
			return request.Result{}, err
		}
		counter.Add(ctx, err)
		if err == nil {
			result := counter.Result()
			result.ReadUnits = e.answer.units
			return result, nil
		}
		if err := c.pause(ctx, n, err); err != nil {
			return failed(err)
		}
	}
}

// pause waits for the attempt after the one with the error. If there is none, it returns the call's error.
func (c *Client) pause(ctx context.Context, n int, err error) error {
	if !c.retryer.IsErrorRetryable(err) {
		return err
	}
	if limit := c.retryer.MaxAttempts(); limit > 0 && n >= limit {
		return &retry.MaxAttemptsError{Attempt: n, Err: err}
	}
	delay, err := c.retryer.RetryDelay(n, err)
	if err != nil {
		return err
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return &aws.RequestCanceledError{Err: ctx.Err()}
	}
}

// attempt sends the request once and parses the response.
func (c *Client) attempt(ctx context.Context, e *exchange) error {
	if c.credentials == nil {
		return fmt.Errorf("%w: there are no credentials", ErrUnsupported)
	}
	e.response, e.answer = response{}, answer{}
	creds, err := c.credentials.Retrieve(ctx)
	if err != nil {
		return fmt.Errorf("get identity: %w", err)
	}
	r, err := c.route(ctx, e.operation, creds)
	if err != nil {
		return err
	}
	if r.unsupported != nil {
		return r.unsupported
	}
	e.begin(c.settings.Timeout, c.skew.offset())
	if err := e.encode(&c.signer, r, creds); err != nil {
		return err
	}
	if err := c.send(ctx, e, r.address); err != nil {
		return sendError(ctx, err)
	}
	if e.response.failed() {
		return c.failure(e)
	}
	if e.operation.isWrite() {
		c.skew.observe(e)
	}
	if e.response.body == "" && e.operation != getRecords { // without a next iterator, the shard would be at its end
		return nil
	}
	return c.parse(ctx, e)
}

// parse parses the response. That is what a read computes most, so it takes a turn on the CPUs.
func (c *Client) parse(ctx context.Context, e *exchange) error {
	turn := share.TurnOf(ctx)
	if err := turn.Acquire(ctx); err != nil {
		return sendError(ctx, err)
	}
	defer turn.Release()
	answer, err := parse(e.operation, e.response.body, c.settings.Table)
	if err != nil {
		return &smithy.DeserializationError{Err: err}
	}
	e.answer = answer
	return nil
}

// send sends the request on a connection, and on a new one if an idle one turns out to be broken.
func (c *Client) send(ctx context.Context, e *exchange, to address) error {
	from, fresh := &c.pool, false
	if e.operation == getRecords {
		from = &c.streams
	}
	for {
		conn, err := from.get(ctx, to, e.deadline, fresh)
		if err != nil {
			return err
		}
		usedBefore := !conn.idleSince.IsZero()
		begun, err := conn.exchange(ctx, e)
		if err == nil && !e.response.last && len(conn.unread) == 0 {
			from.put(conn)
			return nil
		}
		from.discard(conn)
		if err == nil || begun || !usedBefore || !isClosed(err) || e.operation.isWrite() || ctx.Err() != nil {
			return err
		}
		fresh = true
	}
}
