package amazon

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/item"
	"github.com/partita/partita/table/attribute"
)

// Ask sends a request to the endpoint. Without an answer, into is left as it is.
type Ask func(operation string, in, into any)

// tableKeys are the keys of a table and its global indexes, as DescribeTable returns them.
type tableKeys struct {
	name    string
	table   keySchema
	indexes []indexKeys
}

type indexKeys struct {
	IndexName  string
	KeySchema  keySchema
	Projection struct{ ProjectionType string }
}

type keySchema []struct{ AttributeName, KeyType string }

// partition returns the text of the partition key in an item; "" if the item has not all attributes of the key.
func (k keySchema) partition(it item.Item) string {
	var texts []string
	for _, part := range k {
		text := it.Text(part.AttributeName)
		if text == "" {
			return ""
		}
		if part.KeyType == "HASH" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\x00")
}

// whole returns the text of all attributes of the key.
func (k keySchema) whole(it item.Item) string {
	texts := make([]string, len(k))
	for i, part := range k {
		texts[i] = it.Text(part.AttributeName)
	}
	return strings.Join(texts, "\x00")
}

// names returns the attributes of the key.
func (k keySchema) names() []string {
	names := make([]string, len(k))
	for i, part := range k {
		names[i] = part.AttributeName
	}
	return names
}

// entry returns what an item is in the index.
func (ix *indexKeys) entry(it item.Item, table keySchema) item.Item {
	if ix.Projection.ProjectionType == "ALL" {
		return it
	}
	var e item.Item
	for _, name := range append(table.names(), ix.KeySchema.names()...) {
		if v, has := it.Get(name); has {
			e = append(e, item.Attribute{Name: name, Value: v})
		}
	}
	return e
}

// items reads items as they are stored, by their keys in DynamoDB's JSON. Keys without an item are missing.
func (t tableKeys) items(ask Ask, all []json.RawMessage) map[string]item.Item {
	var out struct{ Responses map[string][]json.RawMessage }
	ask("BatchGetItem", map[string]any{
		"RequestItems": map[string]any{t.name: map[string]any{"Keys": all, "ConsistentRead": true}},
	}, &out)
	found := map[string]item.Item{}
	for _, raw := range out.Responses[t.name] {
		it := itemOf(raw)
		found[t.table.whole(it)] = it
	}
	return found
}

// tables are the keys of tables, each asked for once. Its methods may be called concurrently.
type tables struct {
	mu     sync.Mutex
	byName map[string]tableKeys
}

func (t *tables) of(ask Ask, name string) tableKeys {
	t.mu.Lock()
	known, is := t.byName[name]
	t.mu.Unlock()
	if is {
		return known
	}
	var description struct {
		Table struct {
			KeySchema              keySchema
			GlobalSecondaryIndexes []indexKeys
		}
	}
	ask("DescribeTable", map[string]any{"TableName": name}, &description)
	known = tableKeys{name, description.Table.KeySchema, description.Table.GlobalSecondaryIndexes}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(known.table) > 0 {
		t.byName[name] = known
	}
	return known
}

// forget is called when a table has changed.
func (t *tables) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byName = map[string]tableKeys{}
}

// itemOf returns the item in DynamoDB's JSON, nil for none.
func itemOf(raw json.RawMessage) item.Item {
	attributes, err := attributevalue.UnmarshalMapJSON(raw)
	if err != nil || len(attributes) == 0 {
		return nil
	}
	return attribute.ToItems([]map[string]types.AttributeValue{attributes})[0]
}

// encoded returns an item in DynamoDB's JSON.
func encoded(it item.Item) json.RawMessage {
	text, err := attributevalue.MarshalMapJSON(attribute.FromItem(it))
	if err != nil {
		panic(err)
	}
	return text
}

// marshal encodes what cannot fail.
func marshal(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// units returns the write units of a change of an item, or of an entry.
func units(before, after item.Item) float64 {
	return float64(capacity.Write(max(before.Size(), after.Size())))
}
