package tabletest

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Write is an action of a transaction, or a single write, as the Proxy has received it.
type Write struct {
	// Action is Put, Update, Delete or Check.
	Action string
	// Key has the partition key and the sort key, with a space between them.
	Key string
	// Condition has the names of attributes, and values as Go writes them, in place of placeholders; "" for none.
	Condition string
}

// conditional is the condition of an action.
type conditional struct {
	transactItem
	ConditionExpression       string
	ExpressionAttributeNames  map[string]string
	ExpressionAttributeValues map[string]map[string]json.RawMessage
}

// Writes returns the actions of all requests since the start or the latest Reset. It must be called before Log.
func (p *Proxy) Writes() []Write {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []Write
	for _, l := range p.log {
		if !isWrite(l.operation) {
			continue
		}
		var b struct {
			conditional
			TransactItems []map[string]conditional
		}
		if err := json.Unmarshal(l.body, &b); err != nil {
			panic("tabletest: Writes is called after Log: " + err.Error())
		}
		if name, isSingle := strings.CutSuffix(l.operation, "Item"); isSingle {
			all = append(all, Write{name, b.key(p.layout), b.condition()})
		}
		for _, one := range b.TransactItems {
			for name, action := range one {
				all = append(all, Write{strings.TrimPrefix(name, "Condition"), action.key(p.layout), action.condition()})
			}
		}
	}
	return all
}

// condition returns the condition with what its placeholders are.
func (c conditional) condition() string {
	return placeholder.ReplaceAllStringFunc(c.ConditionExpression, func(name string) string {
		if stored, is := c.ExpressionAttributeNames[name]; is {
			return stored
		}
		for kind, raw := range c.ExpressionAttributeValues[name] {
			var text string
			if kind == "N" && json.Unmarshal(raw, &text) == nil {
				return text
			}
			if kind == "S" && json.Unmarshal(raw, &text) == nil {
				return strconv.Quote(text)
			}
			return string(raw)
		}
		return name
	})
}
