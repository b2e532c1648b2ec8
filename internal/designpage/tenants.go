package designpage

import (
	"slices"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/keys"
)

// exampleTenant is whose items the pictures show in a table with tenants.
const exampleTenant = "acme"

// drawTenant puts the tenant in front of the partition keys of pictures, as the table does.
func drawTenant(s *directives.Schema, pictures []Picture) keys.Tenant {
	tenant := s.Layout.TenantPrefix(exampleTenant)
	var names []string
	for _, p := range pictures {
		ix := s.Layout.Index(p.Name)
		names = append(names, ix.PK[0].Name)
	}
	for _, p := range pictures {
		for i := range p.Partitions {
			p.Partitions[i].Tenant = tenant
		}
	}
	for _, r := range rowsOf(pictures) {
		for i := range r.Attributes {
			if a := &r.Attributes[i]; slices.Contains(names, a.Name) {
				a.Text = string(tenant) + a.Text
			}
		}
	}
	return tenant
}
