package stored

import (
	"slices"
	"strconv"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// A lease is an item that says which replica reads the stream of the table, and how far: see package live/stream.
// Leases belong to no type and to no tenant, and are in no index. LeasePK is their stored partition key in a table with
// two texts as its key, where their sort keys are LEASE#0 and LEASE#1. For any table there is Layout.LeaseKey.
const (
	LeasePK = "PARTITA#LIVE"
	leaseSK = "LEASE#"
)

// leaseNumber is the Number that leases have as their partition key where a text is impossible: minus 38 nines, the
// smallest whole number that DynamoDB represents without an exponent.
const leaseNumber = "-99999999999999999999999999999999999999"

// MaxLeases is how many leases a table has at most: Amazon DynamoDB allows two readers for each shard.
const MaxLeases = 2

// LeaseKey returns the key of a lease. They are numbered from 0. Without a sort key the number is part of the partition
// key, and a Number as the sort key is the number itself.
func (l *Layout) LeaseKey(number int) keys.Key {
	k := keys.Key{PK: l.leasePK(number)}
	switch digits := strconv.Itoa(number); {
	case l.SK.HasNumber():
		k.SK = keys.SK(numberText(digits))
	case l.HasSortKey():
		k.SK = keys.SK(leaseSK + digits)
	}
	return k
}

func (l *Layout) leasePK(number int) keys.PK {
	switch {
	case l.PK.HasNumber() && !l.HasSortKey():
		return keys.PK(numberText(leaseNumber[:len(leaseNumber)-1] + strconv.Itoa(9-number)))
	case l.PK.HasNumber():
		return keys.PK(numberText(leaseNumber))
	case !l.HasSortKey():
		return keys.PK(LeasePK + "#" + strconv.Itoa(number))
	default:
		return LeasePK
	}
}

// numberText is TextOfNumber of a whole number.
func numberText(digits string) string {
	text, _ := keys.TextOfNumber(digits)
	return text
}

// LeasePKs returns the partition keys of the leases.
func (l *Layout) LeasePKs() []keys.PK {
	var all []keys.PK
	for number := range MaxLeases {
		all = append(all, l.leasePK(number))
	}
	return slices.Compact(all)
}

// IsLeasePK reports whether a stored partition key is one of LeasePKs. Nothing that reads the table for its objects
// returns items with such a key, and no object can have it.
func (l *Layout) IsLeasePK(pk keys.PK) bool {
	for number := range MaxLeases {
		if pk == l.leasePK(number) {
			return true
		}
	}
	return false
}

// IsLease is IsLeasePK for a stored item.
func (l *Layout) IsLease(stored item.Item) bool { return l.IsLeasePK(keys.PK(l.PK.Text(stored))) }

// IsLeaseOfAny reports whether an item is a lease, in a table whose keys may have any names and types.
func IsLeaseOfAny(stored item.Item) bool {
	kinds := [...]keys.KeyAttribute{{}, {Number: true}}
	for _, pk := range kinds {
		for _, sk := range kinds {
			for _, l := range [...]Layout{{PK: keys.KeyAttributes{pk}, SK: keys.KeyAttributes{sk}},
				{PK: keys.KeyAttributes{pk}}} {
				if l.hasLease(stored) {
					return true
				}
			}
		}
	}
	return false
}

// hasLease reports whether an item has the values of the key of a lease, whatever their names are.
func (l *Layout) hasLease(stored item.Item) bool {
	has := func(want item.Attribute) bool {
		return slices.ContainsFunc(stored, func(a item.Attribute) bool { return a.Value.Equal(want.Value) })
	}
	for number := range MaxLeases {
		if !slices.ContainsFunc(l.StoredKey(l.LeaseKey(number)), func(a item.Attribute) bool { return !has(a) }) {
			return true
		}
	}
	return false
}
