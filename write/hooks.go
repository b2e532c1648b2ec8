package write

import (
	"context"

	"github.com/partita/partita/keys/design"
)

// Hook is Go code of an application in a mutation that needs none.
type Hook struct {
	// Check checks the input before anything is read or written, and may normalize it: it sets attributes in in.Set, IDs
	// as global ones. With user errors nothing is written. An attribute of Mutation.Now that it sets is kept. Nil for
	// none.
	Check func(ctx context.Context, m *design.Mutation, in *Input, errs *UserErrors) error
	// Done is called with what the mutation returns, user errors included, and may change it. Its error does not undo the
	// write. Nil for none.
	Done func(ctx context.Context, m *design.Mutation, in Input, out *Outcome) error
}

// Hooks are the hooks of mutations by their names.
type Hooks map[string]Hook

type hooksKey struct{}

// WithHooks returns a context in which Mutate calls the hooks.
func WithHooks(ctx context.Context, h Hooks) context.Context {
	return context.WithValue(ctx, hooksKey{}, h)
}

func hooksOf(ctx context.Context) Hooks {
	h, _ := ctx.Value(hooksKey{}).(Hooks)
	return h
}
