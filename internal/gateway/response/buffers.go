package response

import (
	"bytes"
	"sync"
)

// MaxKeptBuffer is the capacity in bytes of the largest buffer that is used again. Larger ones are rare, and would
// occupy memory until the garbage collection after the next.
const MaxKeptBuffer = 64 << 10

// buffers are used again for the bodies of requests and responses.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// NewBuffer returns an empty buffer. Nothing may refer to its bytes after release.
func NewBuffer() *bytes.Buffer { return buffers.Get().(*bytes.Buffer) }

// Release lets a buffer be used again, unless it is large.
func Release(b *bytes.Buffer) {
	if b.Cap() > MaxKeptBuffer {
		return
	}
	b.Reset()
	buffers.Put(b)
}
