package keys

import (
	"cmp"
	"strings"
)

// Tenant returns the prefix of the tenant with the name. The error is an InputError: the name is empty, longer than
// MaxTenantBytes, or contains what a value in a key must not contain. Two tenants have different prefixes, and neither
// begins with the other.
func (l *Layout) Tenant(name string) (Tenant, error) {
	delimiter := cmp.Or(l.Delimiter, Delimiter)
	if err := CheckDelimited("tenant", name, delimiter); err != nil {
		return "", err
	}
	if len(name) > MaxTenantBytes {
		return "", InputErrorf("tenant", "tenant is too long: it has at most %d bytes", MaxTenantBytes)
	}
	return l.TenantPrefix(name), nil
}

// TenantPrefix is Tenant for a name that is not checked, such as a variable in a policy.
func (l *Layout) TenantPrefix(name string) Tenant {
	return Tenant(name + cmp.Or(l.Delimiter, Delimiter))
}

// CheckTenant returns an InputError if there can be no tenant with the name: see Tenant.
func (l *Layout) CheckTenant(name string) error {
	_, err := l.Tenant(name)
	return err
}

// CutTenant returns the prefix of the tenant in a stored partition key. It reports whether there is one.
func (l *Layout) CutTenant(stored PK) (Tenant, bool) {
	name, _, found := strings.Cut(string(stored), cmp.Or(l.Delimiter, Delimiter))
	if !found {
		return "", false
	}
	tenant, err := l.Tenant(name)
	return tenant, err == nil
}

// TenantName returns the name of the tenant with the prefix.
func (l *Layout) TenantName(t Tenant) string {
	return strings.TrimSuffix(string(t), cmp.Or(l.Delimiter, Delimiter))
}
