package plan

import (
	"sync"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// Members are the items of members that an operation has read. Its methods may be called concurrently.
type Members struct {
	mu   sync.RWMutex
	read map[keys.Key]item.Item
	errs map[keys.Key]error
	// otherwise has those that are not read.
	otherwise *Members
}

// Or returns the members, with others in place of those that have not been read.
func (m *Members) Or(others *Members) *Members {
	if m == nil {
		return others
	}
	return &Members{read: m.read, otherwise: others}
}

// Set sets the item under a key, nil for none, or the error of the Read.
func (m *Members) Set(key keys.Key, it item.Item, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err != nil {
		if m.errs == nil {
			m.errs = map[keys.Key]error{}
		}
		m.errs[key] = err
		return
	}
	if m.read == nil {
		m.read = map[keys.Key]item.Item{}
	}
	m.read[key] = it
}

// Has reports whether it is known what a key has.
func (m *Members) Has(key keys.Key) bool {
	_, isRead := m.find(key)
	return isRead
}

func (m *Members) find(key keys.Key) (it item.Item, isRead bool) {
	if m == nil {
		return nil, false
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	if it, isRead = m.read[key]; !isRead {
		return m.otherwise.find(key)
	}
	return it, isRead
}

func (m *Members) err(key keys.Key) error {
	if m == nil {
		return nil
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.errs[key]
}
