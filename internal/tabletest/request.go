package tabletest

import "github.com/partita/partita/keys/stored"

// Request is one HTTP request that the Proxy received.
type Request struct {
	// Operation is DynamoDB's name of it, such as Query.
	Operation string
	// Text is the request in one line, such as
	// "Query PK = USER#7, SK BETWEEN ORDER# AND USER#7, descending, limit 12".
	Text string
}

// request returns a request for those who ask for its text, which takes longer than to forward it.
func (p *Proxy) request(operation string, text []byte) Request {
	return Request{Operation: operation, Text: describe(p.layout, operation, text)}
}

// logged is a request in the log.
type logged struct {
	operation string
	body      []byte // until it is described
	text      string // what happened to it, from then on after the request in one line
}

func (l *logged) describe(layout *stored.Layout) string {
	if l.body != nil {
		l.text, l.body = describe(layout, l.operation, l.body)+l.text, nil
	}
	return l.text
}

// IsWrite reports whether the request is a transaction or a single write.
func (r Request) IsWrite() bool { return isWrite(r.Operation) }

// isWrite reports whether an operation is a transaction or a single write.
func isWrite(operation string) bool {
	switch operation {
	case "TransactWriteItems", "PutItem", "UpdateItem", "DeleteItem":
		return true
	default:
		return false
	}
}
