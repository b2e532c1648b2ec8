package browse

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
)

// Source is the table, such as an admin.Scanner.
type Source interface {
	Name() string
	Schema() table.Schema
	QueryStored(context.Context, request.Query) (request.Result, error)
	ScanKeys(context.Context, admin.KeyScan) (admin.KeyPage, error)
	// Now returns the time by the clock of the table.
	Now() time.Time
}

// Browser answers questions about a table. Its method may be called concurrently.
type Browser struct {
	source    Source
	design    *design.Design
	inspector check.Inspector
	cursors   *keys.Cursors
}

// New returns a Browser. Options has the Design, the Rules and Decode, by which items are recognised as by check.Table.
// The secret encrypts the positions between two pages: all replicas of a gateway need the same one.
func New(source Source, o check.Options, secret []byte) *Browser {
	return &Browser{source, o.Design, check.NewInspector(o, source.Now), keys.NewCursors(secret)}
}

// Error is an error whose text is for the person at the page.
type Error struct{ code, message string }

func (e *Error) Error() string { return e.message }

// Code returns the extensions.code of the error in a response.
func (e *Error) Code() string { return e.code }

func errorf(format string, args ...any) *Error {
	return &Error{"BAD_USER_INPUT", fmt.Sprintf(format, args...)}
}

// ErrUnknown is the error of a question whose name Answer does not know.
var ErrUnknown = &Error{"BAD_REQUEST", "The page has no such question. Its names are design, partitions, items, find."}

// Answer returns the answer to a question, both JSON, and what it has read. The context has the tenant in a table with
// tenants. Errors are *Error and *keys.InputError, whose texts are for people, or wrap those of package request.
//
//	design      types and indexes; nothing is read
//	partitions  the partitions of the next partitionKeys items, by a Scan
//	items       a page of a collection, by a Query
//	find        the key of a global id, or of a text that is one; nothing is read
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

// index returns the names of an index of the design, with "" those of the table.
func (b *Browser) index(name string) (stored.IndexLayout, error) {
	if name != "" && !slices.Contains(b.design.IndexNames(), name) {
		return stored.IndexLayout{}, errorf("The schema has no index of this name.")
	}
	return b.design.Layout.Index(name), nil
}

// errToken is the error of a position that is none of the list.
var errToken = errorf("The position is none of this list. Begin with its first page.")
