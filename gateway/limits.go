package gateway

import (
	"cmp"
	"time"
)

// Limits are limits on what one caller can make the gateway do. A field that is zero has its default: no operator knows
// better values, because they follow from what documents of clients look like and from what DynamoDB can answer.
//
// The limits of a document apply to each of its operations, executed or not, and a fragment counts wherever it is
// spread. They are checked before validation, which takes time quadratic in the number of fields that it compares.
type Limits struct {
	// MaxBodyBytes is the largest body of a request, in bytes: 1 MiB, a quarter of the largest transaction of DynamoDB.
	MaxBodyBytes int64
	// MaxVariablesBytes is the largest size of the variables of a request, and of its extensions, in bytes of JSON:
	// 128 KiB, 200 ids in each of several lists.
	MaxVariablesBytes int
	// MaxTokens is the largest number of lexical tokens in a document: 2000, ten times those of a large page.
	MaxTokens int
	// MaxFields is how many fields an operation may select: 5000, which limits the plan of a document within MaxTokens.
	MaxFields int
	// MaxRootFields is how many fields of the type Query or Mutation an operation may select: 50, each of which may be a
	// request of the first wave.
	MaxRootFields int
	// MaxAliases is how many aliases an operation may use: 200, so that no field is selected any number of times.
	MaxAliases int
	// MaxDepth is the largest depth of nested fields in an operation, and of nested lists and objects in a value: 20. The
	// introspection of GraphiQL has 13.
	MaxDepth int
	// MaxDirectives is the largest number of directives at one place of a document: 5.
	MaxDirectives int
	// MaxListItems is the largest number of items of a list in an argument or a variable: 200, twice the keys of a
	// BatchGetItem.
	MaxListItems int
	// MaxPlanBytes is the size of the cache of valid documents and their plans, in bytes: 16 MiB, some thousand documents.
	MaxPlanBytes int64
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

func (l Limits) withDefaults() Limits {
	l.MaxBodyBytes = cmp.Or(l.MaxBodyBytes, 1<<20)
	l.MaxVariablesBytes = cmp.Or(l.MaxVariablesBytes, 128<<10)
	l.MaxTokens = cmp.Or(l.MaxTokens, 2000)
	l.MaxFields = cmp.Or(l.MaxFields, 5000)
	l.MaxRootFields = cmp.Or(l.MaxRootFields, 50)
	l.MaxAliases = cmp.Or(l.MaxAliases, 200)
	l.MaxDepth = cmp.Or(l.MaxDepth, 20)
	l.MaxDirectives = cmp.Or(l.MaxDirectives, 5)
	l.MaxListItems = cmp.Or(l.MaxListItems, 200)
	l.MaxPlanBytes = cmp.Or(l.MaxPlanBytes, 16<<20)
	l.OperationTimeout = cmp.Or(l.OperationTimeout, 10*time.Second)
	return l
}
