package systems

import (
	"testing"
	"time"

	"github.com/partita/partita/keys"

	"systems/billing/graph"
	"systems/billing/graph/model"
	"systems/billing/resolvers"
	"systems/billing/typed"
)

func TestBilling(t *testing.T) {
	acme, globex := keys.NewID("Tenant", "acme"), keys.NewID("Tenant", "globex")
	at := time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)
	runQueries(t, "billing", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}), typed.Design,
		storedItems(t, typed.StoredTenant,
			&model.Tenant{ID: acme, Name: "Acme", InvoiceCount: 2},
			&model.Tenant{ID: globex, Name: "Globex", InvoiceCount: 1}),
		storedItems(t, typed.StoredMember,
			&model.Member{TenantID: acme, Email: "ada@acme.example", Role: model.RoleAdmin},
			&model.Member{TenantID: acme, Email: "bob@acme.example", Role: model.RoleUser}),
		storedItems(t, typed.StoredInvoice,
			&model.Invoice{TenantID: acme, Number: 9, Status: model.InvoiceStatusPaid, DueOn: "2026-01-31", Total: 900},
			&model.Invoice{TenantID: acme, Number: 10, Status: model.InvoiceStatusOpen, DueOn: "2026-03-31", Total: 1000},
			&model.Invoice{TenantID: globex, Number: 1, Status: model.InvoiceStatusOpen, DueOn: "2026-02-28", Total: 100}),
		storedItems(t, typed.StoredBillingEvent,
			&model.BillingEvent{TenantID: acme, EventID: keys.NewID("", "e1"), At: at, Text: "signed up"}),
	)
}
