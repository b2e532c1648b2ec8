package table

import (
	"errors"
	"fmt"
	"slices"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
)

// ErrNoTenant is the error of a request to a table with tenants whose context has no valid tenant: see
// request.WithTenant. Nothing is sent.
var ErrNoTenant = errors.New("table: the request has no tenant")

// TenantOf returns the tenant of a stored item. It reports whether the item has one: a key that is that of a type as it
// is has none.
func (s Schema) TenantOf(stored item.Item) (keys.Tenant, bool) {
	layout := s.Layout()
	key := layout.KeyOf(stored)
	tenant, found := layout.CutTenant(key.PK)
	if !found || s.Design == nil {
		return tenant, found
	}
	own := keys.Key{PK: tenant.Cut(key.PK), SK: key.SK}
	return tenant, s.Design.TypeOf(own) != nil || s.Design.TypeOf(key) == nil
}

// FromTenant removes the prefix of the tenant from each partition key of stored items, in place. If the item of an
// entry in an index is not one of the tenant, nothing but its keys is left: it is damage, and nobody may see its
// content.
func (s Schema) FromTenant(tenant keys.Tenant, stored []item.Item) {
	if tenant == "" {
		return
	}
	names, pk := s.names(), s.Layout().PK
	for i, it := range stored {
		isOther := false
		for j := range it {
			a := &it[j]
			if a.Value.Kind != item.String || !names.isPartition(a.Name) {
				continue
			}
			cut := tenant.Cut(keys.PK(a.Value.Text))
			a.Value.Text = string(cut)
			isOther = isOther || pk.Has(a.Name) && keys.IsOfOtherTenant(cut)
		}
		if isOther {
			stored[i] = slices.DeleteFunc(it, func(a item.Attribute) bool { return !slices.Contains(names.all, a.Name) })
		}
	}
}

// fromTenant translates the result of a read.
func (s Schema) fromTenant(tenant keys.Tenant, result *request.Result) {
	if tenant == "" {
		return
	}
	s.FromTenant(tenant, result.Items)
	for i := range result.Unprocessed {
		result.Unprocessed[i].PK = tenant.Cut(result.Unprocessed[i].PK)
	}
	if base := &result.Last.Base; base.PK != "" {
		base.PK = tenant.Cut(base.PK)
	}
}

// Check returns a *exit.Error if the table shall have tenants, and no tenant can precede all partition keys.
func (s Schema) Check() error {
	if !s.Tenants || s.Design == nil {
		return nil
	}
	layout := s.Layout()
	if pk := layout.PK[0]; pk.Number {
		return &exit.Error{
			Problem: fmt.Sprintf("no tenant can precede the partition key %s of the table: it is a Number", pk.Name),
			Fix:     "leave out TENANT_CLAIM, or serve a table whose partition key is a String", Code: exit.Config,
		}
	}
	for _, name := range s.Indexes {
		ix := layout.Index(name)
		switch first := ix.PK[0]; {
		case first.Number:
			return noTenants(s.typeIn(name), ix, "is a Number")
		case layout.SK.Has(first.Name):
			return noTenants(s.typeIn(name), ix, "is the sort key of the table")
		}
		for _, t := range s.Design.Types {
			for _, a := range t.Attributes {
				if name := ix.PK[0].Name; a.StoredName() == name && !layout.PK.Has(name) {
					return noTenants(t.Name, ix, "is the field "+t.Name+"."+a.Name)
				}
			}
		}
	}
	return nil
}

// typeIn returns a type with entries in an index.
func (s Schema) typeIn(index string) string {
	for _, t := range s.Design.Types {
		if slices.ContainsFunc(t.Indexes, func(ix design.Index) bool { return ix.Name == index }) {
			return t.Name
		}
	}
	return ""
}

func noTenants(typeName string, ix stored.IndexLayout, is string) error {
	return &exit.Error{
		Problem: fmt.Sprintf("no tenant can precede the partition key %s of the index %s, which has entries of the type %s: "+
			"it %s", ix.PK[0].Name, ix.Name, typeName, is),
		Fix: fmt.Sprintf("give the index a String attribute of its own as its partition key in @table(indexes:), "+
			"such as pk: \"%sPK\", or leave out TENANT_CLAIM", ix.Name),
		Code: exit.Config,
	}
}
