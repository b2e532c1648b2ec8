package response

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"

	"github.com/klauspost/compress/gzhttp"
)

const (
	// minCompressed is the length in bytes from which responses are compressed. Shorter ones fit into one packet anyway.
	minCompressed = 1400
	// maxPadding is the maximum number of random bytes that hide the exact length of a compressed response, which the
	// BREACH attack measures. The attack also needs a browser that sends the victim's credentials with chosen queries,
	// which forgeryCheck and the use of tokens instead of cookies prevent.
	maxPadding = 32
)

// Compress encodes responses in gzip if Accept-Encoding contains it. There is no other encoding: some clients list zstd
// and cannot decode it, such as whatwg-node's fetch, which graphql-codegen uses, on Node.js 20. The lowest level takes
// about the time that zstd would.
func Compress(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(
		gzhttp.EnableZstd(false), gzhttp.CompressionLevel(gzip.BestSpeed),
		gzhttp.MinSize(minCompressed), gzhttp.RandomJitter(maxPadding, 0, false),
	)
	if err != nil {
		panic(fmt.Errorf("gateway: compression: %w", err)) // the options above are constant
	}
	return wrap(next)
}

// Static returns a handler that sends a text. It compresses the text once, as well as it can: all visitors get the
// same.
func Static(text []byte) http.Handler {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(fmt.Errorf("gateway: compression: %w", err)) // the level is constant, and a buffer returns no error
	}
	compressed := b.Bytes()
	return Compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		body := text
		switch w.(type) {
		case *gzhttp.GzipResponseWriter, gzhttp.GzipResponseWriterWithCloseNotify: // the client accepts gzip
			w.Header().Set("Content-Encoding", "gzip")
			body = compressed
		}
		_, _ = w.Write(body) // an error means that the browser is gone
	}))
}
