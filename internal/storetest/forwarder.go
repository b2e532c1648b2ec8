package storetest

import (
	"io"
	"net"
	"sync"
	"testing"
)

// Forwarder is an address whose connections are forwarded to a server, which a test may change.
type Forwarder struct {
	// Address is host:port.
	Address string

	mu     sync.Mutex
	target string
	open   map[net.Conn]bool
	closed bool
}

// NewForwarder forwards to a server until the test ends.
func NewForwarder(tb testing.TB, target string) *Forwarder {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	f := &Forwarder{Address: listener.Addr().String(), target: target, open: map[net.Conn]bool{}}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() { f.serve(from) })
		}
	})
	tb.Cleanup(func() {
		_ = listener.Close()
		f.mu.Lock()
		f.closed = true
		f.mu.Unlock()
		f.Forward("")
		running.Wait()
	})
	return f
}

// Forward ends the connections, and forwards new ones to a server; "" for none.
func (f *Forwarder) Forward(target string) {
	f.ForwardNew(target)
	f.mu.Lock()
	defer f.mu.Unlock()
	for c := range f.open {
		_ = c.Close()
	}
}

// ForwardNew forwards new connections to a server. Those that are open stay.
func (f *Forwarder) ForwardNew(target string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.target = target
}

// serve forwards a connection until one of its ends closes it.
func (f *Forwarder) serve(from net.Conn) {
	defer f.forget(from)
	f.mu.Lock()
	target := f.target
	f.open[from] = true
	f.mu.Unlock()
	if target == "" {
		return
	}
	to, err := net.Dial("tcp", target)
	if err != nil {
		return
	}
	f.mu.Lock()
	f.open[to] = true
	isCurrent := f.target == target && !f.closed
	f.mu.Unlock()
	defer f.forget(to)
	if !isCurrent {
		return
	}
	var back sync.WaitGroup
	back.Go(func() {
		_, _ = io.Copy(from, to) // an error ends the connection
		_ = from.Close()
	})
	_, _ = io.Copy(to, from)
	_ = to.Close()
	back.Wait()
}

func (f *Forwarder) forget(c net.Conn) {
	_ = c.Close()
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.open, c)
}
