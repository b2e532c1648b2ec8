package gateway

import (
	"bytes"
	"sync"
)

// maxKeptBuffer is the capacity in bytes of the largest buffer that is used again. Larger ones are rare, and would
// occupy memory until the garbage collection after the next.
const maxKeptBuffer = 64 << 10

// buffers are used again for the bodies of requests and responses.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// newBuffer returns an empty buffer. Nothing may refer to its bytes after release.
func newBuffer() *bytes.Buffer { return buffers.Get().(*bytes.Buffer) }

func release(b *bytes.Buffer) {
	if b.Cap() > maxKeptBuffer {
		return
	}
	b.Reset()
	buffers.Put(b)
}
