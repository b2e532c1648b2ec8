package stored

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// The reserved items belong to the table itself: to no type and no tenant, and they are in no index. They are numbered.
// The first ones are leases, which say which replica reads the stream of the table, and how far: see package
// live/stream, which also has the last one: the replicas that divide the stream. The others are the record of the
// table's design, its replicas, and its migration: see package migrate/record. The record and the migration have
// partition keys of their own, because replicas only read them: a policy can allow a session of a tenant to join the
// others, and not to change the design.

// LeasePK is the stored partition key of the reserved items that replicas write, in a table with two texts as its key,
// and DesignPK that of the record and the migration; for any table there are Layout.LeaseKey, ReadersKey, RecordKey,
// ReplicasKey and MigrationKey.
const (
	LeasePK  = "PARTITA#LIVE"
	DesignPK = "PARTITA#DESIGN"
)

// reservedSKs are the sort keys of the reserved items where those are texts.
var reservedSKs = [...]string{"LEASE#0", "LEASE#1", recordItem: "DESIGN", replicasItem: "REPLICAS",
	migrationItem: "MIGRATION", readersItem: "READERS"}

// The numbers of the reserved items behind the leases.
const (
	recordItem = iota + MaxLeases
	replicasItem
	migrationItem
	readersItem
)

// reservedNumber is the Number that reserved items have as their partition key where a text is impossible: minus 38
// nines, the smallest whole number that DynamoDB represents without an exponent. The record and the migration have an 8
// as the last digit but one.
const reservedNumber = "-99999999999999999999999999999999999999"

// MaxLeases is how many leases a table has at most: Amazon DynamoDB allows two readers for each shard.
const MaxLeases = 2

// LeaseKey returns the key of a lease. They are numbered from 0.
func (l *Layout) LeaseKey(number int) keys.Key { return l.reservedKey(number) }

// ReadersKey returns the key of the item of the replicas that divide the shards of the stream.
func (l *Layout) ReadersKey() keys.Key { return l.reservedKey(readersItem) }

// RecordKey returns the key of the record of the table's design.
func (l *Layout) RecordKey() keys.Key { return l.reservedKey(recordItem) }

// ReplicasKey returns the key of the item in which replicas are registered.
func (l *Layout) ReplicasKey() keys.Key { return l.reservedKey(replicasItem) }

// MigrationKey returns the key of the item by which only one process carries out a migration.
func (l *Layout) MigrationKey() keys.Key { return l.reservedKey(migrationItem) }

// reservedKey returns the key of a reserved item. Without a sort key the number is part of the partition key, and a
// Number as the sort key is the number itself.
func (l *Layout) reservedKey(number int) keys.Key {
	k := keys.Key{PK: l.reservedPK(number)}
	switch digits := strconv.Itoa(number); {
	case l.SK.HasNumber():
		k.SK = keys.SK(numberText(digits))
	case l.HasSortKey():
		k.SK = keys.SK(reservedSKs[number])
	}
	return k
}

func (l *Layout) reservedPK(number int) keys.PK {
	text, tens, digit := LeasePK, "9", strconv.Itoa(9)
	if isOfDesign(number) {
		text, tens = DesignPK, "8"
	}
	if !l.HasSortKey() {
		text, digit = text+"#"+strconv.Itoa(number), strconv.Itoa(9-number)
	}
	if l.PK.HasNumber() {
		return keys.PK(numberText(reservedNumber[:len(reservedNumber)-2] + tens + digit))
	}
	return keys.PK(text)
}

// isOfDesign reports whether a reserved item is written by migrations alone.
func isOfDesign(number int) bool { return number == recordItem || number == migrationItem }

// numberText is TextOfNumber of a whole number.
func numberText(digits string) string {
	text, _ := keys.TextOfNumber(digits)
	return text
}

// ReservedPKs returns the partition keys of the reserved items: those that replicas write, and those that they read.
func (l *Layout) ReservedPKs() (written, read []keys.PK) {
	for number := range reservedSKs {
		if pk := l.reservedPK(number); isOfDesign(number) {
			read = append(read, pk)
		} else {
			written = append(written, pk)
		}
	}
	return slices.Compact(written), slices.Compact(read)
}

// IsReservedPK reports whether a stored partition key is one of ReservedPKs. Nothing that reads the table for its
// objects returns items with such a key, and no object can have it.
func (l *Layout) IsReservedPK(pk keys.PK) bool {
	for number := range reservedSKs {
		if pk == l.reservedPK(number) {
			return true
		}
	}
	return false
}

// IsReserved is IsReservedPK for a stored item.
func (l *Layout) IsReserved(stored item.Item) bool { return l.IsReservedPK(keys.PK(l.PK.Text(stored))) }

// IsReservedOfAny reports whether an item has the values of the key of a reserved item, in a table whose keys may have
// any names and types.
func IsReservedOfAny(stored item.Item) bool {
	has := func(want item.Attribute) bool {
		return slices.ContainsFunc(stored, func(a item.Attribute) bool { return a.Value.Equal(want.Value) })
	}
	return slices.ContainsFunc(reservedOfAny(), func(key item.Item) bool {
		return !slices.ContainsFunc(key, func(a item.Attribute) bool { return !has(a) })
	})
}

// reservedOfAny returns the keys of reserved items in tables with each type of keys. Every item of an export is
// compared with them.
var reservedOfAny = sync.OnceValue(func() (all []item.Item) {
	kinds := [...]keys.KeyAttribute{{}, {Number: true}}
	for _, pk := range kinds {
		for _, sk := range kinds {
			for _, l := range [...]Layout{{PK: keys.KeyAttributes{pk}, SK: keys.KeyAttributes{sk}},
				{PK: keys.KeyAttributes{pk}}} {
				for number := range reservedSKs {
					all = append(all, l.StoredKey(l.reservedKey(number)))
				}
			}
		}
	}
	return all
})

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
