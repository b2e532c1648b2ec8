package systems

import (
	"strings"
	"testing"

	"github.com/partita/partita/systems/foreign/billing/graph"
	"github.com/partita/partita/systems/foreign/billing/graph/model"
	"github.com/partita/partita/systems/foreign/billing/resolvers"
	"github.com/partita/partita/systems/foreign/billing/typed"
)

func TestForeignBilling(t *testing.T) {
	f := startForeign(t, "billing", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}),
		typed.Design, billingObject)
	var connections []connection
	for _, tenant := range []string{"acme", "globex", "new"} {
		ofTenant := begins("tenantId", tenant)
		partition := "{ tenant(id: <Tenant:" + tenant + ">) "
		connections = append(connections,
			connection{query: partition + "{ contents(PAGE) SELECTION } }", holds: ofTenant, sortKey: attribute("sk")},
			connection{
				query: partition + "{ invoices(PAGE) SELECTION } }",
				holds: begins("tenantId", tenant, "sk", "INVOICE#"), sortKey: attribute("sk"), descending: true,
			},
			connection{
				query: partition + "{ events(PAGE) SELECTION } }",
				holds: begins("tenantId", tenant, "sk", "EVENT#"), sortKey: attribute("sk"), descending: true,
			},
			connection{
				query: partition + `{ events(at: {from: "2026-03-01T12:00:01Z", to: "2026-03-01T12:03:00Z"}, PAGE) SELECTION } }`,
				holds: func(r raw) bool {
					return ofTenant(r) && "EVENT#2026-03-01T12:00:01" < r.text("sk") && r.text("sk") < "EVENT#2026-03-01T12:03:01"
				},
				sortKey: attribute("sk"), descending: true,
			},
			connection{
				query: partition + "{ members(PAGE) SELECTION } }",
				holds: begins("tenantId", tenant, "sk", "MEMBER#"), sortKey: attribute("role"),
			},
			connection{
				query: partition + "{ members(role: member, PAGE) SELECTION } }",
				holds: begins("tenantId", tenant, "role", "member"), sortKey: attribute("role"),
			})
	}
	isOpen := begins("status", "OPEN")
	f.check(t, append(connections,
		connection{query: "{ openInvoices(PAGE) SELECTION }", holds: isOpen, sortKey: attribute("due")},
		connection{
			query: `{ openInvoices(dueOn: {from: "2026-03-11", to: "2026-03-31"}, PAGE) SELECTION }`,
			holds: func(r raw) bool {
				return isOpen(r) && "2026-03-11" <= r.text("due") && r.text("due") <= "2026-03-31"
			},
			sortKey: attribute("due"),
		})...)
	f.rejected = func(r raw) bool { return strings.Contains(r.text("mail"), "#") }
	f.checkWrites(t,
		writes("Tenant", model.NewTenant, typed.StoredTenant),
		writes("Member", model.NewMember, typed.StoredMember),
		writes("Invoice", model.NewInvoice, typed.StoredInvoice),
		writes("BillingEvent", model.NewBillingEvent, typed.StoredBillingEvent))
}

// billingObject returns the object of an item.
func billingObject(r raw) object {
	tenant := r.text("tenantId")
	o := object{"tenantId": id("Tenant", tenant)}
	switch kind, rest, _ := strings.Cut(r.text("sk"), "#"); kind {
	case "TENANT":
		return object{
			"__typename": "Tenant", "id": id("Tenant", tenant), "name": r.text("company"),
			"invoiceCount": r.number("invoice_count"),
		}
	case "MEMBER":
		o["__typename"], o["id"], o["email"], o["role"] = "Member", id("Member", tenant, rest), rest, r.text("role")
	case "INVOICE":
		number := strings.TrimLeft(rest, "0")
		o["__typename"], o["id"], o["number"] = "Invoice", id("Invoice", tenant, number), float(number)
		o["status"], o["dueOn"], o["total"], o["memo"] = r.text("status"), r.text("due"), r.number("amount"), r.text("memo")
	case "EVENT":
		at, event, _ := strings.Cut(rest, "#")
		o["__typename"], o["id"], o["at"] = "BillingEvent", id("BillingEvent", tenant, utc(at), event), at
		o["eventId"], o["text"] = id("", event), r.text("message")
	default:
		return nil
	}
	return o
}
