package wire

import (
	"context"

	"github.com/partita/partita/request"
)

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

// TransactWriteItems carries out all writes, or none of them: then the error wraps a CanceledError that says why, if
// the response does.
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
