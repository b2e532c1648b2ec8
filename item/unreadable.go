package item

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// UnreadableError is the error of an item from which a model could not be filled as a whole, or which has contested
// attributes, which the model has as the others: the other fields of the model are filled.
type UnreadableError struct{ Models []Unreadable }

// Unreadable is a model whose Fields are zero because their attributes could not be read.
type Unreadable struct {
	// Model is the pointer to the model.
	Model any
	// Item is the item that has the attributes, and Path the names of the attributes in which the model is stored there:
	// none for the model of the item.
	Item   Item
	Path   []string
	Fields []UnreadableField
}

// UnreadableField is an attribute that could not be read. Err has no value of the item.
type UnreadableField struct {
	Name string
	Err  error
}

// Error returns the first attribute that could not be read, for the log.
func (e *UnreadableError) Error() string {
	m := e.Models[0]
	if len(m.Fields) == 0 {
		return fmt.Sprintf("item: %s: attributes differ from the key", m.Item.Type())
	}
	name := strings.Join(append(slices.Clone(m.Path), m.Fields[0].Name), ".")
	if t := m.Item.Type(); t != "" {
		name = t + "." + name
	}
	return fmt.Sprintf("item: %s: %v", name, m.Fields[0].Err)
}

// JoinUnreadable returns the error of what is filled by several functions: an UnreadableError of all their models, or
// another error. Either may be nil.
func JoinUnreadable(a, b error) error {
	first, isFirst := errors.AsType[*UnreadableError](a)
	second, isSecond := errors.AsType[*UnreadableError](b)
	switch {
	case a != nil && !isFirst, b == nil:
		return a
	case a == nil, !isSecond:
		return b
	default:
		return &UnreadableError{append(slices.Clip(first.Models), second.Models...)}
	}
}

func isUnreadable(err error) bool {
	_, is := errors.AsType[*UnreadableError](err)
	return is
}
