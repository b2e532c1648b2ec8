package loaders

import "context"

// Cost is what an operation has used of the table.
type Cost struct {
	// Requests that were sent to DynamoDB, further pages and repeated batches
	// included.
	Requests int
	// Waves are the round trips of reads that waited for each other; what a mutation
	// reads and writes by itself is not among them.
	Waves int
	// Retries are the attempts beyond the first of each request.
	Retries int
	// ReadUnits is the consumed capacity that DynamoDB reported, in read capacity
	// units (or the same number of read request units on demand).
	ReadUnits float64
	// WriteUnits is the same of a mutation's transactions.
	WriteUnits float64
}

func (c *Cost) add(d Cost) {
	c.Requests += d.Requests
	c.Waves += d.Waves
	c.Retries += d.Retries
	c.ReadUnits += d.ReadUnits
	c.WriteUnits += d.WriteUnits
}

// CostOf is the cost so far of the operation that the context belongs to; zero
// outside of one.
func CostOf(ctx context.Context) Cost {
	op := operationOf(ctx)
	if op == nil {
		return Cost{}
	}
	op.exec.mu.Lock()
	defer op.exec.mu.Unlock()
	return op.exec.cost
}
