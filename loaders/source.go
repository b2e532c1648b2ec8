package loaders

import (
	"context"
	"time"

	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// Source is the interface to DynamoDB: three reads, transactions and the time. None of them can Scan. Its
// methods may be called concurrently. Errors of reads are those of package request; errors of
// transactions are those of package write, too. A transaction with write.Transaction.IsSingle is a single write.
type Source interface {
	GetItem(ctx context.Context, r request.GetItem) (request.Result, error)
	BatchGetItem(ctx context.Context, r request.BatchGetItem) (request.Result, error)
	Query(ctx context.Context, r request.Query) (request.Result, error)
	TransactWriteItems(ctx context.Context, w write.Transaction) (request.Result, error)
	// Now returns the time by the clock of DynamoDB.
	Now() time.Time
}
