package write

import (
	"context"
	"errors"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// Input is the input of a keys.Mutation.
type Input struct {
	// ID is the global id of the object of an update or a deletion. The attributes of a Mutation's Viewer and Keys are in
	// Set instead, if it has no id.
	ID keys.ID
	// Set are the given attributes by their field names, in the form of [Items]: IDs are global ones.
	Set item.Item
	// Remove are the attributes that an update removes.
	Remove []string
	// Version is the version on which an update or a deletion is based.
	Version int
	// IdempotencyKey is that of a creation, "" for none. Digest is the [Digest] of its input.
	IdempotencyKey, Digest string
	// Owner is the raw id that the owner attribute of the object must have; "" if the viewer may write all objects.
	Owner string
}

// Outcome is what a mutation returns.
type Outcome struct {
	// ID is the global id of the object; "" if there is none.
	ID keys.ID
	// Object is the object's base item: as it is stored after the mutation, or was before its deletion. It is nil if there
	// is none, or if it must be read.
	Object item.Item
	UserErrors
}

// Mutate carries out a mutation of a design. An error that is none of a person's is returned as of [Transaction.Commit].
func Mutate(context.Context, *keys.Design, *keys.Mutation, Input) (Outcome, error) {
	return Outcome{}, errors.ErrUnsupported
}
