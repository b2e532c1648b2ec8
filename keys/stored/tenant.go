package stored

import (
	"cmp"
	"strings"

	"github.com/partita/partita/keys"
)

// Tenant returns the prefix of the tenant with the name. The error is an InputError: the name is empty, longer than
// MaxTenantBytes, or contains what a value in a key must not contain. Two tenants have different prefixes, and neither
// begins with the other.
func (l *Layout) Tenant(name string) (keys.Tenant, error) {
	delimiter := cmp.Or(l.Delimiter, keys.Delimiter)
	if err := keys.CheckDelimited("tenant", name, delimiter); err != nil {
		return "", err
	}
	if len(name) > keys.MaxTenantBytes {
		return "", keys.InputErrorf("tenant", "tenant is too long: it has at most %d bytes", keys.MaxTenantBytes)
	}
	return l.TenantPrefix(name), nil
}

// TenantPrefix is Tenant for a name that is not checked, such as a variable in a policy.
func (l *Layout) TenantPrefix(name string) keys.Tenant {
	return keys.Tenant(name + cmp.Or(l.Delimiter, keys.Delimiter))
}

// CheckTenant returns an InputError if there can be no tenant with the name: see Tenant.
func (l *Layout) CheckTenant(name string) error {
	_, err := l.Tenant(name)
	return err
}

// CutTenant returns the prefix of the tenant in a stored partition key. It reports whether there is one.
func (l *Layout) CutTenant(stored keys.PK) (keys.Tenant, bool) {
	name, _, found := strings.Cut(string(stored), cmp.Or(l.Delimiter, keys.Delimiter))
	if !found {
		return "", false
	}
	tenant, err := l.Tenant(name)
	return tenant, err == nil
}

// TenantName returns the name of the tenant with the prefix.
func (l *Layout) TenantName(t keys.Tenant) string {
	return strings.TrimSuffix(string(t), cmp.Or(l.Delimiter, keys.Delimiter))
}
