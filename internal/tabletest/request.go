package tabletest

// Request is one HTTP request that the Proxy received.
type Request struct {
	// Operation is DynamoDB's name of it, such as Query.
	Operation string
	// Text is the request in one line, such as
	// "Query PK = USER#7, SK BETWEEN ORDER# AND USER#7, descending, limit 12".
	Text string
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
