package keys

import (
	"cmp"
	"fmt"
	"strings"
)

// MaxTenantBytes is the length of the longest tenant in UTF-8 bytes. The items of a tenant are longer by it, once for
// each partition key.
const MaxTenantBytes = 64

// Tenant is what precedes the partition keys of one tenant in a table with tenants, those of indexes included: the
// tenant's name and the delimiter. A Design has keys without it. The zero Tenant is that of a table without tenants.
type Tenant string

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

// otherTenant begins a partition key that is not one of the tenant. No value of a key may contain it.
const otherTenant = "\x00"

// Add returns a partition key as it is stored.
func (t Tenant) Add(pk PK) PK { return PK(t) + pk }

// Cut returns a stored partition key without the tenant. A key of another tenant, or of none, becomes one that no
// template has.
func (t Tenant) Cut(stored PK) PK {
	if own, is := strings.CutPrefix(string(stored), string(t)); is {
		return PK(own)
	}
	return otherTenant + stored
}

// Restore returns the stored partition key that Cut was called with. It is only for comparisons with what was read and
// for positions in a partition of the tenant: nothing is read or written under the key.
func (t Tenant) Restore(pk PK) PK {
	if t != "" && IsOfOtherTenant(pk) {
		return pk[len(otherTenant):]
	}
	return t.Add(pk)
}

// IsOfOtherTenant reports whether a key that Cut has returned is not one of the tenant.
func IsOfOtherTenant(pk PK) bool { return strings.HasPrefix(string(pk), otherTenant) }

// CheckPK returns an InputError if a partition key has too many bytes with the tenant.
func (t Tenant) CheckPK(pk PK) error {
	if len(t)+len(pk) > MaxPKBytes {
		return &InputError{Message: fmt.Sprintf(
			"the values are too long together: a partition key holds at most %d bytes, %d of them for the tenant",
			MaxPKBytes, len(t))}
	}
	return nil
}
