package app

import (
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/platform"
)

// hostOf returns the host of an address to listen on, or "" for all addresses of the machine.
func hostOf(addr string) string {
	host, _, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); err != nil || ip.IsUnspecified() {
		return ""
	}
	return host
}

// listeners are those of one setting, at least one.
type listeners []net.Listener

// loopback are the addresses of localhost. Which one a browser uses is not certain.
var loopback = []string{"127.0.0.1", "::1"}

// listen opens an address. The host localhost is both loopback addresses; the machine may lack one of them.
func listen(addr string) (listeners, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil || !strings.EqualFold(host, "localhost") {
		listener, err := net.Listen("tcp", addr)
		if err != nil {
			return nil, cannotListen("ADDR", addr, err)
		}
		return listeners{listener}, nil
	}
	var all listeners
	var missing error
	for _, ip := range loopback {
		listener, err := net.Listen("tcp", net.JoinHostPort(ip, port))
		switch {
		case platform.IsNoAddress(err):
			missing = err
			continue
		case err != nil:
			all.close()
			return nil, cannotListen("ADDR", addr, err)
		}
		all = append(all, listener)
		port = strconv.Itoa(all.port()) // the second one has the port that was free for the first one
	}
	if len(all) == 0 {
		return nil, cannotListen("ADDR", addr, missing)
	}
	return all, nil
}

func (l listeners) close() {
	for _, listener := range l {
		_ = listener.Close()
	}
}

func (l listeners) port() int { return l[0].Addr().(*net.TCPAddr).Port }

// isLoopback reports whether only this machine can connect.
func (l listeners) isLoopback() bool {
	for _, listener := range l {
		if !isLoopback(listener.Addr()) {
			return false
		}
	}
	return true
}

func isLoopback(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// String returns the address.
func (l listeners) String() string {
	if len(l) > 1 {
		return fmt.Sprintf("localhost:%d", l.port())
	}
	return l[0].Addr().String()
}

// browsable returns the address for a browser on this machine.
func (l listeners) browsable() string {
	if l[0].Addr().(*net.TCPAddr).IP.IsUnspecified() {
		return fmt.Sprintf("localhost:%d", l.port())
	}
	return l.String()
}

// cannotListen returns the error for the address of a setting.
func cannotListen(setting, addr string, err error) error {
	if platform.IsAddressInUse(err) {
		return &exit.Error{
			Problem: "cannot listen on " + addr + ": the address is in use",
			Fix:     "stop what listens there, or set " + setting + " to another address such as localhost:8081",
			Code:    exit.Unavailable, Err: err,
		}
	}
	return &exit.Error{
		Problem: fmt.Sprintf("cannot listen on %s (%v)", addr, err),
		Fix:     "set " + setting + " to an address of this machine such as localhost:8081",
		Code:    exit.Config, Err: err,
	}
}
