package platform_test

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/platform"
)

// TestLock: what another process would get, another descriptor gets, too.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		fatal.If(t, err)
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	first, second := open(), open()
	fatal.If(t, platform.Lock(first))
	_, err := first.WriteAt([]byte("holder"), 0)
	fatal.If(t, err)
	if platform.Lock(second) == nil {
		t.Error("two have the lock")
	}
	if text, err := os.ReadFile(path); err != nil || !bytes.Equal(text, []byte("holder")) {
		t.Errorf("the locked file has %q, %v", text, err)
	}
	fatal.If(t, first.Close())
	fatal.If(t, platform.Lock(second))
}

func TestIsSilent(t *testing.T) {
	for name, c := range map[string]struct {
		before func(other *net.TCPConn) error
		want   bool
	}{
		"nothing": {func(*net.TCPConn) error { return nil }, true},
		"a byte":  {func(c *net.TCPConn) error { _, err := c.Write([]byte("x")); return err }, false},
		"the end": {(*net.TCPConn).CloseWrite, false},
		"a reset": {func(c *net.TCPConn) error { _ = c.SetLinger(0); return c.Close() }, false},
	} {
		t.Run(name, func(t *testing.T) {
			here, other := connect(t)
			fatal.If(t, c.before(other))
			raw, err := here.SyscallConn()
			fatal.If(t, err)
			got := silent(t, raw)
			for range 1000 { // what was sent may take a moment
				if got == c.want {
					return
				}
				time.Sleep(10 * time.Millisecond)
				got = silent(t, raw)
			}
			t.Errorf("silent is %v", got)
		})
	}
}

func silent(t *testing.T, raw syscall.RawConn) (is bool) {
	t.Helper()
	fatal.If(t, raw.Read(func(socket uintptr) bool {
		is = platform.IsSilent(socket, make([]byte, 1))
		return true
	}))
	return is
}

func connect(t *testing.T) (here, other *net.TCPConn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	defer func() { _ = l.Close() }()
	to, err := net.Dial("tcp", l.Addr().String())
	fatal.If(t, err)
	from, err := l.Accept()
	fatal.If(t, err)
	t.Cleanup(func() { _, _ = to.Close(), from.Close() })
	return to.(*net.TCPConn), from.(*net.TCPConn)
}

func TestSocketErrors(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	defer func() { _ = l.Close() }()
	if _, err := net.Listen("tcp", l.Addr().String()); !platform.IsAddressInUse(err) {
		t.Errorf("listening twice: %v", err)
	}
	if _, err := net.Listen("tcp", "203.0.113.1:0"); !platform.IsNoAddress(err) { // RFC 5737: an address of nobody
		t.Errorf("listening on an address of another machine: %v", err)
	}
	here, other := connect(t)
	_ = other.SetLinger(0)
	fatal.If(t, other.Close())
	if _, err := here.Read(make([]byte, 1)); !platform.IsReset(err) {
		t.Errorf("reading after a reset: %v", err)
	}
}
