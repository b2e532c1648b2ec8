package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/bill"
	"github.com/partita/partita/internal/table/admin"
)

// readLogs adds the logs of gateways, plain or gzip; - is standard input. Each must have a line of an operation.
func readLogs(ctx context.Context, log *bill.Log, files []string) error {
	for _, name := range files {
		before, texts := log.Counted, log.Text
		if err := readLog(ctx, log, name); err != nil {
			return err
		}
		if log.Counted == before {
			e := &exit.Error{
				Problem: name + " has no line of an operation", Fix: "name the log of a gateway with LOG_FORMAT=json",
				Code: exit.DataError,
			}
			if log.Text > texts {
				e.Problem, e.Fix = name+" is in the format of LOG_FORMAT=text", "serve with LOG_FORMAT=json"
			}
			return e
		}
	}
	return nil
}

func readLog(ctx context.Context, log *bill.Log, name string) error {
	file, closed, err := open(ctx, name)
	if err != nil {
		return err
	}
	defer closed()
	plain, err := admin.Unzip(file)
	if err == nil {
		err = log.Read(plain)
	}
	if _, is := errors.AsType[*fs.PathError](err); err == nil || is || errors.Is(err, context.Canceled) {
		return err
	}
	return &exit.Error{
		Problem: fmt.Sprintf("the log %s cannot be read: %v", name, admin.ReadError(err)), Fix: "copy it again",
		Code: exit.DataError, Err: err,
	}
}

// open opens a file, or standard input for -, which can be read until the context ends.
func open(ctx context.Context, name string) (_ io.Reader, closed func(), err error) {
	if name == "-" {
		return stdin(ctx), func() {}, nil
	}
	file, err := os.Open(name) //nolint:gosec // the operator names it
	if err != nil {
		return nil, nil, err
	}
	return untilDone(ctx, file), func() { _ = file.Close() }, nil // it was only read
}
