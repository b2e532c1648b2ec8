package app

import (
	"net"
	"strconv"
	"testing"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/table"
)

func TestAddress(t *testing.T) {
	t.Setenv("AWS_CONFIG_FILE", t.TempDir()+"/none")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", t.TempDir()+"/none")
	remote := local.Settings{Settings: table.Settings{Endpoint: "http://localhost:8000"}}
	for want, c := range map[string]*serveCommand{
		"localhost:8080": {},
		":8080":          {Table: remote},
		":81":            {Addr: ":81"},
		"10.0.0.5:82":    {Addr: "10.0.0.5:82", Table: remote},
	} {
		if got := c.address(t.Context()); got != want {
			t.Errorf("%+v: got %s, want %s", c.Addr, got, want)
		}
	}
}

// A browser may connect to either address of localhost.
func TestLocalhostIsBothLoopbackAddresses(t *testing.T) {
	l, err := listen("LocalHost:0")
	fatal.If(t, err)
	defer l.close()
	opened := map[string]bool{}
	for _, listener := range l {
		host, port, err := net.SplitHostPort(listener.Addr().String())
		if err != nil || "localhost:"+port != net.JoinHostPort("localhost", strconv.Itoa(l.port())) {
			t.Errorf("got %s, %v", listener.Addr(), err)
		}
		opened[host] = true
	}
	for _, ip := range loopback {
		probe, err := net.Listen("tcp", net.JoinHostPort(ip, "0"))
		if err == nil {
			err = probe.Close()
		}
		if hasAddress := err == nil; opened[ip] != hasAddress {
			t.Errorf("%s is opened: %v; the machine has it: %v", ip, opened[ip], err)
		}
	}
	if !l.isLoopback() || l.browsable() != l.String() {
		t.Errorf("got %s", l)
	}
	if _, err := listen(l.String()); ExitCode(err) != exit.Unavailable {
		t.Errorf("the same address again: %v", err)
	}
	all, err := listen(":0")
	fatal.If(t, err)
	defer all.close()
	if len(all) != 1 || all.isLoopback() {
		t.Errorf("got %v", all)
	}
}
