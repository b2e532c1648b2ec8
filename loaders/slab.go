package loaders

import "github.com/partita/partita/internal/plan"

// maxSlab is how many values a slab allocates at most at a time, unless more are expected.
const maxSlab = 32

// slab allocates values of an operation several at a time. They are freed together.
type slab[T any] struct {
	free []T
	last int // how many were allocated the last time
}

// next returns a zero value.
func (s *slab[T]) next() *T {
	if len(s.free) == 0 {
		s.last = min(max(1, 2*s.last), maxSlab)
		s.free = make([]T, s.last)
	}
	v := &s.free[0]
	s.free = s.free[1:]
	return v
}

// expect makes room for so many further values.
func (s *slab[T]) expect(n int) {
	if n > len(s.free) {
		s.last, s.free = min(n, maxSlab), make([]T, n)
	}
}

// value returns a value of a field.
func (r *run) value(f *plan.Field) *Value {
	v := r.values.next()
	v.Field = f
	return v
}

// expect makes room for so many values, of which some have a condition, if these are not few.
func (r *run) expect(values, conditions int) {
	if values > 1 {
		values = min(values, maxExpected)
		r.values.expect(values)
		r.conditions.expect(min(conditions, maxExpected))
		r.likely = max(r.likely, values)
	}
}

// maxExpected limits for how many values there is room at once: they may need less than it seems, and a larger slab
// would be one of Go's large objects, which cost more.
const maxExpected = 64
