package loaders

import (
	"slices"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Instance is an object at a place in the answer.
type Instance struct {
	Node *plan.Object
	// Item has the attributes. It is nil for a root type and for a connection.
	Item item.Item
	// Values are those of the node's fields that have a Slot. A field without a value is resolved by Go code.
	Values   []*Value
	oneValue [1]*Value
}

// Value is the value of a field that is read, or that contains what is read.
type Value struct {
	Field *plan.Field
	// Err is the error of the whole field: an AccessError, a keys.InputError, a plan.ArgumentError or a ReadError.
	Err error
	// Objects are the objects of a list, of edges or of nodes; or the one object, or connection; none for null.
	Objects []Instance
	// Elements are the values of a list whose elements have errors of their own.
	Elements []*Value
	// Page is that of a connection.
	Page *Page
	// Omitted has an error for each item that a list or a connection lacks: ErrOmitted for one that is damaged, and
	// another for one with a field that cannot be read and must not be null.
	Omitted []error

	condition *design.Condition
	// parent is the object whose key the condition follows from, if it was not read before; nil for other values.
	parent *Value
	// shared is set if the value is at several places.
	shared bool
	// finished is set when the Reads are done; abandoned, if the parent turned out to be null, so that nothing below the
	// value is read.
	finished, abandoned bool
	// asked is set if the value was neither denied nor absent before anything was read.
	asked bool

	// reads are the Reads of a Query. states are those that have been registered: the others may not be needed.
	reads      []plan.Read
	states     []*state
	partitions []int
	// oneState, oneObject and oneValue are the room for what most values, Reads and objects have.
	oneState  [1]*state
	oneObject [1]Instance
	// items are the Gets of the items of a page whose entries in an index are incomplete.
	items []*state
	// members are the Gets of the members that decide about the value.
	members []*state
	// late is the error of the value, or nil, once it is known that the viewer may have it: isHeld is set while only
	// its members are read.
	late   error
	isHeld bool
	// isConcealed is set when what a missing object reads is what one that is denied would.
	isConcealed bool
	// checked are the items of the page, while the members that decide about them are read; nil before and after.
	checked *checkedPage
	// window is what is read, and shown what the page has of that.
	window, shown plan.Window
	// trace is that of the field; nil if the operation is not measured.
	trace *price.Trace
}

// isReady reports whether all Reads of a value are done.
func (v *Value) isReady() bool {
	isOpen := func(s *state) bool { return !s.done }
	return !slices.ContainsFunc(v.states, isOpen) && !slices.ContainsFunc(v.items, isOpen) &&
		!slices.ContainsFunc(v.members, isOpen)
}

// next returns how many more of a value's Reads are needed, if those so far are done.
func (v *Value) next() int {
	left := len(v.reads) - len(v.states)
	if left <= 0 || !plan.InOrder(v.condition.Field) {
		return max(0, left)
	}
	found := make([]int, len(v.states))
	for i, s := range v.states {
		if s.err != nil {
			return 0
		}
		found[i] = len(s.items)
	}
	missing := v.missing()
	if missing <= 0 {
		return 0
	}
	return min(left, plan.NextBuckets(v.window, found, missing))
}

// missing returns how many items a page lacks, the one for hasNextPage included.
func (v *Value) missing() int {
	missing := v.reads[0].Limit
	for _, s := range v.states {
		missing -= len(s.items)
	}
	return missing
}

// add adds the states of the next n Reads. Of time buckets, no more items are read than the page lacks.
func (v *Value) add(n int, stateOf func(plan.Read) *state) {
	if n == 0 {
		return
	}
	missing, before := v.missing(), 0
	if k := len(v.states); k > 0 {
		before = int(v.states[k-1].id)
	}
	for _, read := range v.reads[len(v.states):][:n] {
		if plan.InOrder(v.condition.Field) {
			read.Limit = missing
		}
		s := stateOf(read)
		s.countAt(v.trace.ReadID(before))
		v.states = append(v.states, s)
	}
}

// isNull reports whether it is known that the value has no object.
func (v *Value) isNull() bool { return v.abandoned || v.finished && len(v.Objects) == 0 }

// empty sets the values of a connection without items.
func (v *Value) empty() {
	for _, part := range v.Objects[0].Node.Fields {
		if part.Slot >= 0 {
			v.Objects[0].Values[part.Slot] = &Value{Field: part}
		}
	}
}

// Paging are the four arguments of a Relay connection.
type Paging = plan.Paging

// state is a Read of an operation and its outcome.
type state struct {
	// key is that of a Get.
	key keys.Key
	// ranged is the Read of a Range; nil for a Get.
	ranged *plan.Read
	items  []item.Item
	err    error
	done   bool
	// consistent is set for a Get that is strongly consistent even if the operation is not. That of a Range has it in its
	// Query.
	consistent bool
	// isMember is set for the Get of a member of a rule.
	isMember bool
	// deferred is set while the Read waits for a later wave.
	deferred bool
	// again is set if a Query that the Get had joined has not reached its item; alone, if it must not join another one.
	again, alone bool
	// id is that of the Reads of the plan that the Read is counted at, if the operation is measured: those that needed it
	// first. It is 0 if the plan has none.
	id int32
	// values are those that need the Read, if it is their first one.
	values   []*Value
	oneValue [1]*Value
}

// countAt sets where a Read is counted, unless it is already counted elsewhere.
func (s *state) countAt(id int) {
	if s.id == 0 {
		s.id = int32(id)
	}
}

// served is what a request is sent for.
type served struct {
	wave   int32
	action Action
	// ranged is that of a Query, which gets have joined. For other actions, gets are those of the request.
	ranged *state
	gets   []*state
	// id is that of the field of a mutation, for its own requests.
	id int
}

var onePartition = []int{0}
