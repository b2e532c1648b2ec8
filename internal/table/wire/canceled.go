package wire

import (
	"errors"

	"github.com/aws/smithy-go"

	"github.com/partita/partita/item"
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

// failure returns the error of a response that is one.
func (c *Client) failure(e *exchange) error {
	err := e.response.apiError()
	api, is := errors.AsType[smithy.APIError](err)
	if !is || !e.operation.isWrite() {
		return err
	}
	code, isOne := singleReasons[api.ErrorCode()]
	if !isOne && api.ErrorCode() != "TransactionCanceledException" {
		return err
	}
	p := parser{scanner: scanner{text: e.response.body}}
	reasons := p.reasons(code)
	if p.err != nil {
		return &smithy.DeserializationError{Err: p.err}
	}
	return &CanceledError{Reasons: reasons, Err: err}
}

// singleReasons are the codes of reasons that a write by itself has as errors. In a global table with multi-Region
// strong consistency, a write in another Region is in the way like a transaction.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html
var singleReasons = map[string]string{
	"ConditionalCheckFailedException": "ConditionalCheckFailed", "TransactionConflictException": "TransactionConflict",
	"ReplicatedWriteConflictException": "TransactionConflict",
}

// reasons reads the reasons of a transaction's error, or the one of a single write's with that code.
func (p *parser) reasons(code string) []Reason {
	var all []Reason
	single := Reason{Code: code}
	for more := p.open('{', '}'); more; more = p.more('}') {
		name := p.name()
		switch {
		case p.null():
		case name == "Item" && code != "":
			single.Item = p.item()
		case name == "CancellationReasons" && code == "":
			for more := p.open('[', ']'); more; more = p.more(']') {
				all = append(all, p.reason())
			}
		default:
			p.skip(0)
		}
	}
	if code != "" {
		return []Reason{single}
	}
	return all
}

func (p *parser) reason() Reason {
	var r Reason
	if p.null() {
		return r
	}
	for more := p.open('{', '}'); more; more = p.more('}') {
		name := p.name()
		switch {
		case p.null():
		case name == "Code":
			r.Code = p.string()
		case name == "Item":
			r.Item = p.item()
		default:
			p.skip(0)
		}
	}
	return r
}
