package keys

import (
	"fmt"
	"slices"
)

// FieldKind is the read that serves a field.
type FieldKind uint8

// The reads of a field. Node and Nodes are the Relay root fields, and Entities is that of a Federation subgraph: their
// keys come from global IDs.
const (
	Get FieldKind = iota
	Query
	Node
	Nodes
	Entities
)

// IsByID reports whether the keys come from global IDs.
func (k FieldKind) IsByID() bool { return k == Node || k == Nodes || k == Entities }

// String returns the kind's Go name.
func (k FieldKind) String() string {
	return [...]string{Get: "Get", Query: "Query", Node: "Node", Nodes: "Nodes", Entities: "Entities"}[k]
}

// GoString returns the kind as a Go expression.
func (k FieldKind) GoString() string { return "keys." + k.String() }

// Result is the kind of value that a field returns.
type Result uint8

// One is a single nullable object, Many a plain list, Connection a Relay
// connection.
const (
	One Result = iota
	Many
	Connection
)

// String returns the result's Go name.
func (r Result) String() string {
	return [...]string{One: "One", Many: "Many", Connection: "Connection"}[r]
}

// GoString returns the result as a Go expression.
func (r Result) GoString() string { return "keys." + r.String() }

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
	PK, SK     Template
	Descending bool
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
	Count     string
	Arguments []Argument
	// LiveAs is the name of the field of Subscription that has the field's live data, or "".
	LiveAs string
	// Live is the field whose live data a field of Subscription has; nil for all others.
	Live *Field

	// parent is set for a field of Subscription whose first argument is the id of the object that has the field.
	parent  *liveParent
	matches []Match
	// rest describes how the sort keys of the matched shapes continue after SK.
	rest rest
	// gap is what HasGap returns.
	gap bool
	// shorter are the sort keys beside the field's that may be equal to the end of a range: those with at most as many
	// segments as SK.
	shorter []Template
	// shards are the labels of the partitions over which one value of PK is spread: "" for one without a
	// shard.
	shards []string
	moving bool
	// bucketed is what Bucketed returns.
	bucketed  string
	reference bool
	// local is set for a Query on a local index.
	local bool
	// sorted is set if the primary key of the table has a sort key.
	sorted bool
	rule   *Rule
	// ruled is set if a rule has an owner, whose id may follow from the condition.
	ruled bool
	// verified are the values that the key does not show, and mixed is set if an item of another type may have the key:
	// see Condition.Excludes.
	verified  []verified
	mixed     bool
	projected bool
}

// Argument is a GraphQL argument that is a variable of the field's condition.
type Argument struct {
	Name string
	Kind Kind
	// Ref is the type of the objects that an ID must name, or "" for an opaque text.
	Ref string
	// Range is set for an input object with from and to.
	Range bool
	// Parts is the number of key values of an ID of several; 0 for others.
	Parts int
}

// Coordinate returns the field's schema coordinate, such as User.orders.
func (f *Field) Coordinate() string { return f.Parent + "." + f.Name }

// Argument returns the argument of that name, or nil.
func (f *Field) Argument(name string) *Argument {
	for i := range f.Arguments {
		if f.Arguments[i].Name == name {
			return &f.Arguments[i]
		}
	}
	return nil
}

// Shards returns the labels of the partitions over which one value of the field's partition key is
// spread. They are what follows the value and a delimiter. "" is the partition without a shard, the only
// one if the value is not spread, and otherwise one of those that are read because of Index.Was.
func (f *Field) Shards() []string { return f.shards }

// IsMoving reports whether entries may move between the partitions, because of Index.Was. While one moves, a read of
// all partitions may find it twice.
func (f *Field) IsMoving() bool { return f.moving }

// CanBeConsistent reports whether the read can be strongly consistent: that of a global index cannot.
func (f *Field) CanBeConsistent() bool { return f.Index == "" || f.local }

// hasNoSortKey reports whether the field reads an index without a sort key.
func (f *Field) hasNoSortKey() bool {
	return f.Index != "" && len(f.matches) > 0 && len(f.matches[0].Shape.SK.Segments()) == 0
}

// IsReference reports whether the parent has the id of the object that the field returns, so that
// the object is not read if only its id is selected.
func (f *Field) IsReference() bool { return f.reference }

// Bucketed returns the range argument that selects the time buckets in which the field's collection
// is stored, or "".
func (f *Field) Bucketed() string {
	for _, a := range f.Arguments {
		if a.Range && f.PK.Bucket(a.Name) > 0 {
			return a.Name
		}
	}
	return ""
}

// Resolve returns a copy of a declared field with everything that follows from the shapes that its
// condition selects. It returns an error if the condition selects none.
func Resolve(types []*Type, declared *Field) (*Field, error) {
	f := *declared
	if f.Kind.IsByID() {
		return &f, nil
	}
	f.matches = slices.DeleteFunc(FindMatches(types, &f), func(m Match) bool {
		return len(f.Types) > 0 && !slices.Contains(f.Types, m.Type.Name)
	})
	if len(f.matches) == 0 {
		return nil, fmt.Errorf("%s: no item is stored under pk %q, sk %q", f.Coordinate(), f.PK, f.SK)
	}
	f.shards = ShardLabels(shardNumbers(f.matches)...)
	f.moving = slices.ContainsFunc(f.matches, func(m Match) bool { return len(m.Was) > 0 })
	f.setFormats(f.matches[0].Shape)
	if f.Kind == Query {
		f.rest = restOf(&f, f.matches)
		f.gap = f.hasGap()
		f.shorter = f.shorterKeys(types)
	}
	f.bucketed = f.Bucketed()
	return &f, nil
}

// shardNumbers returns the numbers of shards that matched shapes have or had.
func shardNumbers(matches []Match) []int {
	var numbers []int
	for _, m := range matches {
		numbers = append(append(numbers, m.Shards), m.Was...)
	}
	return numbers
}
