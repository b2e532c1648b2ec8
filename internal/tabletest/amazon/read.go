package amazon

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/partita/partita/internal/capacity"
)

// reading is a GetItem or a Query under Limits.
type reading struct {
	table tableKeys
	index string
	// key is its bucket, and admitted what the least read consumes.
	key      bucketKey
	admitted charges
}

// readBody is what matters of a read.
type readBody struct {
	TableName, IndexName, KeyConditionExpression string
	ConsistentRead                               bool
	Key                                          json.RawMessage
	ExpressionAttributeNames                     map[string]string
	ExpressionAttributeValues                    map[string]json.RawMessage
}

// newReading returns a read, nil if it is another request.
func newReading(all *tables, ask Ask, operation string, text []byte) *reading {
	var b readBody
	if operation != "GetItem" && operation != "Query" || json.Unmarshal(text, &b) != nil {
		return nil
	}
	read := &reading{table: all.of(ask, b.TableName), index: b.IndexName}
	partition := read.table.table.partition(itemOf(b.Key))
	if operation == "Query" {
		partition = read.partition(b)
	}
	read.key = bucketKey{index: b.IndexName, partition: partition}
	read.admitted = charges{read.key: capacity.Get(0, b.ConsistentRead)}
	return read
}

// partition returns the partition key of a Query's condition.
func (l *reading) partition(b readBody) string {
	schema := l.table.table
	if ix := l.table.global(l.index); ix != nil {
		schema = ix.KeySchema
	}
	var texts []string
	for _, part := range schema {
		if part.KeyType == "HASH" {
			texts = append(texts, b.valueOf(part.AttributeName))
		}
	}
	return strings.Join(texts, "\x00")
}

// valueOf returns the text that an attribute must be equal to.
func (b readBody) valueOf(attribute string) string {
	for _, m := range assignment.FindAllStringSubmatch(b.KeyConditionExpression, -1) {
		if b.ExpressionAttributeNames[m[1]] == attribute {
			one := itemOf(marshal(map[string]any{"v": b.ExpressionAttributeValues[m[2]]}))
			return one.Text("v")
		}
	}
	return ""
}

// global returns a global index, nil for the table and for local ones.
func (t tableKeys) global(name string) *indexKeys {
	i := slices.IndexFunc(t.indexes, func(ix indexKeys) bool { return ix.IndexName == name })
	if i < 0 {
		return nil
	}
	return &t.indexes[i]
}

// begin takes the units of the least read, or returns the error if there are none.
func (l *reading) begin(b *buckets) *Failure {
	if empty := b.admit(l.admitted); len(empty) > 0 {
		return exceeded(empty)
	}
	return nil
}

// end takes what a read has consumed, and returns what an index has of its answer so far.
func (l *reading) end(b *buckets, d *delays, answer []byte) []byte {
	var found struct {
		ConsumedCapacity struct{ CapacityUnits float64 }
	}
	if json.Unmarshal(answer, &found) == nil && found.ConsumedCapacity.CapacityUnits > 0 {
		b.consume(l.admitted, charges{l.key: found.ConsumedCapacity.CapacityUnits})
	}
	if ix := l.table.global(l.index); ix != nil {
		return d.answer(l.table, ix, answer)
	}
	return answer
}
