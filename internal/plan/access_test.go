package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plantest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// TestAccess compares what is decided about the first field of an operation before anything is read: whether the field
// may be read, and its objects. Ada is the owner of what has her id in its key.
func TestAccess(t *testing.T) {
	anonymous, ada, other, librarian := testservice.Anonymous, testservice.Ada, testservice.Other, testservice.Librarian
	viewers := []struct {
		name string
		*viewer.Viewer
	}{
		{"anonymous", &anonymous}, {"ada", &ada}, {"other", &other}, {"librarian", &librarian},
	}
	decisions := map[plan.Decision]string{plan.Deny: "deny", plan.Unknown: "unknown", plan.Allow: "allow"}
	plantest.Cases(t, "testdata/access", func(t *testing.T, d *datadriven.TestData, schema *plan.Schema) string {
		p := plantest.Bind(t, d, schema).Plan
		first := p.Operation.SelectionSet[0].(*ast.Field)
		read, arguments := schema.Design.MustField(first.ObjectDefinition.Name, first.Name), first.ArgumentMap(nil)
		var text strings.Builder
		for _, v := range viewers {
			c, err := read.Bind(func(name string) keys.Value {
				if a := read.Argument(name); a != nil {
					return keys.ArgumentValue(*a, arguments[name])
				}
				return keys.ViewerValue(testservice.Ada.ID)
			}).Condition()
			b := p.Bind(nil, v.Viewer, false)
			field := "ok"
			if err := b.Authorize(&c, err); err != nil {
				field = err.Error()
			}
			fmt.Fprintf(&text, "%s: %s; objects: %s\n", v.name, field, decisions[b.DecideObjects(&c)])
		}
		return text.String()
	})
}
