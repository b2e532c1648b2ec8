package table

// Export is an operator's command. It and Scan are the only Scans of this module, and
// nothing that answers a GraphQL operation can reach it: the gateway knows the
// table by its three reads and its transactions.

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"golang.org/x/sync/errgroup"
)

// exportSegments is how many Scans run at once.
const exportSegments = 4

// Export writes all items of the table to w, one in a line, in the form of a
// DynamoDB export to S3, and returns how many. The lines are in no order, which
// differs from call to call, and the items are not of one moment: an item
// written meanwhile may be there or not. It reads the whole table, and costs
// half a read unit for each 4 KB of it. When the table cannot be read, its error
// is a *exit.Error, or wraps context.Canceled.
func (t *Table) Export(ctx context.Context, w io.Writer) (int, error) {
	out := &lineWriter{w: bufio.NewWriter(w)}
	group, ctx := errgroup.WithContext(ctx)
	for segment := range exportSegments {
		group.Go(func() error { return t.exportSegment(ctx, int32(segment), out) })
	}
	if err := group.Wait(); err != nil {
		return out.count, err
	}
	if err := out.w.Flush(); err != nil {
		return out.count, fmt.Errorf("table: export: %w", err)
	}
	return out.count, nil
}

func (t *Table) exportSegment(ctx context.Context, segment int32, w *lineWriter) error {
	in := &dynamodb.ScanInput{
		TableName:     t.nameParam(),
		Segment:       aws.Int32(segment),
		TotalSegments: aws.Int32(exportSegments),
	}
	for {
		out, _, err := call(ctx, t, t.client.Scan, in)
		if err != nil {
			return t.exitError(err)
		}
		for _, attributes := range out.Items {
			encoded, err := encodeLine(attributes)
			if err != nil {
				return err
			}
			if err := w.write(encoded); err != nil {
				return fmt.Errorf("table: export: %w", err)
			}
		}
		if len(out.LastEvaluatedKey) == 0 {
			return nil
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
}

// lineWriter takes lines from several goroutines.
type lineWriter struct {
	mu    sync.Mutex
	w     *bufio.Writer
	count int
}

func (w *lineWriter) write(encoded []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count++
	_, err := w.w.Write(encoded)
	return err
}
