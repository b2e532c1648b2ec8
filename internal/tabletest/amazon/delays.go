package amazon

import (
	"encoding/json"
	"maps"
	"sync"
	"time"

	"github.com/partita/partita/item"
)

// delays are the latest writes of items, by their keys, as long as indexes may not have them. Its methods may be called
// concurrently.
type delays struct {
	by    time.Duration
	mu    sync.Mutex
	byKey map[string]written
}

// written is when an item was written, and what it was before.
type written struct {
	at     time.Time
	before item.Item
}

// maxWritten is from how many items on those are forgotten that the indexes have by now.
const maxWritten = 1000

// keep notes that an item was written now, and what it was before.
func (d *delays) keep(key string, before item.Item) {
	if d.by == 0 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.byKey) >= maxWritten {
		maps.DeleteFunc(d.byKey, func(_ string, w written) bool { return time.Since(w.at) > d.by })
	}
	if earlier, is := d.byKey[key]; !is || time.Since(earlier.at) > d.by {
		d.byKey[key] = written{time.Now(), before}
	}
}

// answer leaves out of an answer what its index does not have yet: entries under the keys of items that were written
// just now. Those that had the same keys before are as they were if the entry has all attributes.
func (d *delays) answer(t tableKeys, ix *indexKeys, answer []byte) []byte {
	var document map[string]json.RawMessage
	var all []json.RawMessage
	if d.by == 0 || json.Unmarshal(answer, &document) != nil || json.Unmarshal(document["Items"], &all) != nil {
		return answer
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	left := []json.RawMessage{}
	for _, raw := range all {
		if raw = d.entry(t, ix, raw); raw != nil {
			left = append(left, raw)
		}
	}
	document["Items"], document["Count"] = marshal(left), marshal(len(left))
	return marshal(document)
}

// entry returns an entry as the index has it, nil for none.
func (d *delays) entry(t tableKeys, ix *indexKeys, raw json.RawMessage) json.RawMessage {
	is := itemOf(raw)
	w, has := d.byKey[t.table.whole(is)]
	switch {
	case !has || time.Since(w.at) > d.by:
		return raw
	case ix.KeySchema.whole(w.before) != ix.KeySchema.whole(is):
		return nil
	case ix.Projection.ProjectionType != "ALL":
		return raw
	}
	return encoded(w.before)
}
