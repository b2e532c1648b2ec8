package keys

import (
	"slices"

	"github.com/partita/partita/item"
)

// Layout is the names of a table: of its key attributes, of the attribute with the type, and of its
// indexes. A Design has attributes and keys by the names of the default layout, whatever the table's
// are: see Design.FromStored.
type Layout struct {
	// PK and SK are the attributes of the primary key.
	PK, SK string
	// Type is the attribute with the type of an item. With "", types are recognised by their keys.
	Type string
	// Delimiter joins the segments of a key.
	Delimiter string
	// Indexes are the indexes with other names than IndexPK and IndexSK return, or with a projection.
	Indexes []IndexLayout
}

// IndexLayout is the names of one index.
type IndexLayout struct {
	Name string
	// PK and SK are the key attributes; SK is "" in an index without a sort key.
	PK, SK string
	// Projection is which attributes an entry has.
	Projection Projection
	// Include are the stored names of the attributes of an entry besides keys, for Include.
	Include []string
}

// Projection is which attributes of an item its entry in an index has.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.Projections
type Projection uint8

// The projections of DynamoDB: ALL, KEYS_ONLY and INCLUDE.
const (
	All Projection = iota
	KeysOnly
	Include
)

// String returns DynamoDB's name.
func (p Projection) String() string {
	return [...]string{All: "ALL", KeysOnly: "KEYS_ONLY", Include: "INCLUDE"}[p]
}

// GoString returns the projection as a Go expression.
func (p Projection) GoString() string {
	return "keys." + [...]string{All: "All", KeysOnly: "KeysOnly", Include: "Include"}[p]
}

// DefaultLayout is the layout of a table that Partita has created.
func DefaultLayout() *Layout {
	return &Layout{PK: AttributePK, SK: AttributeSK, Type: item.EntityType, Delimiter: Delimiter}
}

// Index returns the names of an index. For one that the layout does not name, these are IndexPK and IndexSK.
func (l *Layout) Index(name string) IndexLayout {
	i := slices.IndexFunc(l.Indexes, func(ix IndexLayout) bool { return ix.Name == name })
	if i < 0 {
		return IndexLayout{Name: name, PK: IndexPK(name), SK: IndexSK(name)}
	}
	return l.Indexes[i]
}

// Format is how a value is stored, in its attribute and in keys.
type Format uint8

// The formats of @stored(as:). Plain is the format of a field without one: a Time in item.TimeLayout, a Date
// as yyyy-mm-dd, an integer as a Number.
const (
	Plain Format = iota
	// EpochSeconds and EpochMillis are the time since 1970-01-01 as a Number; in keys its digits.
	EpochSeconds
	EpochMillis
	// Seconds is a time without a fraction, such as 2024-01-15T10:30:00Z.
	Seconds
	// DayOnly is a time cut to its day, such as 2024-01-15.
	DayOnly
	// NumberText is an integer as a String.
	NumberText
)

// formatNames are the values of the enum StoredFormat.
var formatNames = [...]string{
	Plain: "", EpochSeconds: "EPOCH_SECONDS", EpochMillis: "EPOCH_MILLIS", Seconds: "SECONDS", DayOnly: "DATE",
	NumberText: "NUMBER_TEXT",
}

// String returns the value of the enum StoredFormat, "" for Plain.
func (f Format) String() string { return formatNames[f] }

// GoString returns the format as a Go expression.
func (f Format) GoString() string {
	return "keys." + [...]string{"Plain", "EpochSeconds", "EpochMillis", "Seconds", "DayOnly", "NumberText"}[f]
}

// FormatOf returns the format with that name in the enum StoredFormat, Plain for any other name.
func FormatOf(name string) Format { return Format(max(0, slices.Index(formatNames[:], name))) }
