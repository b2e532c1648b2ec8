package design

import (
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/predicate"
)

// MutationKind is what a Mutation does with its object.
type MutationKind uint8

// The kinds of mutations without hand-written Go.
const (
	CreateMutation MutationKind = iota
	UpdateMutation
	DeleteMutation
	ActionMutation
)

// String returns the kind's Go name.
func (k MutationKind) String() string {
	return [...]string{
		CreateMutation: "CreateMutation", UpdateMutation: "UpdateMutation", DeleteMutation: "DeleteMutation",
		ActionMutation: "ActionMutation",
	}[k]
}

// GoString returns the kind as a Go expression.
func (k MutationKind) GoString() string { return "design." + k.String() }

// Mutation is a field of Mutation without hand-written Go: it creates, updates or deletes one object, or is an action
// of several Steps. It has one argument, input, and returns a payload. Who may call it is the field's Rule, whose Owner
// is that of the Mutation.
type Mutation struct {
	Name string
	Kind MutationKind
	// Type is the name of the object's stored type: of an action, that of its first step.
	Type string
	// Object is the payload's field with the object: as written, or as it is stored now after CONFLICT or ALREADY. It
	// is "" if the payload has none.
	Object string
	// Deleted is the payload's field with the global id of a deleted object, or "".
	Deleted string
	// Inputs are the attributes that the input has, in its order: for an update or a deletion, those of the identity
	// are not among them.
	Inputs []string
	// InputRules are those of the Inputs that not all who may call the mutation may give.
	InputRules []InputRule
	// HasID reports whether the input has the global id of the object, as id: that of an update or a deletion, unless
	// the identity follows from Viewer and Keys.
	HasID bool
	// Keys are the attributes of the identity that the input of a deletion has instead of the id: those of an edge
	// whose other end is the viewer.
	Keys []string
	// Owner is the attribute of Type with the id of the viewer whom the rule allows as the owner of the object; "" if
	// it allows nobody as that.
	Owner string
	// Members are those whom the rule allows.
	Members []*Member
	// Viewer is the attribute that has the id of the viewer and that the input lacks, because only its owner may call
	// the mutation; "" if there is none.
	Viewer string
	// Now are the attributes that are set to the time of the write.
	Now []string
	// HasIdempotencyKey reports whether the input has an idempotencyKey: that of a creation whose id is generated, or of
	// an action that creates such an object, adds to a number, or has no other input.
	HasIdempotencyKey bool
	// Steps are those of an action, in their order, and ActionInputs the fields of its input beside idempotencyKey.
	Steps        []Step
	ActionInputs []ActionInput
}

// InputRule says who may give the value of a field of an input. Its Owner is that of the Mutation.
type InputRule struct {
	Name string
	Rule *Rule
}

// Unique is an attribute whose value only one object of its type has. A claim, an item without a GraphQL type, has the
// value in its key, and the raw id of its holder in an attribute.
type Unique struct {
	Attribute string
	// Key is the template of PK and SK of the claims, or with an SK, which has no variables, of PK alone. Its variable
	// is Attribute; with an SK, it may have other attributes within which the value is unique.
	Key, SK keys.Template
	// IgnoreCase reports whether values that differ in case only are the same.
	IgnoreCase bool
	// Where is the condition on the objects whose values are unique: only they have claims.
	Where predicate.Predicate
	// Claim is the value of the type attribute of the claims, such as EmailClaim. Holder is their attribute with the
	// raw id, such as userId.
	Claim, Holder string
	// NoSK is set by NewDesign in a table without a sort key: Key is then the template of PK alone.
	NoSK bool
}

// Sources returns the attributes of an object on which its claim depends: those in its key, and those of the condition.
func (u *Unique) Sources() []string { return append(u.Key.Variables(), u.Where.Fields()...) }

// Shape returns the templates of the keys of the claims.
func (u *Unique) Shape() keys.Shape {
	switch {
	case u.NoSK:
		return keys.Shape{PK: u.Key}
	case u.IsForeign():
		return keys.Shape{PK: u.Key, SK: u.SK}
	}
	return keys.Shape{PK: u.Key, SK: u.Key}
}

// IsForeign reports whether another library writes claims as well. Those have no attribute with their holder.
func (u *Unique) IsForeign() bool { return u.SK.String() != "" }
