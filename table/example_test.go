package table_test

import (
	"errors"
	"fmt"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
)

// A table follows from the design, and settings name it. Open connects to it.
func Example() {
	tasks := design.MustDesign(nil, []*design.Type{{
		Name: "Task", Identity: []string{"id"},
		Item: keys.Shape{PK: keys.MustTemplate("TASK#{id}"), SK: keys.MustTemplate("TASK#{id}")},
		Indexes: []design.Index{{
			Name: "GSI1", Shards: 1,
			Shape: keys.Shape{PK: keys.MustTemplate("ASSIGNEE#{assignee}"), SK: keys.MustTemplate("{dueAt}#{id}")},
		}},
	}}, nil)
	for _, a := range table.SchemaOf(tasks).KeyAttributes() {
		fmt.Println(*a.AttributeName, a.AttributeType)
	}
	if wrong, is := errors.AsType[*exit.Error](table.Settings{TableName: "my tasks"}.Check()); is {
		fmt.Println(wrong.Problem)
	}
	// Output:
	// PK S
	// SK S
	// GSI1PK S
	// GSI1SK S
	// "my tasks" cannot be the name of a DynamoDB table
}
