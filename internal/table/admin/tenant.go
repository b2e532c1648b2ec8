package admin

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/attribute"
)

// tenantOf returns the tenant of a context's requests; the zero Tenant if there is none. Its error is an *exit.Error.
func tenantOf(ctx context.Context, t *table.Table) (keys.Tenant, error) {
	name := request.TenantOf(ctx)
	if name == "" {
		return "", nil
	}
	if !t.Schema().Tenants {
		return "", &exit.Error{
			Problem: fmt.Sprintf("table %q has no tenants", t.Name()),
			Fix:     "set TENANT_CLAIM as for the gateway, or name no tenant", Code: exit.Config,
		}
	}
	tenant, err := t.Schema().Layout().Tenant(name)
	if err != nil {
		return "", &exit.Error{
			Problem: fmt.Sprintf("%q cannot be the name of a tenant (%v)", name, err),
			Fix:     "name another one", Code: exit.Config, Err: err,
		}
	}
	return tenant, nil
}

var errItemWithoutTenant = errors.New(
	"no tenant precedes the partition key; name the tenant of all items, with --tenant")

// toTenant returns the attributes of an item as they are stored, in a table with tenants: with the tenant, or with the
// one that they have already if none is given.
func toTenant(
	s table.Schema, tenant keys.Tenant, attributes map[string]types.AttributeValue,
) (map[string]types.AttributeValue, error) {
	if !s.Tenants {
		return attributes, nil
	}
	stored := attribute.ToItems([]map[string]types.AttributeValue{attributes})[0]
	if tenant != "" {
		return attribute.FromItem(s.ToTenant(tenant, stored)), nil
	}
	if _, found := s.TenantOf(stored); !found {
		return nil, errItemWithoutTenant
	}
	return attributes, nil
}

// fromTenant returns the attributes of a stored item without the tenant. It reports whether the item is one of the
// tenant.
func fromTenant(
	s table.Schema, tenant keys.Tenant, attributes map[string]types.AttributeValue,
) (map[string]types.AttributeValue, bool) {
	if tenant == "" {
		return attributes, true
	}
	items := attribute.ToItems([]map[string]types.AttributeValue{attributes})
	if own, found := s.TenantOf(items[0]); !found || own != tenant {
		return nil, false
	}
	s.FromTenant(tenant, items)
	return attribute.FromItem(items[0]), true
}

// storedItem returns the attributes of an item of the engine as they are stored.
func storedItem(s table.Schema, tenant keys.Tenant, it item.Item) map[string]types.AttributeValue {
	return attribute.FromItem(s.ToTenant(tenant, s.Design.ToStored(it)))
}
