package loaders

// Cost is what an operation has consumed.
type Cost struct {
	// Requests is the number of requests to DynamoDB, including further pages and repeated batches.
	Requests int
	// ReusedReads is the number of Reads that were answered from a cache or by the request of another operation: keys,
	// and Queries. They consume nothing.
	ReusedReads int
	// Waves is the number of waves, as many for one as it took round trips: a wave may have more requests than may be in
	// flight. It does not include what the resolver of a mutation reads and writes, nor waiting for other operations.
	Waves int
	// Retries is the number of attempts beyond the first of each request.
	Retries int
	// Objects is how many objects the answer has, as plan.Price counts them. An object that was looked for and is null
	// counts as one.
	Objects int
	// ReadUnits is the consumed capacity that DynamoDB reported, in read capacity units (on demand, read
	// request units).
	ReadUnits float64
	// WriteUnits is the same for the transactions of a mutation, and the estimate of attempts that were cancelled or
	// not answered, for which DynamoDB reports nothing.
	WriteUnits float64
}

func (c *Cost) add(d Cost) {
	c.Requests += d.Requests
	c.ReusedReads += d.ReusedReads
	c.Waves += d.Waves
	c.Retries += d.Retries
	c.ReadUnits += d.ReadUnits
	c.WriteUnits += d.WriteUnits
}
