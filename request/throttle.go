package request

// Throttle is one HTTP request that DynamoDB throttled, or keys of one that it left unprocessed.
type Throttle struct {
	// Reasons are why, those of the error; none if it names none.
	Reasons []ThrottleReason
	// Index is the name of the index that was read, "" for the table itself.
	Index string
	// Partitions are the partition keys of the request, each once, as they are in the table or the index: with the tenant.
	// It has none for a Scan.
	Partitions []string
	// IsUnprocessed is set if the request was answered, and lacks items of these partitions.
	IsUnprocessed bool
}

// ThrottleReason is why DynamoDB throttled a request.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ThrottlingReason.html
type ThrottleReason struct {
	// Reason is what was exceeded, such as TableReadKeyRangeThroughputExceeded.
	Reason string
	// Resource is the ARN of the table or index.
	Resource string
}
