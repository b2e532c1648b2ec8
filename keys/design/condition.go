package design

import (
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// BoundField is a field with the values of its variables, from which its Condition is built.
type BoundField struct {
	Field  *Field
	values func(name string) keys.Value
	// now is the end of a range over time buckets that has none.
	now time.Time
	// design and id are set for a field by global ID, which has no variables.
	design *Design
	id     keys.ID
}

// Condition is the key condition of a bound field: one key for a Get; for a Query a range
// of sort keys in one partition, or in the shards or time buckets of one collection. It
// may select nothing: see IsEmpty.
type Condition struct {
	Field *Field
	// Key is the key of a Get.
	Key keys.Key
	// Partitions of a Query, in the order in which equal sort keys are merged.
	Partitions []Partition
	// Prefix begins every sort key of a Query's range. From and To are inclusive
	// bounds inside of it; they are set together or not at all.
	Prefix   keys.SK
	From, To keys.SK
	// Children begins the sort keys of a Tree's range other than Prefix. It is "" for other ranges.
	Children keys.SK
	// buckets are those of a range over time buckets, which copies of the condition share; nil for other conditions.
	buckets *buckets
	// scope is the partition key of the collection without its shard or time bucket: a cursor is valid for one scope of
	// one field only.
	scope string
	// Cursors encrypts the cursors of the range. Without it, everybody can read them.
	Cursors *keys.Cursors
	// Tenant is the tenant whose items are read, "" without tenants. A cursor is valid for one tenant only.
	Tenant string
	// KeyOnly are the key-only attributes of a Get: those that follow from its key without a read,
	// entityType included. It is nil if items of several types can have the key.
	KeyOnly item.Item
	// owner is the value that the field's rule compares with the viewer's id, parentOwner that of its ParentRule. owners
	// are those of the rules of the types that a Query selects.
	owner, parentOwner string
	owners             []owned
	// values are those of the field's variables, for the members of rules; nil if no rule depends on the object.
	values func(name string) keys.Value
	// expected are the values that an item must have to be one that the condition means: see Excludes.
	expected []expected
	// filters select among the items that are read.
	filters []Filter
	// mixed is set for a field by global ID if an item of another type may have the key.
	mixed bool
}

// buckets are the time buckets of a range. They do not change.
type buckets struct {
	// at returns the one of a time.
	at func(time.Time) (Partition, error)
	// oldest is the beginning of the first bucket that there is, and newest that of the last one.
	oldest, newest time.Time
	// noBeginning and noEnd are set for a range without a lower end, and without an upper one.
	noBeginning, noEnd bool
}

// Partition is one partition of a Query. Label identifies it within the Condition: a shard number
// or a time bucket, or "" if the Condition has one partition.
type Partition struct {
	PK    keys.PK
	Label string
}

// IsEmpty reports whether the condition selects nothing, so that the answer is null, or
// an empty collection, without a read: a nullable variable is unset, or a range lies
// between two values.
func (c Condition) IsEmpty() bool { return c.Key == (keys.Key{}) && len(c.Partitions) == 0 }

// owned is the owner of all objects of a type that a condition selects.
type owned struct {
	of *Type
	id string
}

// expected is a value that an attribute must have. With a segment, it is the text of the value in a key.
type expected struct {
	of      *Type
	name    string
	text    string
	segment *keys.Segment
	// place is that of the variable in Field.verified.
	place int
}

// BucketsAtOnce is the maximum number of time buckets that a page reads at the same time.
const BucketsAtOnce = 16

// HasNoBeginning reports whether the range is one over time buckets without a lower end: it can be read from its end or
// from a cursor, but not from its beginning.
func (c *Condition) HasNoBeginning() bool { return c.buckets != nil && c.buckets.noBeginning }

// Chronological reports whether the partitions are time buckets, so that the sort keys of each are
// above those of the previous one.
func (c Condition) Chronological() bool { return c.Field.bucketed != "" }

func (c *Condition) isMixed() bool { return c.Field.mixed || c.mixed }
