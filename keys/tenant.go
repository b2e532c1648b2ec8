package keys

import (
	"fmt"
	"strings"
)

// MaxTenantBytes is the length of the longest tenant in UTF-8 bytes. The items of a tenant are longer by it, once for
// each partition key.
const MaxTenantBytes = 64

// Tenant is what precedes the partition keys of one tenant in a table with tenants, those of indexes included: the
// tenant's name and the delimiter. A Design has keys without it. The zero Tenant is that of a table without tenants.
type Tenant string

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
