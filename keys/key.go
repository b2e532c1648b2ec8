package keys

// PK is the value of a partition key, of the table or of an index.
type PK string

// SK is the value of a sort key, of the table or of an index.
type SK string

// Key is the primary key of one item of the table.
type Key struct {
	PK PK
	SK SK
}

// Attribute names of the table's primary key.
const (
	AttributePK = "PK"
	AttributeSK = "SK"
)

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
