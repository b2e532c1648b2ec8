package write_test

import (
	"fmt"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// A mutation creates all items of an object and counts it, in one transaction. In a resolver, Commit sends it.
func Example() {
	tasks := design.MustDesign(nil, []*design.Type{{
		Name: "Task", Identity: []string{"projectId", "number"}, MaxBytes: 1024,
		Attributes: []design.Attribute{
			{Name: "projectId", Kind: keys.IDKind, Ref: "Project"}, {Name: "number", Kind: keys.Int},
			{Name: "assignee", Kind: keys.String},
		},
		Item: keys.Shape{PK: keys.MustTemplate("PROJECT#{projectId}"), SK: keys.MustTemplate("TASK#{number:05}")},
		Copies: []design.Copy{{Shape: keys.Shape{
			PK: keys.MustTemplate("ASSIGNEE#{assignee}"), SK: keys.MustTemplate("{projectId}#{number:05}"),
		}}},
	}}, nil)
	stored, err := write.Items(tasks.Type("Task"), item.Item{
		{Name: "projectId", Value: keys.IDAttribute(keys.NewID("Project", "p1"))},
		{Name: "number", Value: item.NumberValue(2)},
		{Name: "assignee", Value: item.StringValue("ada")},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var tx write.Transaction
	tx.Add("project", write.Count(keys.Key{PK: "PROJECT#p1", SK: "PROJECT#p1"}, "taskCount", 1))
	tx.Add("task", write.Create(tasks, stored)...)
	for _, action := range tx.Actions {
		fmt.Println(action.Key.PK, action.Key.SK, len(action.If), "conditions")
	}
	// Output:
	// PROJECT#p1 PROJECT#p1 1 conditions
	// PROJECT#p1 TASK#00002 1 conditions
	// ASSIGNEE#ada p1#00002 0 conditions
}
