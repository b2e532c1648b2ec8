package table

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/item"
	"github.com/partita/partita/table/attribute"
)

const (
	// loadParallel is how many BatchWriteItem run at once. The local engine has
	// one writer, and is a third faster than with one at a time; Amazon DynamoDB
	// takes them side by side.
	loadParallel = 8
	// maxLine is the longest line of a load in bytes: an item is at most
	// 400 KB, its JSON a few times that.
	maxLine = 4 << 20
)

// LoadStats is what a load did, also when it failed.
type LoadStats struct {
	// Items is how many puts were answered; a key that comes twice may count
	// once or twice.
	Items int
	// Lines is how many lines were read.
	Lines int
}

// Load puts the items of r, one in a line, in the form of a DynamoDB export to
// S3, plain or gzip. Items of the table with the same keys are replaced, and
// loading again is harmless. Of two lines with one key either may win. A
// malformed line ends the load with a *LineError; some lines around it may be
// stored. Other errors are *exit.Error, or wrap context.Canceled.
func (t *Table) Load(ctx context.Context, r io.Reader) (LoadStats, error) {
	lines := 0
	var bad error
	stats, err := t.load(ctx, func(yield func(map[string]types.AttributeValue) bool) {
		plain, err := unzip(r)
		if err != nil {
			bad = &LineError{Number: 1, Err: err}
			return
		}
		scanner := bufio.NewScanner(plain)
		scanner.Buffer(make([]byte, 0, 64<<10), maxLine)
		for scanner.Scan() {
			lines++
			if len(scanner.Bytes()) == 0 {
				continue
			}
			attributes, err := decodeLine(scanner.Bytes())
			if err != nil {
				bad = &LineError{Number: lines, Err: err}
				return
			}
			if !yield(attributes) {
				return
			}
		}
		if err := scanner.Err(); err != nil {
			bad = &LineError{Number: lines + 1, Err: err}
		}
	})
	stats.Lines = lines
	return stats, errors.Join(bad, err)
}

// LoadItems puts the items, replacing those that exist. Its errors are
// *exit.Error, or wrap context.Canceled.
func (t *Table) LoadItems(ctx context.Context, items iter.Seq[item.Item]) (LoadStats, error) {
	return t.load(ctx, func(yield func(map[string]types.AttributeValue) bool) {
		for it := range items {
			if !yield(attribute.FromItem(it)) {
				return
			}
		}
	})
}

func (t *Table) load(ctx context.Context, items iter.Seq[map[string]types.AttributeValue]) (LoadStats, error) {
	var stored atomic.Int64
	group, groupContext := errgroup.WithContext(ctx)
	group.SetLimit(loadParallel)
	send := func(batch []map[string]types.AttributeValue) {
		group.Go(func() error {
			n, err := t.batchWrite(groupContext, batch)
			stored.Add(int64(n))
			if err != nil {
				return t.exitError(err)
			}
			return nil
		})
	}
	var batch []map[string]types.AttributeValue
	for attributes := range items {
		if batch = append(batch, attributes); len(batch) == MaxBatchWrites {
			send(batch)
			batch = nil
		}
		if groupContext.Err() != nil {
			break
		}
	}
	if len(batch) > 0 {
		send(batch)
	}
	err := group.Wait()
	if err == nil && ctx.Err() != nil {
		err = fmt.Errorf("table: %w", ctx.Err())
	}
	return LoadStats{Items: int(stored.Load())}, err
}

// unzip reads through gzip when r begins like it.
//
// https://www.rfc-editor.org/rfc/rfc1952#section-2.3.1
func unzip(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(r)
	// An error of Peek's comes again when the scanner reads.
	if start, _ := buffered.Peek(2); string(start) != "\x1f\x8b" {
		return buffered, nil
	}
	plain, err := gzip.NewReader(buffered)
	if err != nil {
		return nil, fmt.Errorf("not gzip: %w", err)
	}
	return plain, nil
}
