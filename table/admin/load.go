package admin

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/item"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/attribute"
)

const (
	// loadParallel is how many BatchWriteItem run at once. Amazon DynamoDB executes
	// them in parallel. The local engine has one writer, but is a third faster than
	// with one at a time.
	loadParallel = 8
	// maxLine is the longest line of a load in bytes: an item is at most
	// 400 KB, its JSON a few times that.
	maxLine = 4 << 20
	// byteOrderMark is what some editors write at the beginning of a file.
	byteOrderMark = "\ufeff"
)

// LoadStats is what a load did, also if it failed.
type LoadStats struct {
	// Items is how many puts succeeded; a key that occurs twice may count once or
	// twice.
	Items int
	// Lines is how many lines were read.
	Lines int
}

// Load puts the items in the lines of r, plain or gzip. It replaces items with the
// same keys, so loading again is harmless. If two lines have the same key, either
// may be stored last. A malformed line ends the load with a *LineError; some lines
// around it may be stored. In a table with tenants, the lines have keys with them, or
// without if the context names a tenant: see request.WithTenant. Other errors are
// *exit.Error, or wrap context.Canceled.
func Load(ctx context.Context, t *table.Table, r io.Reader) (LoadStats, error) {
	tenant, err := tenantOf(ctx, t)
	if err != nil {
		return LoadStats{}, err
	}
	lines := 0
	var bad error
	stats, err := load(ctx, t, func(yield func(map[string]types.AttributeValue) bool) {
		for attributes, err := range readLines(r, &lines) {
			if err == nil {
				err = checkKeys(t.Schema(), attributes, lines)
			}
			if err == nil {
				if attributes, err = toTenant(t.Schema(), tenant, attributes); err != nil {
					err = &LineError{Number: lines, Err: err}
				}
			}
			if err != nil {
				bad = err
				return
			}
			if !yield(attributes) {
				return
			}
		}
	})
	stats.Lines = lines
	return stats, errors.Join(bad, err)
}

// Items returns the items in the lines of r, plain or gzip, of any table. A malformed line ends them with a
// *LineError.
func Items(r io.Reader) iter.Seq2[item.Item, error] {
	return func(yield func(item.Item, error) bool) {
		lines := 0
		for attributes, err := range readLines(r, &lines) {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(attribute.ToItems([]map[string]types.AttributeValue{attributes})[0], nil) {
				return
			}
		}
	}
}

// FileItems returns the items in the lines of a file, plain or gzip, that a table with the schema can store. The first
// malformed line ends them with a *LineError, and a file that cannot be read with a *fs.PathError.
func FileItems(path string, s table.Schema) iter.Seq2[item.Item, error] {
	return func(yield func(item.Item, error) bool) {
		file, err := os.Open(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer func() { _ = file.Close() }() // it was only read
		lines := 0
		for attributes, err := range readLines(file, &lines) {
			if err == nil {
				err = checkKeys(s, attributes, lines)
			}
			if line, is := errors.AsType[*LineError](err); is {
				line.File = path
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(attribute.ToItems([]map[string]types.AttributeValue{attributes})[0], nil) {
				return
			}
		}
	}
}

// readLines returns the items in the lines of r, and counts the lines. It ends with the first *LineError.
func readLines(r io.Reader, lines *int) iter.Seq2[map[string]types.AttributeValue, error] {
	return func(yield func(map[string]types.AttributeValue, error) bool) {
		plain, err := unzip(r)
		if err != nil {
			yield(nil, &LineError{Number: 1, Err: err})
			return
		}
		scanner := bufio.NewScanner(plain)
		scanner.Buffer(make([]byte, 0, 64<<10), maxLine)
		for scanner.Scan() {
			*lines++
			text := bytes.TrimPrefix(scanner.Bytes(), []byte(byteOrderMark))
			if len(text) == 0 {
				continue
			}
			attributes, err := decodeLine(text)
			if err != nil {
				// The last line of a file that is cut off is no JSON, either.
				yield(nil, &LineError{Number: *lines, Err: cmp.Or(scanner.Err(), err)})
				return
			}
			if !yield(attributes, nil) {
				return
			}
		}
		if err := scanner.Err(); err != nil {
			yield(nil, &LineError{Number: *lines + 1, Err: err})
		}
	}
}

// LoadItems puts the items, replacing those that exist. In a table with tenants, the
// context names theirs: see request.WithTenant. Its errors are *exit.Error, or wrap
// context.Canceled.
func LoadItems(ctx context.Context, t *table.Table, items iter.Seq[item.Item]) (LoadStats, error) {
	tenant, err := tenantOf(ctx, t)
	switch {
	case err != nil:
		return LoadStats{}, err
	case tenant == "" && t.Schema().Tenants:
		return LoadStats{}, &exit.Error{
			Problem: fmt.Sprintf("table %q has tenants, and it is not said whose items these are", t.Name()),
			Fix:     "name the tenant", Code: exit.Config,
		}
	}
	return load(ctx, t, func(yield func(map[string]types.AttributeValue) bool) {
		for it := range items {
			if !yield(storedItem(t.Schema(), tenant, it)) {
				return
			}
		}
	})
}

func load(ctx context.Context, t *table.Table, items iter.Seq[map[string]types.AttributeValue]) (LoadStats, error) {
	var stored atomic.Int64
	group, groupContext := errgroup.WithContext(ctx)
	group.SetLimit(loadParallel)
	send := func(batch []map[string]types.AttributeValue) {
		group.Go(func() error {
			n, err := batchWrite(groupContext, t, batch)
			stored.Add(int64(n))
			if err != nil {
				return t.ExitError(err)
			}
			return nil
		})
	}
	var batch []map[string]types.AttributeValue
	for attributes := range items {
		if batch = append(batch, attributes); len(batch) == maxBatchWrites {
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
		err = fmt.Errorf("admin: %w", ctx.Err())
	}
	return LoadStats{Items: int(stored.Load())}, err
}

// unzip decompresses r if it begins like gzip.
//
// https://www.rfc-editor.org/rfc/rfc1952#section-2.3.1
func unzip(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(r)
	// The scanner gets the same error as Peek.
	if start, _ := buffered.Peek(2); string(start) != "\x1f\x8b" {
		return buffered, nil
	}
	plain, err := gzip.NewReader(buffered)
	if err != nil {
		return nil, fmt.Errorf("not gzip: %w", err)
	}
	return plain, nil
}
