package request

// MaxBatchBytes is how many bytes of items one BatchGetItem returns at most; the rest of its keys are unprocessed. The
// limit is documented as 16 MB, with an example in which the first item beyond 16,000,000 bytes is not returned.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
const MaxBatchBytes = 16_000_000

// fullBytes is what a response that is full has at least: less than MaxBatchBytes by more than the largest item.
const fullBytes = MaxBatchBytes - 1_000_000

// IsFull reports whether keys of a BatchGetItem are unprocessed because the response is full, and not because DynamoDB
// protects its capacity. They can be requested at once.
func (r *Result) IsFull() bool {
	if len(r.Unprocessed) == 0 {
		return false
	}
	bytes := 0
	for _, it := range r.Items {
		bytes += it.Size()
	}
	return bytes >= fullBytes
}
