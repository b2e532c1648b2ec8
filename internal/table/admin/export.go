package admin

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/attribute"
)

// exportSegments is how many Scans run at once.
const exportSegments = 4

// Export writes all items of the table but the leases of its stream to w as lines, and returns how many. The
// order of the lines differs from call to call. The export is not a snapshot: it
// may or may not contain what is written meanwhile. It reads the whole table, and
// costs half a read unit for each 4 KB. If the context names a tenant, only its items
// are written, without the tenant in their keys: see request.WithTenant. If the table cannot be read, its error is a
// *exit.Error, or wraps context.Canceled.
func Export(ctx context.Context, t *table.Table, w io.Writer) (int, error) {
	tenant, err := tenantOf(ctx, t)
	if err != nil {
		return 0, err
	}
	out := &lineWriter{w: bufio.NewWriter(w)}
	group, ctx := errgroup.WithContext(ctx)
	for segment := range exportSegments {
		group.Go(func() error { return exportSegment(ctx, t, tenant, int32(segment), out) })
	}
	if err := group.Wait(); err != nil {
		return out.count, err
	}
	if err := out.w.Flush(); err != nil {
		return out.count, fmt.Errorf("admin: export: %w", err)
	}
	return out.count, nil
}

func exportSegment(ctx context.Context, t *table.Table, tenant keys.Tenant, segment int32, w *lineWriter) error {
	in := &dynamodb.ScanInput{
		TableName:     aws.String(t.Name()),
		Segment:       aws.Int32(segment),
		TotalSegments: aws.Int32(exportSegments),
	}
	for {
		out, _, err := table.Call(ctx, t, t.Client().Scan, in)
		if err != nil {
			return t.ExitError(err)
		}
		for _, attributes := range out.Items {
			if l := t.Schema().Layout(); l.IsReservedPK(attribute.ToKey(l, attributes).PK) {
				continue
			}
			attributes, isOf := fromTenant(t.Schema(), tenant, attributes)
			if !isOf {
				continue
			}
			encoded, err := encodeLine(attributes)
			if err != nil {
				return err
			}
			if err := w.write(encoded); err != nil {
				return fmt.Errorf("admin: export: %w", err)
			}
		}
		if len(out.LastEvaluatedKey) == 0 {
			return nil
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
}

// lineWriter writes lines for several goroutines.
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
