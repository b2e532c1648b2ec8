package executors

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

// Memory is a table in memory, for comparisons that need no engine. Its methods may be called concurrently.
type Memory struct {
	// Alter returns an item as it is read, or nil if it is missing. It must not change keys. If Alter is nil, all
	// items are as they are.
	Alter func(item.Item) item.Item

	// indexes are the names of the indexes, and "" for the table.
	indexes []string
	first   map[keys.Key]item.Item

	mu sync.Mutex
	// stored are the items by their keys, and items those of each partition of the table and of the indexes.
	stored map[keys.Key]item.Item
	items  map[string][]item.Item
	log    []string
	faults uint64
	left   map[keys.Key]bool
}

// NewMemory returns a table with items and indexes.
func NewMemory(items []item.Item, indexes []string) *Memory {
	m := &Memory{indexes: append([]string{""}, indexes...), first: make(map[keys.Key]item.Item, len(items))}
	for _, it := range items {
		m.first[keys.KeyOf(it)] = it
	}
	m.Restore()
	return m
}

func positionOf(index string, it item.Item) keys.Position {
	if index == "" {
		return keys.Position{SK: keys.SK(it.Text(keys.AttributeSK))}
	}
	return keys.Position{SK: keys.SK(it.Text(keys.IndexSK(index))), Base: keys.KeyOf(it)}
}

func compare(a, b keys.Position) int {
	return cmp.Or(cmp.Compare(a.SK, b.SK), cmp.Compare(a.Base.PK, b.Base.PK), cmp.Compare(a.Base.SK, b.Base.SK))
}

// Fail lets about one in eight requests fail, and leaves about one in eight keys of a BatchGetItem unprocessed once.
// Which ones depends on the seed and on the text of the request. 0 ends this.
func (m *Memory) Fail(seed uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.faults, m.left = seed, map[keys.Key]bool{}
}

// Log implements Table.
func (m *Memory) Log() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.log)
}

// Reset implements Table.
func (m *Memory) Reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.log = nil
}

// arrive records a request. It returns the error with which it fails.
func (m *Memory) arrive(operation string, parameters any) error {
	text := fmt.Sprintf("%s %+v", operation, parameters)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.log = append(m.log, text)
	switch m.draw(withoutNewIDs(text)) % 32 {
	case 1:
		return request.ErrThrottled
	case 2:
		return request.ErrUnavailable
	case 3:
		return request.ErrTimeout
	case 4:
		return errors.New("made by the test")
	}
	return nil
}

// draw returns a number that depends on the seed and on the text; 0 without a seed.
func (m *Memory) draw(text string) uint64 {
	if m.faults == 0 {
		return 0
	}
	h := fnv.New64a()
	fmt.Fprint(h, m.faults, " ", text)
	return h.Sum64() >> 8
}

// get must be called with the mutex.
func (m *Memory) get(key keys.Key) []item.Item {
	if it := m.stored[key]; it != nil {
		return []item.Item{it}
	}
	return nil
}

// GetItem implements loaders.Source.
func (m *Memory) GetItem(_ context.Context, r request.GetItem) (request.Result, error) {
	if err := m.arrive("GetItem", r); err != nil {
		return request.Result{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.altered(request.Result{Items: m.get(r.Key), ReadUnits: 0.5}), nil
}

// BatchGetItem implements loaders.Source.
func (m *Memory) BatchGetItem(_ context.Context, r request.BatchGetItem) (request.Result, error) {
	if err := m.arrive("BatchGetItem", r); err != nil {
		return request.Result{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var result request.Result
	for _, key := range r.Keys {
		if !m.left[key] && m.draw(string(key.PK+"\n")+string(key.SK))%8 == 1 {
			m.left[key] = true
			result.Unprocessed = append(result.Unprocessed, key)
			continue
		}
		result.Items = append(result.Items, m.get(key)...)
		result.ReadUnits += 0.5
	}
	return m.altered(result), nil
}

// Query implements loaders.Source.
func (m *Memory) Query(_ context.Context, r request.Query) (request.Result, error) {
	if err := m.arrive("Query", r); err != nil {
		return request.Result{}, err
	}
	m.mu.Lock()
	part := m.items[r.Index+" "+string(r.PK)]
	m.mu.Unlock()
	if r.Descending {
		part = slices.Clone(part)
		slices.Reverse(part)
	}
	var result request.Result
	for _, it := range part {
		at := positionOf(r.Index, it)
		order := compare(at, r.Start)
		switch {
		case r.From != "" && (at.SK < r.From || at.SK > r.To):
		case r.From == "" && !strings.HasPrefix(string(at.SK), string(r.Prefix)):
		case !r.Start.IsZero() && (order == 0 || order > 0 == r.Descending):
		case r.Limit > 0 && len(result.Items) == r.Limit:
			result.Last = positionOf(r.Index, result.Items[r.Limit-1])
			return m.altered(result), nil
		default:
			result.Items = append(result.Items, it)
			result.ReadUnits += 0.5
		}
	}
	return m.altered(result), nil
}

func (m *Memory) altered(r request.Result) request.Result {
	if m.Alter == nil {
		return r
	}
	var items []item.Item
	for _, it := range r.Items {
		if it = m.Alter(it); it != nil {
			items = append(items, it)
		}
	}
	r.Items = items
	return r
}

// Now implements loaders.Source. It is always the same time, so that an operation can be repeated.
func (m *Memory) Now() time.Time { return time.Date(2026, time.June, 1, 0, 0, 0, 0, time.UTC) }

var (
	// newIDs matches generated ids.
	newIDs = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)
	// encoded matches what may be a global id or a cursor.
	encoded = regexp.MustCompile(`[0-9A-Za-z_-]{40,}`)
)

// withoutNewIDs returns a text without the generated ids, those in global ids and cursors included. No other id of the
// table looks like them.
func withoutNewIDs(text string) string {
	text = encoded.ReplaceAllStringFunc(text, func(id string) string {
		decoded, err := base64.RawURLEncoding.DecodeString(id)
		if err == nil && newIDs.Match(decoded) {
			return newIDs.ReplaceAllString(string(decoded), "new")
		}
		return id
	})
	return newIDs.ReplaceAllString(text, "new")
}
