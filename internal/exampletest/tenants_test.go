package exampletest_test

import (
	"errors"
	"testing"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/exampletest"
	"github.com/partita/partita/table"
)

// TestForeignTenants serves each existing table to several tenants, or sees that it cannot have any.
func TestForeignTenants(t *testing.T) {
	cannot := map[string]bool{
		"billing": true, "catalogue": true, "devices": true, "films": true, "organisation": true, "products": true,
		"teams": true,
	}
	for _, e := range exampletest.All(t, "../gen/testdata/foreign") {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			schema := table.SchemaOf(e.Schema.Design)
			schema.Tenants = true
			err := schema.Check()
			if _, is := errors.AsType[*exit.Error](err); is != cannot[e.Name] {
				t.Fatal(err)
			}
			if err != nil {
				return
			}
			data := map[string]string{"zz9": e.Data(t), "zz": ""}
			e.ServeTenants(t, data).Compare(t, data)
		})
	}
}
