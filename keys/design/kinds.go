package design

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
func (k FieldKind) GoString() string { return "design." + k.String() }

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
func (r Result) GoString() string { return "design." + r.String() }

// Rule is who may read a type or a field, or call a mutation: everybody whom at least one of its
// parts allows. A nil Rule allows everybody.
type Rule struct {
	// Public allows everybody.
	Public bool
	// SignedIn allows all viewers who are not anonymous.
	SignedIn bool
	// Owner is the stored field, or for a read the argument, with the id of the viewer who is allowed,
	// or "".
	Owner string
	// Roles allows viewers with one of them; sorted.
	Roles []string
	// Members allow viewers who have one of their items.
	Members []*Member
	// Go allows viewers whom Go code lets see the object.
	Go []GoWord
}

// IsPublic reports whether the rule allows everybody.
func (r *Rule) IsPublic() bool { return r == nil || r.Public }

// DependsOnObject reports whether the rule allows the owner of an object, its members, or those whom Go code allows.
func (r *Rule) DependsOnObject() bool {
	return r != nil && (r.Owner != "" || len(r.Members) > 0 || len(r.Go) > 0)
}

// FieldRule is the Rule of a field.
type FieldRule struct {
	Parent, Name string
	Rule         *Rule
}
