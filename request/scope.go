package request

import (
	"context"
	"sync"
)

// Scope is shared by operations with one cause, such as the events of one change: an eventually consistent Read that
// one of them has sent is not sent again by another. The zero value has no Reads. A Scope is not copied.
type Scope struct {
	once  sync.Once
	reads any
}

type scopeKey struct{}

// WithScope returns the context of an operation that shares its Reads within a scope.
func WithScope(ctx context.Context, s *Scope) context.Context {
	return context.WithValue(ctx, scopeKey{}, s)
}

// ScopeOf returns the scope of a context, nil if it has none.
func ScopeOf(ctx context.Context) *Scope {
	s, _ := ctx.Value(scopeKey{}).(*Scope)
	return s
}

// Reads returns the Reads of the scope in whatever form a Source keeps them: what create returned when Reads was first
// called.
func (s *Scope) Reads(create func() any) any {
	s.once.Do(func() { s.reads = create() })
	return s.reads
}
