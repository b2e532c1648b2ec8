package share

import "sync"

// Memory is a number of bytes that operations have in buffers. Its methods may be called concurrently.
type Memory struct {
	total, perCaller int64

	mu    sync.Mutex
	taken int64
	by    map[Caller]int64
}

// NewMemory returns a Memory with a total number of bytes, and the number that one caller may take.
func NewMemory(total, perCaller int64) *Memory {
	return &Memory{total: total, perCaller: perCaller, by: map[Caller]int64{}}
}

// An Outcome is the result of asking for bytes.
type Outcome int

// The Outcomes.
const (
	// Taken: the caller has the bytes, and must give them back.
	Taken Outcome = iota
	// CallerFull: the caller would have more than one may.
	CallerFull
	// Full: the process would have more than there is.
	Full
)

// Take takes bytes for a caller, all of them or none.
func (m *Memory) Take(caller Caller, bytes int64) Outcome {
	m.mu.Lock()
	defer m.mu.Unlock()
	has := m.by[caller] + bytes
	switch {
	case has > m.perCaller:
		return CallerFull
	case m.taken+bytes > m.total:
		return Full
	}
	m.taken += bytes
	m.by[caller] = has
	return Taken
}

// Give gives bytes of a caller back.
func (m *Memory) Give(caller Caller, bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.taken -= bytes
	if left := m.by[caller] - bytes; left > 0 {
		m.by[caller] = left
	} else {
		delete(m.by, caller)
	}
}
