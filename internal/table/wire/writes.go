package wire

import (
	"context"

	"github.com/partita/partita/item"
	"github.com/partita/partita/request"
)

// Write is what is done to one item, in the names and formats of the table.
type Write struct {
	Kind WriteKind
	// Item is the item of a Put, and the key of any other write.
	Item item.Item
	// Condition and Update are expressions, "" for none. Only an Update has one.
	Condition, Update string
	// Names are the attributes that the placeholders #n0, #n1 and so on of the expressions stand for, and Values what :v0,
	// :v1 and so on do.
	Names  []string
	Values []item.Value
}

// WriteKind is what a Write does.
type WriteKind uint8

// The kinds of writes. Check writes nothing, and is part of transactions only.
const (
	Put WriteKind = iota
	Update
	Delete
	Check
)

// CanceledError is the error of a write whose conditions did not hold, or that another one was in the way of.
type CanceledError struct {
	// Reasons are why each Write was not carried out, in their order.
	Reasons []Reason
	// Err is the error of the response.
	Err error
}

// Reason is why a Write was not carried out.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CancellationReason.html
type Reason struct {
	// Code is DynamoDB's, "None" if it is not because of this Write.
	Code string
	// Item is the item as it is stored if a condition did not hold; nil for none.
	Item item.Item
}

func (e *CanceledError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the response.
func (e *CanceledError) Unwrap() error { return e.Err }

// Write carries out one write. Its Result has the item as it is stored after an Update. The error wraps a CanceledError
// if the condition did not hold, and ErrUnsupported as for reads.
func (c *Client) Write(ctx context.Context, w *Write) (request.Result, error) {
	e := newExchange(w.Kind.operation(), maxItem*expansion)
	defer e.release()
	e.body = c.appendWrite(append(e.body, total...), w)
	if w.Kind == Update {
		e.body = append(e.body, `,"ReturnValues":"ALL_NEW"`...)
	}
	e.body = append(e.body, '}')
	return c.write(ctx, e)
}

// TransactWriteItems carries out all writes or none. The error wraps a CanceledError if that is none.
func (c *Client) TransactWriteItems(ctx context.Context, token string, all []Write) (request.Result, error) {
	e := newExchange(transactWriteItems, maxTransaction*expansion)
	defer e.release()
	e.body = c.appendTransaction(e.body, token, all)
	return c.write(ctx, e)
}

// maxTransaction is how many bytes the items of a transaction have at most.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
const maxTransaction = 4 << 20

func (c *Client) write(ctx context.Context, e *exchange) (request.Result, error) {
	result, err := c.call(ctx, e)
	result.ReadUnits, result.WriteUnits = 0, result.ReadUnits
	if err == nil {
		result.Items = e.answer.items
	}
	return result, err
}

// operation returns that of a write by itself.
func (k WriteKind) operation() operation {
	return [...]operation{putItem, updateItem, deleteItem}[k]
}

// member returns the member of a transaction that the write is.
func (k WriteKind) member() string {
	return [...]string{"Put", "Update", "Delete", "ConditionCheck"}[k]
}

// isWrite reports whether an operation must not be sent again on a new connection because an idle one was closed: it
// may have been carried out.
func (op operation) isWrite() bool { return op >= putItem }
