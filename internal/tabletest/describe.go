package tabletest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

type attributes map[string]value

// value is a String or a Number.
type value struct{ S, N string }

// visible writes the characters that end a range as Go does.
var visible = strings.NewReplacer("\x00", `\x00`, "\U0010FFFF", `\U0010FFFF`)

func (v value) text() string { return v.S + v.N }

func (a attributes) key(l *stored.Layout) string {
	pk := a[l.PK.String()].text()
	if !l.HasSortKey() {
		return pk
	}
	return pk + " " + a[l.SK.String()].text()
}

// body is what the Proxy reads of requests.
type body struct {
	transactItem
	RequestItems              map[string]json.RawMessage
	TransactItems             []map[string]transactItem
	IndexName                 string
	KeyConditionExpression    string
	ExpressionAttributeNames  map[string]string
	ExpressionAttributeValues attributes
	ExclusiveStartKey         attributes
	ScanIndexForward          *bool
	ConsistentRead            bool
	Limit                     int
}

type keysAndAttributes struct {
	Keys                     []json.RawMessage
	ConsistentRead           bool            `json:",omitempty"`
	ProjectionExpression     string          `json:",omitempty"`
	ExpressionAttributeNames json.RawMessage `json:",omitempty"`
}

// transactItem is the body of an action, under the action's name.
type transactItem struct {
	Key  attributes
	Item attributes
}

var placeholder = regexp.MustCompile(`[#:][A-Za-z0-9_]+`)

// describe returns the request in one line, for a table with the layout.
func describe(l *stored.Layout, operation string, text []byte) string {
	var b body
	if err := json.Unmarshal(text, &b); err != nil {
		return operation + " with a malformed body"
	}
	parts := []string{operation}
	switch operation {
	case "GetItem", "PutItem", "UpdateItem", "DeleteItem":
		parts[0] += " " + b.transactItem.key(l)
	case "Query":
		parts = describeQuery(l, b)
	case "BatchGetItem":
		for _, raw := range b.RequestItems {
			var request keysAndAttributes
			if err := json.Unmarshal(raw, &request); err != nil {
				continue
			}
			b.ConsistentRead = request.ConsistentRead
			wanted := make([]string, len(request.Keys))
			for i, k := range request.Keys {
				wanted[i] = describeKey(l, k)
			}
			parts[0] += " " + strings.Join(wanted, ", ")
		}
	case "TransactWriteItems":
		parts[0] += " " + describeTransaction(l, b)
	case "BatchWriteItem":
		for _, raw := range b.RequestItems {
			var writes []json.RawMessage
			if err := json.Unmarshal(raw, &writes); err == nil {
				parts[0] += fmt.Sprintf(" of %d", len(writes))
			}
		}
	}
	if b.ConsistentRead {
		parts = append(parts, "consistent")
	}
	return visible.Replace(strings.Join(parts, ", "))
}

func describeTransaction(l *stored.Layout, b body) string {
	actions := make([]string, 0, len(b.TransactItems))
	for _, one := range b.TransactItems {
		for name, action := range one {
			actions = append(actions, name+" "+action.key(l))
		}
	}
	return strings.Join(actions, ", ")
}

// transactionKeys returns the keys of the items that a transaction, or a single write, is on.
func transactionKeys(l *stored.Layout, b body) []string {
	if b.TransactItems == nil {
		return []string{b.transactItem.key(l)}
	}
	var all []string
	for _, one := range b.TransactItems {
		for _, action := range one {
			all = append(all, action.key(l))
		}
	}
	return all
}

func (a transactItem) key(l *stored.Layout) string {
	if a.Key != nil {
		return a.Key.key(l)
	}
	return a.Item.key(l)
}

func describeKey(l *stored.Layout, raw []byte) string {
	var k attributes
	if json.Unmarshal(raw, &k) != nil {
		return "malformed key"
	}
	return k.key(l)
}

func describeQuery(l *stored.Layout, b body) []string {
	head := "Query "
	if b.IndexName != "" {
		head += b.IndexName + ": "
	}
	// An AND before a name joins conditions, another one belongs to BETWEEN. The range of all sort keys with a prefix is
	// written as begins_with.
	condition := strings.ReplaceAll(b.KeyConditionExpression, " AND #", ", #")
	if from := b.ExpressionAttributeValues[":from"].S; from != "" &&
		string(keys.EndOf(keys.SK(from))) == b.ExpressionAttributeValues[":to"].S {
		condition = strings.Replace(condition, "#s BETWEEN :from AND :to", "begins_with(#s, :from)", 1)
	}
	condition = placeholder.ReplaceAllStringFunc(condition, func(p string) string {
		if name, ok := b.ExpressionAttributeNames[p]; ok {
			return name
		}
		return b.ExpressionAttributeValues[p].text()
	})
	parts := []string{head + condition}
	if b.ScanIndexForward != nil && !*b.ScanIndexForward {
		parts = append(parts, "descending")
	}
	if b.Limit > 0 {
		parts = append(parts, fmt.Sprintf("limit %d", b.Limit))
	}
	switch start, index := b.ExclusiveStartKey, l.Index(b.IndexName); {
	case len(start) > 0 && b.IndexName != "" && len(index.SK) == 0:
		parts = append(parts, "after "+start.key(l))
	case len(start) > 0 && b.IndexName != "":
		var texts []string
		for _, a := range index.SK {
			texts = append(texts, start[a.Name].text())
		}
		parts = append(parts, fmt.Sprintf("after %s of %s", strings.Join(texts, ", "), start.key(l)))
	case len(start) > 0:
		parts = append(parts, "after "+start[l.SK.String()].text())
	}
	return parts
}
