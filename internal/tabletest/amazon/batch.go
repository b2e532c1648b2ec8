package amazon

import (
	"encoding/json"

	"github.com/partita/partita/internal/capacity"
)

// keyOfBatch returns the bucket and the units of a key of a BatchGetItem, as of an item of at most 4 KB.
func (t tableKeys) keyOfBatch(key json.RawMessage, isConsistent bool) charges {
	return charges{{partition: t.table.partition(itemOf(key))}: capacity.Get(0, isConsistent)}
}

// putOfBatch returns the bucket and the units of a put or a deletion of a BatchWriteItem, but for those of indexes.
func (t tableKeys) putOfBatch(raw json.RawMessage) charges {
	var one struct {
		PutRequest    struct{ Item json.RawMessage }
		DeleteRequest struct{ Key json.RawMessage }
	}
	_ = json.Unmarshal(raw, &one) // The endpoint returns the error.
	it := append(itemOf(one.PutRequest.Item), itemOf(one.DeleteRequest.Key)...)
	return charges{{partition: t.table.partition(it), isWrite: true}: units(nil, it)}
}

// tablesOfBatch returns the names of the tables of a batch.
func tablesOfBatch(text []byte) (names []string) {
	var b struct{ RequestItems map[string]json.RawMessage }
	_ = json.Unmarshal(text, &b) // The endpoint returns the error.
	for name := range b.RequestItems {
		names = append(names, name)
	}
	return names
}
