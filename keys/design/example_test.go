package design_test

import (
	"fmt"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// A generator writes the design of a schema, and functions that bind the fields. A bound field has the key condition
// that answers it.
func Example() {
	tasks := design.MustDesign(nil,
		[]*design.Type{{
			Name: "Task", Identity: []string{"projectId", "number"},
			Attributes: []design.Attribute{
				{Name: "projectId", Kind: keys.IDKind, Ref: "Project"}, {Name: "number", Kind: keys.Int},
			},
			Item: keys.Shape{PK: keys.MustTemplate("PROJECT#{projectId}"), SK: keys.MustTemplate("TASK#{number:05}")},
		}},
		[]*design.Field{{
			Parent: "Project", Name: "tasks", Kind: design.Query, Result: design.Connection,
			PK: keys.MustTemplate("PROJECT#{id}"), SK: keys.MustTemplate("TASK#"),
		}},
	)
	project := keys.Values{{Name: "id", Value: keys.IDValue(keys.NewID("Project", "p1"))}}
	condition, err := tasks.MustField("Project", "tasks").Bind(project.Get).Condition()
	fmt.Println(condition.Partitions[0].PK, condition.Prefix, err)

	task, err := tasks.Type("Task").Key(keys.Values{
		{Name: "projectId", Value: keys.IDValue(keys.NewID("Project", "p1"))}, {Name: "number", Value: keys.IntValue(2)},
	}.Get)
	fmt.Println(task.PK, task.SK, condition.Contains(task.SK), err)
	// Output:
	// PROJECT#p1 TASK# <nil>
	// PROJECT#p1 TASK#00002 true <nil>
}
