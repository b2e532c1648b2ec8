package item_test

import (
	"fmt"

	"github.com/partita/partita/item"
)

type task struct {
	Title    string
	Number   int
	Assignee *string
}

// newTask fills a model as generated code does.
func newTask(it item.Item) (*task, error) {
	d := item.Decoder{Item: it}
	t := &task{
		Title:    item.Required(&d, "title", item.AsString),
		Number:   item.Required(&d, "number", item.AsInt),
		Assignee: item.Optional(&d, "assignee", item.AsString),
	}
	return t, d.Err(t)
}

// What is stored becomes a model. An attribute that does not fit costs only its own field.
func Example() {
	stored := item.Item{
		{Name: "title", Value: item.StringValue("Pack")},
		{Name: "number", Value: item.NumberValue(2)},
	}
	t, err := newTask(stored)
	fmt.Println(t.Title, t.Number, t.Assignee == nil, err)

	stored[1].Value = item.StringValue("two")
	t, err = newTask(stored)
	fmt.Println(t.Title, t.Number, err != nil)
	// Output:
	// Pack 2 true <nil>
	// Pack 0 true
}
