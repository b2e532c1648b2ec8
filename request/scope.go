package request

import (
	"context"
	"sync"
)

// Scope is shared by operations with one cause, such as the events of one change: an eventually consistent Read that
// one of them has sent is not sent again by another, and equal answers are made once. The zero value has nothing. A
// Scope is not copied.
type Scope struct{ reads, answers shared }

// shared is made once.
type shared struct {
	once  sync.Once
	value any
}

func (s *shared) get(create func() any) any {
	s.once.Do(func() { s.value = create() })
	return s.value
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
func (s *Scope) Reads(create func() any) any { return s.reads.get(create) }

// Answers returns the answers of the scope in whatever form their maker keeps them: what create returned when Answers
// was first called.
func (s *Scope) Answers(create func() any) any { return s.answers.get(create) }
