package app

import (
	"context"
	"io"
	"os"
)

// stdin returns standard input until the context ends, then its error. What is read from a pipe in which nothing
// arrives could not be stopped otherwise.
func stdin(ctx context.Context) io.Reader { return untilDone(ctx, os.Stdin) }

// untilDone returns a reader that ends with the error of the context. The other one may be read beyond that.
func untilDone(ctx context.Context, r io.Reader) io.Reader {
	p, w := io.Pipe()
	go func() {
		_, err := io.Copy(w, r)
		_ = w.CloseWithError(err) // it has no error
	}()
	context.AfterFunc(ctx, func() { _ = w.CloseWithError(ctx.Err()) })
	return p
}
