package admin

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
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
// around it may be stored. Leases, which an export to S3 has, are left out. In a
// table with tenants, the lines have keys with them, or without if the context names
// a tenant: see request.WithTenant. A file that cannot be read is a *fs.PathError.
// Other errors are *exit.Error, or wrap context.Canceled.
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
				err = atLine(lines, checkKeys(t.Schema(), attributes))
			}
			if err == nil {
				attributes, err = toTenant(t.Schema(), tenant, attributes)
				err = atLine(lines, err)
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
				err = atLine(lines, checkKeys(s, attributes))
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
		plain, err := Unzip(r)
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
				yield(nil, lineError(*lines, cmp.Or(ReadError(scanner.Err()), err)))
				return
			}
			if !yield(attributes, nil) {
				return
			}
		}
		if err := ReadError(scanner.Err()); err != nil {
			yield(nil, lineError(*lines+1, err))
		}
	}
}

// lineError returns the error of a line, or that of a file that cannot be read as it is.
func lineError(number int, err error) error {
	if path, is := errors.AsType[*fs.PathError](err); is {
		return path
	}
	if errors.Is(err, context.Canceled) { // nothing is wrong with the line
		return err
	}
	return &LineError{Number: number, Err: err}
}

// ReadError returns why a line cannot be read, in words for the person who has the file.
func ReadError(err error) error {
	switch {
	case errors.Is(err, bufio.ErrTooLong):
		return errors.New("the line is longer than 4 MiB: an item is at most 400 KB, and each has a line of its own")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the gzip file is cut off")
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, new(flate.CorruptInputError)):
		return errors.New("the gzip file is damaged")
	}
	return err
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
			n, err := writeEach(groupContext, t, batch)
			stored.Add(int64(n))
			return err
		})
	}
	var batch []map[string]types.AttributeValue
	layout := t.Schema().Layout()
	for attributes := range items {
		if layout.IsReservedPK(attribute.ToKey(layout, attributes).PK) {
			continue
		}
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

// writeEach puts the items of a batch, and names the one that cannot be stored. It returns how many were stored.
func writeEach(ctx context.Context, t *table.Table, batch []map[string]types.AttributeValue) (int, error) {
	stored, err := batchWrite(ctx, t, batch)
	switch {
	case err == nil:
		return stored, nil
	case !isInvalid(err):
		return stored, t.ExitError(err)
	}
	for i := range batch {
		n, err := batchWrite(ctx, t, batch[i:i+1])
		stored += n
		if err != nil {
			return stored, loadError(t, batch[i], err)
		}
	}
	return stored, nil
}

func isInvalid(err error) bool {
	var api smithy.APIError
	return errors.As(err, &api) && api.ErrorCode() == "ValidationException"
}

// loadError returns the *exit.Error for an item that cannot be stored.
func loadError(t *table.Table, it map[string]types.AttributeValue, err error) error {
	var api smithy.APIError
	if !isInvalid(err) || !errors.As(err, &api) {
		return t.ExitError(err)
	}
	layout := t.Schema().Layout()
	pk, sk := layout.ShowKey(attribute.ToKey(layout, it))
	return &exit.Error{
		Problem: fmt.Sprintf("table %q cannot store the item with the key %.99q %.99q (%s)",
			t.Name(), pk, sk, api.ErrorMessage()),
		Fix: "correct the item, and load again: what is stored is replaced", Code: exit.DataError, Err: err,
	}
}

// Unzip decompresses r if it begins like gzip. ReadError has words for what is wrong with the file.
//
// https://www.rfc-editor.org/rfc/rfc1952#section-2.3.1
func Unzip(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(r)
	// The scanner gets the same error as Peek.
	if start, _ := buffered.Peek(2); string(start) != "\x1f\x8b" {
		return buffered, nil
	}
	plain, err := gzip.NewReader(buffered)
	if err != nil {
		return nil, ReadError(err)
	}
	return plain, nil
}
