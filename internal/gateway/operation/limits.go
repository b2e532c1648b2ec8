package operation

import (
	"cmp"
	"time"

	"github.com/partita/partita/internal/gateway/document"
)

// Limits are limits on what one caller can make the gateway do. A field that is zero has its default: no operator knows
// better values, because they follow from what clients send and from what DynamoDB can answer.
type Limits struct {
	// MaxBodyBytes is the largest body of a request, in bytes: 1 MiB, a quarter of the largest transaction of DynamoDB.
	MaxBodyBytes int64
	document.Limits
	// OperationTimeout is how long one operation may take, waiting for its turn included: 10 s.
	OperationTimeout time.Duration

	// The limits of the process are derived from its CPUs and memory if they are zero, see Derive.

	// MaxOperations is how many operations may be in flight; further ones wait.
	MaxOperations int
	// MaxOperationsPerCaller is how many of one viewer or anonymous address, and as many that wait: a quarter of
	// MaxOperations, but at least 64.
	MaxOperationsPerCaller int
	// MaxBufferedBytes is the size of request bodies, and of answers that clients have not read yet, in bytes: an eighth
	// of the memory.
	MaxBufferedBytes int64
	// MaxBufferedBytesPerCaller is the same for one viewer or anonymous address: a quarter of MaxBufferedBytes.
	MaxBufferedBytesPerCaller int64
	// MaxAnswerBytes is the largest data of an answer, in bytes of JSON: 8 MiB, but at most half of what one caller may
	// have in buffers.
	MaxAnswerBytes int64
}

// WithDefaults returns the limits with the defaults of those that are zero, except for those of the process.
func (l Limits) WithDefaults() Limits {
	l.MaxBodyBytes = cmp.Or(l.MaxBodyBytes, 1<<20)
	l.Limits = l.Limits.WithDefaults()
	l.OperationTimeout = cmp.Or(l.OperationTimeout, 10*time.Second)
	return l
}
