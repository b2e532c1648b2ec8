package main

import (
	"fmt"
	"time"
)

// billing: the partition key is the tenant's ID without a prefix, under the name tenantId. The number of an invoice,
// the time and the ID of an event are only in the sort key. Amounts are texts.
//
// Indexes: tenant.role (tenantId, role), all attributes; status-due.index (status, due), INCLUDE amount.
func billing() []item {
	var items []item
	for i, t := range []struct {
		id, name                  string
		members, invoices, events int
	}{
		{"acme", "Acme", 14, 41, 23}, {"globex", "Globex", 3, 12, 9}, {"initech", "Initech", 7, 8, 15},
		{"new", "New & Co", 1, 0, 0},
	} {
		partition := item{"tenantId": text(t.id)}
		items = append(items, partition.with(item{
			"sk": text("TENANT"), "type": text("TEN"), "company": text(t.name), "invoice_count": number(t.invoices),
		}))
		for n := range t.members {
			mail := fmt.Sprintf("%s@%s.example", names[n%len(names)], t.id)
			if n == 2 {
				mail = fmt.Sprintf("on#call@%s.example", t.id)
			}
			items = append(items, partition.with(item{
				"sk": textf("MEMBER#%s", mail), "type": text("MEM"), "mail": text(mail),
				"role": text([]string{"admin", "member", "guest"}[n%3%(2+i%2)]),
			}))
		}
		for n := 1; n <= t.invoices; n++ {
			due := march.AddDate(0, 0, 10*(n%5))
			items = append(items, partition.with(item{
				"sk": textf("INVOICE#%08d", n*7+i), "type": text("INV"),
				"status": text([]string{"OPEN", "PAID", "OPEN", "VOID"}[n%4]),
				"due":    text(due.Format(time.DateOnly)), "amount": digits(100*n + i), "memo": textf("month %d", n),
			}))
		}
		for n := range t.events {
			at := march.Add(time.Duration(n/3) * 90 * time.Second)
			items = append(items, partition.with(item{
				"sk": textf("EVENT#%s#e%03d", at.Format(time.RFC3339), 100-n), "type": text("EVT"),
				"message": textf("event %d of %s", n, t.id),
			}))
		}
	}
	for _, name := range []string{"2023-11-02_add_status", "2024-01-15_add_due", "2025-06-30_drop_phone"} {
		items = append(items, item{"tenantId": text("_migrations"), "sk": text(name), "done": map[string]any{"BOOL": true}})
	}
	return items
}

var names = []string{
	"ada", "bob", "cleo", "dora", "eve", "finn", "gus",
	"hana", "ivo", "jan", "kim", "lea", "mia", "noa",
}
