package design

import (
	"maps"
	"slices"
)

// CodeNotReady is the code of a NotReadyError.
const CodeNotReady = "NOT_READY"

// NotReadyError is why a field has no value for anybody: what would serve it is not complete in the table, so that any
// answer might lack something.
type NotReadyError struct {
	reason   string
	progress func() string
}

// NewNotReadyError returns one with a reason. progress, which may be nil, returns what else it says at present.
func NewNotReadyError(reason string, progress func() string) *NotReadyError {
	return &NotReadyError{reason, progress}
}

// Error returns a message for the caller, with the present progress.
func (e *NotReadyError) Error() string {
	if e.progress != nil {
		if text := e.progress(); text != "" {
			return e.reason + "; " + text
		}
	}
	return e.reason
}

// Code returns CodeNotReady.
func (e *NotReadyError) Code() string { return CodeNotReady }

// NotReady are the reasons of fields that cannot be served, by their schema coordinates: Query.orders, also
// Mutation.createOrder and Subscription.orders. User.orders.totalCount is the count of a connection, and Order are the
// global ids of objects of a type.
type NotReady map[string]string

// WithNotReady returns a copy of the design that does not serve some fields. progress, which may be nil, returns what
// an error has beside its reason: plans are kept, and progress changes.
func (d *Design) WithNotReady(reasons NotReady, progress func() string) *Design {
	if len(reasons) == 0 {
		return d
	}
	c := *d
	c.notReady, c.progress = maps.Clone(reasons), progress
	return &c
}

// HasNotReady reports whether there are fields that the design does not serve.
func (d *Design) HasNotReady() bool { return len(d.notReady) > 0 }

// NotReady returns the NotReadyError of a field; nil for one that is served.
func (d *Design) NotReady(parent, name string) error { return d.notReadyAt(parent + "." + name) }

// IsNotReady reports whether NotReady returns an error.
func (d *Design) IsNotReady(parent, name string) bool {
	return d.HasNotReady() && d.notReady[parent+"."+name] != ""
}

// CountNotReady is NotReady for the count of a connection.
func (d *Design) CountNotReady(connection *Field) error {
	return d.notReadyAt(connection.Coordinate() + ".totalCount")
}

// IDNotReady is NotReady for the global ids of objects of a type.
func (d *Design) IDNotReady(typeName string) error { return d.notReadyAt(typeName) }

// Rebind returns a bound field of generated code as the field of this design: it may have another condition, because
// the table has not what the schema declares yet. The error is a NotReadyError.
func (d *Design) Rebind(b BoundField) (BoundField, error) {
	f := d.Field(b.Field.Parent, b.Field.Name)
	switch {
	case f == nil && b.Field.Kind != Entities:
		return b, d.NotReady(b.Field.Parent, b.Field.Name)
	case f == nil || f == b.Field:
		return b, nil
	}
	known := slices.Concat(b.Field.PK.Variables(), b.Field.SK.Variables())
	for _, name := range slices.Concat(f.PK.Variables(), f.SK.Variables()) {
		if b.Field.Argument(name) == nil && !slices.Contains(known, name) {
			return b, &NotReadyError{f.Coordinate() + " needs " + name + " until the table has changed", d.progress}
		}
	}
	b.Field = f
	if b.design != nil {
		b.design = d
	}
	return b, nil
}

func (d *Design) notReadyAt(coordinate string) error {
	if reason := d.notReady[coordinate]; reason != "" {
		return &NotReadyError{reason, d.progress}
	}
	return nil
}
