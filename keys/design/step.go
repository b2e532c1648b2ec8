package design

import (
	"slices"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/predicate"
)

// StepKind is what a Step does with its object.
type StepKind uint8

// The kinds of steps.
const (
	CreateStep StepKind = iota
	UpdateStep
	DeleteStep
	CheckStep
	// UpsertStep creates the object, or updates the one that has its key.
	UpsertStep
)

var stepKinds = [...]string{
	CreateStep: "CreateStep", UpdateStep: "UpdateStep", DeleteStep: "DeleteStep", CheckStep: "CheckStep",
	UpsertStep: "UpsertStep",
}

// Creates reports whether a step of the kind creates its object, or may do so: the object has no id in the input.
func (k StepKind) Creates() bool { return k == CreateStep || k == UpsertStep }

// GoString returns the kind as a Go expression.
func (k StepKind) GoString() string { return "design." + stepKinds[k] }

// Step is what an action does to one object.
type Step struct {
	Kind StepKind
	// Name identifies the step within its action: the values of its object are {name.field} in later steps.
	Name string
	// Type is the stored type of the object.
	Type string
	// Each is the field of the input with a list: the step is carried out for each element. It is "" for a step on one
	// object. AtMost is how many elements it may have, so that the action always is one transaction.
	Each   string
	AtMost int
	// ID is the field of the input with the global id of the object: "" for a creation, and if Key has the identity.
	ID string
	// Key has the values of the identity of an object that is there.
	Key []Assignment
	// Set are the values that are written: those of the input first.
	Set []Assignment
	// Add are the numbers that are added.
	Add []Addition
	// If is the condition on the object as it was before the action.
	If predicate.Predicate
	// Code and Message are those of the user error if the condition does not hold.
	Code, Message string
	// CoversMissing is set if both are also those of an object that does not exist.
	CoversMissing bool
	// Object and Deleted are the payload's fields with the object, and with the id of a deleted one; "" for none. With
	// Each, they are lists.
	Object, Deleted string
}

// Assignment is the value of an attribute.
type Assignment struct {
	Attribute string
	// Value is a constant, or a variable: {viewer}, {now}, a field of the input, or a field of the element of the list of
	// Each or of the object of another step, as the name of that and of the field with a dot between them.
	Value predicate.Operand
	// IsNegative is set for a number of the input that is subtracted from 0.
	IsNegative bool
	// IsTaken is set for a field of the input that an update may leave out: the attribute stays as it is then.
	IsTaken bool
}

// Addition is what is added to a Number attribute: a number, or with IsNegative that is subtracted.
type Addition struct {
	Attribute  string
	Value      predicate.Operand
	IsNegative bool
}

// ActionInput is a field of the input of an action. It has a value of an attribute of a stored type: "id" for the id of
// an object. If it is a field of the elements of a List, its Name begins with that of the list and a dot.
type ActionInput struct {
	Name, Type, Attribute string
	List                  string
	// IsElement is set if the elements are the values themselves.
	IsElement bool
}

// StepOf returns the step whose object a field of the payload has, or nil.
func (m *Mutation) StepOf(field string) *Step {
	i := slices.IndexFunc(m.Steps, func(s Step) bool { return s.Object == field })
	if i < 0 {
		return nil
	}
	return &m.Steps[i]
}

// GeneratesID reports whether the step creates an object of the type with a new id.
func (s *Step) GeneratesID(t *Type) bool {
	a := t.Attribute(idAttribute)
	return s.Kind == CreateStep && a != nil && a.Kind == keys.IDKind && a.As != keys.Number &&
		slices.Contains(t.Identity, idAttribute) && !s.Sets(idAttribute)
}

// As returns an UpsertStep as what it is, by whether its object is there: a CreateStep, or an UpdateStep of the object
// of the type with the key that follows from what is set.
func (s *Step) As(kind StepKind, t *Type) *Step {
	as := *s
	as.Kind = kind
	if kind == UpdateStep {
		isKey := func(a Assignment) bool { return slices.Contains(t.Identity, a.Attribute) }
		as.Set = slices.DeleteFunc(slices.Clone(s.Set), isKey)
		as.Key = slices.DeleteFunc(slices.Clone(s.Set), func(a Assignment) bool { return !isKey(a) })
	}
	return &as
}

// Times returns the attributes of an object of the type that the step sets to the time of the write.
func (s *Step) Times(t *Type) []string {
	if s.Kind != CreateStep && s.Kind != UpdateStep {
		return nil
	}
	return t.Times(s.Kind == UpdateStep)
}

// Sets reports whether the step has a value for an attribute.
func (s *Step) Sets(name string) bool {
	isIt := func(a Assignment) bool { return a.Attribute == name }
	return slices.ContainsFunc(s.Set, isIt) ||
		slices.ContainsFunc(s.Add, func(a Addition) bool { return a.Attribute == name })
}

const idAttribute = "id"
