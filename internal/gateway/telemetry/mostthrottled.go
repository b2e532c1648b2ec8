package telemetry

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"
)

const (
	// sketchKeys is how many partition keys are remembered. Each has at most 2 KB.
	sketchKeys = 64
	// shownKeys is how many of them are shown.
	shownKeys = 10
)

// ThrottledKey is a partition key with the number of its throttled requests.
type ThrottledKey struct {
	// Index is the index that the key is of, "" for the table.
	Index, Key string
	// Hash is what the metrics have in the place of the key: the beginning of its SHA-256.
	Hash string
	// Most is how many throttled requests it has at most, and Error how many of them may be those of other keys.
	Most, Error int
}

// Least returns how many throttled requests the key has at least.
func (k ThrottledKey) Least() int { return k.Most - k.Error }

// mostThrottled counts throttled requests for each partition key in bounded memory, by the algorithm Space-Saving: a
// key that is not among those that are remembered replaces the one with the lowest count, and takes that over as its
// error. Of n requests, each key with more than n/sketchKeys is remembered, and no error is greater than that.
//
// Metwally, Agrawal, El Abbadi: Efficient Computation of Frequent and Top-k Elements in Data Streams, ICDT 2005:
// https://doi.org/10.1007/978-3-540-30570-5_27
type mostThrottled struct {
	mu   sync.Mutex
	keys []ThrottledKey
}

// add counts a throttled request on a partition key of an index, or with "" of the table.
func (m *mostThrottled) add(index, key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	isSame := func(k ThrottledKey) bool { return k.Index == index && k.Key == key }
	if i := slices.IndexFunc(m.keys, isSame); i >= 0 {
		m.keys[i].Most++
		return
	}
	added := ThrottledKey{Index: index, Key: key, Hash: hashOf(key), Most: 1}
	if len(m.keys) < sketchKeys {
		m.keys = append(m.keys, added)
		return
	}
	least := 0
	for i := range m.keys {
		if m.keys[i].Most < m.keys[least].Most {
			least = i
		}
	}
	added.Error = m.keys[least].Most
	added.Most += added.Error
	m.keys[least] = added
}

// top returns the keys that were throttled most, as far as that is certain.
func (m *mostThrottled) top() []ThrottledKey {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := slices.Clone(m.keys)
	slices.SortFunc(all, func(a, b ThrottledKey) int {
		return cmp.Or(b.Least()-a.Least(), b.Most-a.Most, cmp.Compare(a.Index, b.Index), cmp.Compare(a.Key, b.Key))
	})
	return all[:min(len(all), shownKeys)]
}

// hashOf returns a short name of a key that does not show it.
func hashOf(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:6])
}
