package attribute_test

import (
	"encoding/json"
	"fmt"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table/attribute"
)

// A program that writes with the AWS SDK puts all items of an object: that under its own key, and its copies.
func ExampleItemsOf() {
	tasks := design.MustDesign(nil, []*design.Type{{
		Name: "Task", Identity: []string{"id"}, MaxBytes: 1024,
		Attributes: []design.Attribute{{Name: "id", Kind: keys.IDKind, Ref: "Task"}, {Name: "assignee", Kind: keys.String}},
		Item:       keys.Shape{PK: keys.MustTemplate("TASK#{id}"), SK: keys.MustTemplate("TASK#{id}")},
		Copies: []design.Copy{{Shape: keys.Shape{
			PK: keys.MustTemplate("ASSIGNEE#{assignee}"), SK: keys.MustTemplate("TASK#{id}"),
		}}},
	}}, nil)
	items, err := attribute.ItemsOf(tasks, tasks.Type("Task"), item.Item{
		{Name: "id", Value: keys.IDAttribute(keys.NewID("Task", "7"))},
		{Name: "assignee", Value: item.StringValue("ada")},
	})
	fmt.Println(err)
	for _, it := range items { // each is the Item of a types.Put
		text, err := json.Marshal(it["PK"])
		fmt.Println(string(text), len(it), err)
	}
	// Output:
	// <nil>
	// {"Value":"TASK#7"} 5 <nil>
	// {"Value":"ASSIGNEE#ada"} 5 <nil>
}
