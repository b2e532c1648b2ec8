package browse

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/partita/partita/request"
)

// ErrUnknown is the error of a question whose name Answer does not know.
var ErrUnknown = &Error{
	"BAD_REQUEST", "The page has no such question. Its names are design, partitions, items, find, probe, change.",
}

// Answer returns the answer to a question, both JSON, and what it has read. The context has the tenant in a table with
// tenants. Errors are *Error and *keys.InputError, whose texts are for people, or wrap those of package request.
//
//	design      types and indexes; nothing is read
//	partitions  the partitions of the next partitionKeys items, by a Scan
//	items       a page of a collection, by a Query
//	find        the key of a global id, or of a text that is one, or by what a value can be found; nothing is read
//	probe       the first item where one of these leads, by a Query
//	change      a change of one item, which is checked before and after; Result.CompanionReads are its further requests
func (b *Browser) Answer(ctx context.Context, name string, question []byte) ([]byte, request.Result, error) {
	switch name {
	case "design":
		return answer(question, func(*struct{}) (designAnswer, request.Result, error) {
			return b.describe(), request.Result{}, nil
		})
	case "partitions":
		return answer(question, func(q *partitionsQuestion) (partitionsAnswer, request.Result, error) {
			return b.partitions(ctx, q)
		})
	case "items":
		return answer(question, func(q *itemsQuestion) (itemsAnswer, request.Result, error) {
			return b.items(ctx, q)
		})
	case "find":
		return answer(question, func(q *findQuestion) (findAnswer, request.Result, error) {
			found, err := b.find(q)
			return found, request.Result{}, err
		})
	case "probe":
		return answer(question, func(q *probeQuestion) (probeAnswer, request.Result, error) {
			return b.probe(ctx, q)
		})
	case "change":
		return answer(question, func(q *changeQuestion) (changeAnswer, request.Result, error) {
			return b.change(ctx, q)
		})
	default:
		return nil, request.Result{}, ErrUnknown
	}
}

// answer decodes a question and encodes the answer.
func answer[Q, A any](question []byte, find func(*Q) (A, request.Result, error)) ([]byte, request.Result, error) {
	q := new(Q)
	decoder := json.NewDecoder(bytes.NewReader(question))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(q); err != nil {
		return nil, request.Result{}, errorf("The question is not the JSON object that the page sends. Load the page again.")
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, request.Result{}, errorf("The question is more than one JSON object. Load the page again.")
	}
	found, read, err := find(q)
	if err != nil {
		return nil, read, err
	}
	text, err := json.Marshal(found)
	return text, read, err
}
