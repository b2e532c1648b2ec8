package answer

import (
	"sync"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
	"github.com/partita/partita/loaders"
)

// writer writes the data of an operation. Its methods that write a value report whether the value is not null; a
// null that the schema does not allow makes the value that contains it null.
type writer struct {
	op    *loaders.Operation
	bound *plan.Bound
	out   []byte
	// maxBytes is how large the data may be. Once it has been larger, full is set, and no further object is written:
	// the data is not used.
	maxBytes int
	full     bool
	pace     loaders.Pace
	path     []segment
	errors   fieldErrors
	// item is that of the object whose attributes are being written.
	item item.Item
	// scratch is the text of an id before it is encoded.
	scratch []byte
}

// writers have buffers that are used again.
var writers = sync.Pool{New: func() any { return &writer{} }}

// maxKept is the size of the largest buffer that is used again, in bytes.
const maxKept = 256 << 10

// release makes the writer available for another operation.
func (w *writer) release() {
	if cap(w.out) <= maxKept {
		*w = writer{out: w.out[:0], path: w.path[:0], scratch: w.scratch[:0]}
		writers.Put(w)
	}
}

// isFull reports whether the data is larger than it may be, or has been.
func (w *writer) isFull() bool {
	w.full = w.full || len(w.out) > w.maxBytes
	return w.full
}

func (w *writer) null() bool {
	w.out = append(w.out, "null"...)
	return false
}

// fail adds the error of a field, or of an element of its list.
func (w *writer) fail(f *plan.Field, err error) { w.errors.add(w.path, f, err) }

// deny writes null for a field that the viewer may not read.
func (w *writer) deny(f *plan.Field) bool {
	w.fail(f, plan.ErrForbidden)
	return w.null()
}

// members writes an object with the values that value writes, or null if one of them is null and must not be.
func (w *writer) members(fields []*plan.Field, value func(*plan.Field) bool) bool {
	start, valid := len(w.out), true
	w.out = append(w.out, '{')
	for i, f := range fields {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.out = append(w.out, f.Key...)
		w.path = append(w.path, segment{alias: f.Alias})
		if !value(f) && f.Definition.Type.NonNull {
			valid = false
		}
		w.path = w.path[:len(w.path)-1]
	}
	return w.end(start, '}', valid)
}

// array writes a list of n elements, or null if element reports that the list must not have what it has written.
func (w *writer) array(n int, element func(i int) bool) bool {
	start, valid := len(w.out), true
	w.out = append(w.out, '[')
	for i := range n {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.path = append(w.path, segment{index: i})
		valid = element(i) && valid
		w.path = w.path[:len(w.path)-1]
	}
	return w.end(start, ']', valid)
}

func (w *writer) end(start int, bracket byte, valid bool) bool {
	if !valid {
		w.out = append(w.out[:start], "null"...)
		return false
	}
	w.out = append(w.out, bracket)
	return true
}
