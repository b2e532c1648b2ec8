package stored_test

import (
	"fmt"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

// A design has the names of its table. Without any, they are those of a table that Partita has created.
func Example() {
	existing := &stored.Layout{
		PK: keys.Named("pk"), SK: keys.Named("sk"), Type: "_et", Delimiter: "#",
		Indexes: []stored.IndexLayout{{Name: "byAssignee", PK: keys.Named("assignee"), SK: keys.Named("dueAt")}},
	}
	show := func(l *stored.Layout, index string) {
		ix := l.Index(index)
		fmt.Println(l.PK[0].Name, l.SK[0].Name, l.Type, index, ix.PK[0].Name, ix.SK[0].Name, ix.Projection)
	}
	show(stored.DefaultLayout(), "GSI1")
	show(existing, "byAssignee")
	// Output:
	// PK SK entityType GSI1 GSI1PK GSI1SK ALL
	// pk sk _et byAssignee assignee dueAt ALL
}
