package wire

import (
	"strconv"
	"strings"

	"github.com/partita/partita/item"
)

// Write is what is done to one item, in the names and formats of the table.
type Write struct {
	Kind WriteKind
	// Item is the item of a Put, and the key of any other write.
	Item item.Item
	// Condition and Update are expressions, "" for none. Only an Update has one.
	Condition, Update string
	// Names are the attributes that the placeholders #n0, #n1 and so on of the expressions stand for, and Values what :v0,
	// :v1 and so on do.
	Names  []string
	Values []item.Value
}

// AppendSet appends the attributes that the update expression sets, as in "SET #n1 = :v2, #n3 = :v4".
func (w *Write) AppendSet(to item.Item) item.Item {
	for rest := w.Update; ; {
		name, value, more := strings.Cut(rest, " = :v")
		if !more {
			return to
		}
		n, _ := strconv.Atoi(name[strings.LastIndexByte(name, 'n')+1:])
		end := 0
		for end < len(value) && '0' <= value[end] && value[end] <= '9' {
			end++
		}
		v, _ := strconv.Atoi(value[:end])
		to, rest = append(to, item.Attribute{Name: w.Names[n], Value: w.Values[v]}), value[end:]
	}
}

// WriteKind is what a Write does.
type WriteKind uint8

// The kinds of writes. Check writes nothing, and is part of transactions only.
const (
	Put WriteKind = iota
	Update
	Delete
	Check
)

// operation returns that of a write by itself.
func (k WriteKind) operation() operation {
	return [...]operation{putItem, updateItem, deleteItem}[k]
}

// member returns the member of a transaction that the write is.
func (k WriteKind) member() string {
	return [...]string{"Put", "Update", "Delete", "ConditionCheck"}[k]
}
