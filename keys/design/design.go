package design

import (
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

// Design is the design of a table: where objects are stored, and which key condition serves each
// field of the schema. NewDesign builds it from generated data. It does not change afterwards.
type Design struct {
	Layout *stored.Layout
	Types  []*Type
	Fields []*Field
	// Live are the fields of Subscription: one for each field with LiveAs, in the order of Fields.
	Live  []*Field
	Rules []*FieldRule
	// Mutations are those without hand-written Go, and Counters the attributes that they count in.
	Mutations []*Mutation
	Counters  []*Counter

	owners func(object any, field string) (typ string, id keys.ID)
	values func(object any, field string) keys.Value
	allow  map[string]Allow
	types  map[string]*Type
	fields map[coordinate]*Field
	rules  map[coordinate]*Rule
	// members are those of all rules.
	members map[*Member]*membership
	joins   []join
	// shapes are the Shapes of each type.
	shapes map[string][]keys.Shape
	// singles are the shapes that a partition has at most one item of.
	singles []placedShape
	// largest is the size of the largest item of all types.
	largest int
	// stored translates items; nil for a table that has them as the Design has.
	stored *translation
	// handWritten are the fields that hand-written Go resolves.
	handWritten map[coordinate]bool
	// otherWriters is what HasOtherWriters returns.
	otherWriters bool
	// withoutGo is set if there is no Go code at all.
	withoutGo bool
	// notReady and progress are what WithNotReady sets.
	notReady NotReady
	progress func() string
	// formerIDs are those of all types, and those of WithFormer.
	formerIDs []formerID
}

type coordinate struct{ parent, name string }

// Type is an object type that is stored as items.
type Type struct {
	Name string
	// Value is the value of the type attribute, "" if it is Name.
	Value string
	// Values are others by which items of the type are recognised, while they get the new one.
	Values []string
	// FormerIDs are other forms of global ids that name objects of the type: those that responses have had before.
	FormerIDs []IDForm
	// Satisfies are the type conditions of fragments that apply to the type: its
	// own name, its interfaces and unions.
	Satisfies []string
	// Attributes are the stored fields: those without @get or @query. Objects are the object types inside of them,
	// sorted by name.
	Attributes []Attribute
	Objects    []Object
	// Differences are the fields that follow from two attributes.
	Differences []Difference
	// Identity are the names of the variables of the @item templates, in order and once each. Their
	// values are those of the global ID.
	Identity []string
	// Expires is the attribute with the time after which DynamoDB deletes an item, or "": a field of kind Time that is
	// stored as EpochSeconds, or an attribute that is no field, as a Number of seconds since 1970.
	Expires string
	// Constants are attributes that each item of the type has. An item without them is not of the type.
	Constants []Constant
	// MaxBytes is the maximum size of an item of the type.
	MaxBytes int
	// Version is the attribute with the version of an object, or "". Uniques are the attributes with unique values.
	Version string
	Uniques []Unique
	// Created are the attributes with the time of the creation, and Updated those with the time of the last write.
	Created, Updated []string
	// Rule is who may read objects of the type, whichever field returns them.
	Rule *Rule
	// Item is the shape of the base item. Shards is the number of partitions over which one value of its PK is spread;
	// 1, or 0, if it is not spread.
	Item   keys.Shape
	Shards int
	Copies []Copy
	// Indexes are the entries in indexes. An item has one entry in each index, so the n-th entry of an
	// index belongs to the n-th stored item: the base item, then the copies in order.
	Indexes []Index

	// stored translates items of the type; nil if there is nothing to translate.
	stored *typeTranslation
	// mixed is set if an item of another type may have the key of one of this type: see Condition.Excludes.
	mixed bool

	// room has the attributes that updates may set without a read, and how many bytes they may then have.
	room map[string]int
}

// Copy is a second stored item with the attributes of an object.
type Copy struct {
	keys.Shape
	// Latest is the attribute that decides which object the item holds if several have this key: the one with the
	// greatest value, or one of those. It is "" if the key identifies the object.
	Latest string
}

// Index is an entry of a type in an index.
type Index struct {
	Name string
	keys.Shape
	// Shards is the number of partitions over which one value of PK is spread; 1 if it is not spread.
	Shards int
}

// Field is a field of the schema that is served by a key condition.
type Field struct {
	// Parent is the type that the field is on: a root type, a stored type, or
	// the edge type of a connection.
	Parent string
	Name   string
	Kind   FieldKind
	// Index is the index's name, or "" for the table.
	Index string
	// PK and SK are the templates of the directive. SK is the whole sort key for a Get and the
	// beginning of the sort keys for a Query.
	PK, SK     keys.Template
	Descending bool
	// Since is what time buckets begin with: a time, or {name} for an attribute of the parent. "" is that they
	// begin anywhere.
	Since string
	// AtMost is the maximum number of items of the collection, 0 if there is none.
	AtMost int
	Result Result
	// Types are the stored types of the items in the collection: those whose shapes the condition
	// matches.
	Types []string
	// Edge is the name of the edge type of a Connection. EdgeNode reports whether the node is another
	// object than the item, read by a Get of its own.
	Edge     string
	EdgeNode bool
	// Count is the parent's attribute that counts the collection, or "".
	Count string
	// Cascades reports whether objects of the collection are deleted with the object that has the field.
	Cascades  bool
	Arguments []keys.Argument
	// LiveAs is the name of the field of Subscription that has the field's live data, or "".
	LiveAs string
	// Cursors distinguishes the cursors of a connection from those of a former condition of the field, which are rejected.
	Cursors string
	// Live is the field whose live data a field of Subscription has; nil for all others.
	Live *Field

	// parent is set for a field of Subscription whose first argument is the id of the object that has the field.
	parent  *liveParent
	matches []Match
	// needed is what fromElsewhere returns.
	needed []string
	// keyOnly are the key-only attributes of the first match's type, but for entityType.
	keyOnly []keyOnlyAttribute
	// rest describes how the sort keys of the matched shapes continue after SK.
	rest rest
	// gap is what HasGap returns.
	gap bool
	// shorter are the sort keys beside the field's that may be equal to the end of a range: those with at most as many
	// segments as SK.
	shorter []keys.Template
	// shards are the labels of the partitions over which one value of PK is spread: "" for one without a
	// shard.
	shards []string
	// bucketed is what Bucketed returns.
	bucketed  string
	reference bool
	// bothForms is set if the table also has the items of another design for the same objects.
	bothForms bool
	// local is set for a Query on a local index.
	local bool
	// sorted is set if the primary key of the table has a sort key.
	sorted bool
	rule   *Rule
	// ruled is set if a rule has an owner or members, whose ids or keys may follow from the condition.
	ruled bool
	// verified are the values that the key does not show, and mixed is set if an item of another type may have the key:
	// see Condition.Excludes.
	verified  []verified
	mixed     bool
	projected bool
}

// liveParent is the parent of a field with LiveAs, as its field of Subscription has it.
type liveParent struct {
	argument string
	identity []string
	// rule is that of the parent's type. Its Owner is a variable of the field.
	rule *Rule
}

// Match is a shape of items that a field's condition selects.
type Match struct {
	Type   *Type
	Shape  keys.Shape
	Shards int
	// Variables maps each variable of the shape to the field's variable in its place.
	Variables map[string]string
	// Constants maps variables of the shape to the field's literals in their place.
	Constants map[string]string
}

// rest describes how the sort keys of a Query's matched shapes continue after the field's SK.
type rest struct {
	// next is the segment with the first variable after SK. Its variable is "" if the matched shapes
	// differ or have no further variable.
	next keys.Segment
	// glue is the text between the prefix and that variable.
	glue string
	// more is set if segments follow next, and glued if the first of them follows it without a delimiter.
	more, glued bool
	// extent is Children only if SK ends with a complete variable, or with a literal in its place: the delimiter after it
	// belongs to the prefix.
	extent keys.Extent
	// divided is set if a delimiter follows SK, also after a literal.
	divided bool
}

// verified is a variable of a field whose value does not follow from a key with it. With isExact, the value must be the
// same also where the key has it in another case: it is the id of the viewer or of an owner.
type verified struct {
	of           *Type
	name, source string
	segment      *keys.Segment
	isExact      bool
}

// join is a pair of an item and a range in the same partition that one Query can read: no other key
// of the design sorts between them.
type join struct {
	item   keys.Shape
	prefix string // of the range
	// above is set if the item sorts after the range, not before it.
	above bool
	// maxBytes is the maximum size of the item.
	maxBytes int
}

// Place is where an item sorts in its partition, whatever of the design the table contains.
type Place struct {
	// Single is set if a partition has at most one item of the shape, such as the parent of all others.
	Single bool
	// Lowest is set if all other items sort above a Single one, Highest if all sort below it.
	Lowest, Highest bool
}

// placedShape is a shape that a partition has at most one item of.
type placedShape struct {
	keys.Shape
	place Place
}

// translation translates between the items of an existing table and those of its Design. The latter have the attributes
// of a table that Partita has created: keys under the names of the default layout, the type's name in
// item.EntityType, and fields under their own names in the default format. The texts of keys are the same in both.
type translation struct {
	design  *Design
	layout  *stored.Layout
	indexes []stored.IndexLayout
	// types are the types by the value of the type attribute. Those with the same value have other constants.
	types map[string][]*Type
}

// typeTranslation is what a translation knows of one type.
type typeTranslation struct {
	*translation
	// attributes are those of the type by their stored names, and inKeys the names of those that are part of a key of
	// its items.
	attributes map[string]*Attribute
	inKeys     []string
	// delimited are those of inKeys that a delimiter may follow in a key.
	delimited []string
	// translated are the object types within attributes whose values differ in the table.
	translated map[string]bool
	// forms is how many other forms values have: see OtherForms.
	forms int
	// hasMissing is set if items may lack attributes that have a value then: see mayBeMissing.
	hasMissing bool
}
