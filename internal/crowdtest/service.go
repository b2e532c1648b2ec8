// Package crowdtest lets many callers write through gateways that are killed and started again. A mutation is sent
// until there is an answer, so that its caller knows what the table must contain: the ledger of a test.
package crowdtest

import (
	"context"
	"fmt"
	"sync"
)

// Service has the address of a gateway, while it is up.
type Service struct {
	mu  sync.Mutex
	url string
	// changed is closed when the service comes up.
	changed chan struct{}
	// left is the number of attempts until reached is closed.
	left    int
	reached chan struct{}
}

// NewService returns a service that is down.
func NewService() *Service { return &Service{changed: make(chan struct{})} }

// Up is called when a gateway serves at an address.
func (s *Service) Up(url string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.url = url
	close(s.changed)
}

// Down is called when the gateway has ended.
func (s *Service) Down() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.url, s.changed = "", make(chan struct{})
}

// AfterAttempts returns a channel that is closed when n more attempts have begun.
func (s *Service) AfterAttempts(n int) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left, s.reached = n+1, make(chan struct{})
	return s.reached
}

// Address waits until the gateway is up and returns its address.
func (s *Service) Address(ctx context.Context) (string, error) { return s.await(ctx, func() {}) }

// attempt waits until the gateway is up and returns its address for one attempt.
func (s *Service) attempt(ctx context.Context) (string, error) {
	return s.await(ctx, func() {
		if s.left--; s.left == 0 {
			close(s.reached)
		}
	})
}

// await waits until the gateway is up, and calls a function then.
func (s *Service) await(ctx context.Context, then func()) (string, error) {
	for {
		s.mu.Lock()
		url, changed := s.url, s.changed
		if url != "" {
			then()
		}
		s.mu.Unlock()
		if url != "" {
			return url, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return "", fmt.Errorf("while the gateway is down: %w", ctx.Err())
		}
	}
}
