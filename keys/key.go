package keys

import "github.com/partita/partita/item"

// PK is the value of a partition key, of the table or of an index.
type PK string

// SK is the value of a sort key, of the table or of an index.
type SK string

// Key is the primary key of one item of the table.
type Key struct {
	PK PK
	SK SK
}

// KeyOf is the primary key of a stored item.
func KeyOf(it item.Item) Key {
	return Key{PK: PK(it.Text(AttributePK)), SK: SK(it.Text(AttributeSK))}
}

// Attribute names of the table's primary key.
const (
	AttributePK = "PK"
	AttributeSK = "SK"
)

// AttributeExpiry is the attribute with the time after which DynamoDB deletes an
// item, in seconds since 1970. Items without it stay.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-before-you-start.html
const AttributeExpiry = "expiresAt"

// AttributeDeletedAt marks an item as deleted, with the time of that as
// item.TimeValue gives it. A marked item reads as if it did not exist, while what
// hangs on it is still being removed: more than one transaction can take.
const AttributeDeletedAt = "deletedAt"

// IsDeleted reports whether an item is marked as deleted.
func IsDeleted(it item.Item) bool {
	_, marked := it.Get(AttributeDeletedAt)
	return marked
}

// MaxPKBytes and MaxSKBytes are DynamoDB's limits of a key value in UTF-8 bytes.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
const (
	MaxPKBytes = 2048
	MaxSKBytes = 1024
)

// IndexPK and IndexSK name the key attributes of a global secondary index.
func IndexPK(index string) string { return index + AttributePK }

// IndexSK is the sort key attribute of the index. See IndexPK.
func IndexSK(index string) string { return index + AttributeSK }

// Key is the key of the stored form with these values.
func (s Shape) Key(values func(name string) Value) (Key, error) {
	pk, err := s.PK.Build(values)
	if err != nil {
		return Key{}, err
	}
	sk, err := s.SK.Build(values)
	if err != nil {
		return Key{}, err
	}
	if err := checkPK(PK(pk)); err != nil {
		return Key{}, err
	}
	return Key{PK: PK(pk), SK: SK(sk)}, checkSK(sk)
}

func checkPK(pk PK) error {
	if len(pk) > MaxPKBytes {
		return inputErrorf("", "the values are too long together: a partition key holds at most %d bytes", MaxPKBytes)
	}
	return nil
}

func checkSK(sk string) error {
	if len(sk) > MaxSKBytes {
		return inputErrorf("", "the values are too long together: a sort key holds at most %d bytes", MaxSKBytes)
	}
	return nil
}

// Holds reports whether the key can be that of an item of the shape: it follows
// the templates, and a variable has the same value wherever it stands whole.
func (s Shape) Holds(key Key) bool { return s.holds(key) }
