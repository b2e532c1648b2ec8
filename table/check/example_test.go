package check_test

import (
	"fmt"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/write"
)

// A rule finds what the design cannot know, and what repairs it. `table check` runs those of app.Application.Rules.
func ExampleRule() {
	rule := check.Rule{Type: "Task", Inspect: func(it item.Item, _ check.Reader) []check.Violation {
		if it.Text("title") != "" {
			return nil
		}
		key := keys.KeyOf(it)
		wrong := check.At(key, "TASK_UNTITLED", "the task has no title")
		return []check.Violation{wrong.FixedBy("delete it", write.DeleteItem(key, write.IfExists()))}
	}}
	task := keys.Key{PK: "PROJECT#p1", SK: "TASK#00002"}.Item()
	for _, v := range rule.Inspect(task, nil) {
		fmt.Printf("%s: %s: %s; to repair it, %s\n", v.Where(), v.Kind, v.Problem, v.Fix)
	}
	// Output:
	// PROJECT#p1 TASK#00002: TASK_UNTITLED: the task has no title; to repair it, delete it
}
