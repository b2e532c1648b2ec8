package plan

import (
	"encoding/json"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// Arguments are the arguments of a field that reads, or of a MutationField.
type Arguments struct {
	// Err is the first argument whose value is not one of its type.
	Err *ArgumentError
	// Window is that of a connection, without its cursor; WindowErr is a keys.InputError.
	Window    Window
	WindowErr error
	// IDs are those of node and nodes, or of the entities that representations name. IDErrs are keys.InputErrors about
	// these representations, nil for those that name an entity.
	IDs    []keys.ID
	IDErrs []error

	// Paging are those of a connection.
	Paging Paging
	// input is that of a mutation.
	input *mutationInput
	// values are those of the design's arguments, in their order.
	values []keys.Value
}

// IsFiltered reports whether a filter of the field has a value, so that its whole collection is read.
func (a *Arguments) IsFiltered(f *design.Field) bool {
	for i := range f.Arguments {
		if f.Arguments[i].Filter && a.values[i].IsSet() {
			return true
		}
	}
	return false
}

// ArgumentError is the value of an argument that its type does not have.
type ArgumentError struct {
	// Path leads from the argument's name to the value, such as ids, 2.
	Path ast.Path
	// Err is a keys.InputError.
	Err error
}

// Error returns the message for the caller.
func (e *ArgumentError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *ArgumentError) Unwrap() error { return e.Err }

// Answered returns the ids of the list that a field by global id returns: none if nodes has too many. The number of
// representations has no other limit than lists in arguments have: a router sends those of a whole response at once.
func (a *Arguments) Answered(f *design.Field) []keys.ID {
	if f.Kind == design.Nodes && len(a.IDs) > MaxPage {
		return nil
	}
	return a.IDs
}

// Workload returns what a MutationField reads and writes for its input: nothing if the input has errors.
func (a *Arguments) Workload() *write.Workload { return &a.input.work }

// mutationInput is the input of a MutationField, and what the mutation reads and writes for it.
type mutationInput struct {
	write.Input
	errors write.UserErrors
	work   write.Workload
}

// inputArgument is the argument of a MutationField, and idempotencyKey a field of its input.
const (
	inputArgument  = "input"
	idempotencyKey = "idempotencyKey"
)

func intArgument(raw any) *int {
	var n int
	switch raw := raw.(type) {
	case int64:
		n = int(raw)
	case int:
		n = raw
	case json.Number:
		i, err := raw.Int64()
		if err != nil {
			return nil
		}
		n = int(i)
	default:
		return nil
	}
	return &n
}

func textArgument(raw any) *string {
	s, ok := raw.(string)
	if !ok {
		return nil
	}
	return &s
}
