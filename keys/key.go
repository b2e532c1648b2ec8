package keys

import (
	"slices"

	"github.com/partita/partita/item"
)

// PK is the value of a partition key, of the table or of an index.
type PK string

// SK is the value of a sort key, of the table or of an index.
type SK string

// Key is the primary key of one item of the table: two texts, whatever the types of its attributes are (see KeyNumber).
// SK is "" in a table without a sort key.
type Key struct {
	PK PK
	SK SK
}

// KeyOf returns the primary key of a stored item.
func KeyOf(it item.Item) Key {
	return Key{PK: PK(it.Text(AttributePK)), SK: SK(it.Text(AttributeSK))}
}

// Item returns the key as the attributes of an item of a Design. Those in the table are Layout.StoredKey.
func (k Key) Item() item.Item { return k.AppendTo(make(item.Item, 0, 2)) }

// AppendTo appends the attributes that Item returns to an item.
func (k Key) AppendTo(it item.Item) item.Item {
	it = append(it, item.Attribute{Name: AttributePK, Value: item.TextValue(k.PK)})
	if k.SK != "" {
		it = append(it, item.Attribute{Name: AttributeSK, Value: item.TextValue(k.SK)})
	}
	return it
}

// Attribute names of the table's primary key.
const (
	AttributePK = "PK"
	AttributeSK = "SK"
)

// AttributeExpiry is the attribute with the time after which DynamoDB deletes an item, in seconds
// since 1970, if no type of the design has another one. Items without it do not expire.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-before-you-start.html
const AttributeExpiry = "expiresAt"

// AttributeDeletedAt is the attribute of a tombstone with the time of the soft delete, as
// item.TimeValue returns it. A tombstone is read as if it did not exist, until everything that
// depends on it is deleted, which may be more than one transaction can delete.
const AttributeDeletedAt = "deletedAt"

// IsDeleted reports whether an item is a tombstone.
func IsDeleted(it item.Item) bool {
	_, deleted := it.Get(AttributeDeletedAt)
	return deleted
}

// MaxPKBytes and MaxSKBytes are DynamoDB's limits for a key value in UTF-8 bytes.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
const (
	MaxPKBytes = 2048
	MaxSKBytes = 1024
)

// IndexPK returns the partition key attribute of an index, or of the table for "".
func IndexPK(index string) string { return index + AttributePK }

// IndexSK returns the sort key attribute of an index, or of the table for "".
func IndexSK(index string) string { return index + AttributeSK }

// Check returns an InputError if the key is longer than DynamoDB allows.
func (pk PK) Check() error {
	if len(pk) > MaxPKBytes {
		return InputErrorf("", "the values are too long together: a partition key holds at most %d bytes", MaxPKBytes)
	}
	return nil
}

// Check returns an InputError if the key is longer than DynamoDB allows.
func (sk SK) Check() error {
	if len(sk) > MaxSKBytes {
		return InputErrorf("", "the values are too long together: a sort key holds at most %d bytes", MaxSKBytes)
	}
	return nil
}

// MaxPage is how many items a page of a collection may have, and how many ids one field may have.
const MaxPage = 100

// Position is the position of an item in a range of one partition. The zero value is the beginning
// of the range.
type Position struct {
	// SK is the item's sort key in the table or the index.
	SK SK
	// Base is the item's primary key if the range is one of an index, because sort keys need not be
	// unique there. In the table it is zero.
	Base Key
}

// IsZero reports whether the Position is the beginning of a range.
func (p Position) IsZero() bool { return p == Position{} }

// attributeEntry marks an entry of an index. It is no name of a field.
const attributeEntry = "=="

// Entry returns an entry of a projected index as an item that lacks attributes: see IsKeyOnly.
func Entry(it item.Item) item.Item {
	mark := item.Attribute{Name: attributeEntry, Value: item.Value{Kind: item.Bool, Text: "true"}}
	return append(slices.Clip(it), mark)
}

// IsEntry reports whether the item is one from Entry.
func IsEntry(it item.Item) bool {
	_, marked := it.Find(attributeEntry)
	return marked
}

// IsEntryMark reports whether an attribute is the one that Entry adds.
func IsEntryMark(name string) bool { return name == attributeEntry }

// IsKeyOnly reports whether the item lacks attributes: it has key-only attributes alone, as a Condition's KeyOnly has,
// and no PK; or it is an Entry.
func IsKeyOnly(it item.Item) bool {
	_, whole := it.Get(AttributePK)
	return !whole || IsEntry(it)
}
