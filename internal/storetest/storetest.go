// Package storetest runs real Valkey or Redis servers for tests.
package storetest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/valkey-io/valkey-go"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/platform"
)

// Server is a server on a port of its own that stores nothing on disk. Start runs it until the test ends.
type Server struct {
	// Address is host:port.
	Address string

	binary    string
	arguments []string
	cmd       *exec.Cmd
	ended     chan struct{}
	output    bytes.Buffer
}

// find returns the server's binary: $VALKEY_SERVER, or valkey-server or redis-server on the PATH.
func find() (string, error) {
	for _, name := range []string{os.Getenv("VALKEY_SERVER"), "valkey-server", "redis-server"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("neither valkey-server nor redis-server is installed: run scripts/valkey.sh as root, " +
		"or set VALKEY_SERVER to the path of one")
}

// Start runs a server with options of valkey.conf, such as "--requirepass", "secret".
func Start(tb testing.TB, options ...string) *Server {
	tb.Helper()
	binary, err := find()
	fatal.If(tb, err)
	s := &Server{binary: binary}
	s.Address = freeAddress(tb)
	_, port, _ := net.SplitHostPort(s.Address)
	s.arguments = append([]string{
		"--bind", "127.0.0.1", "--port", port, "--save", "", "--dir", tb.TempDir(), "--repl-diskless-sync-delay", "0",
	}, options...)
	s.Restart(tb)
	tb.Cleanup(s.Kill)
	return s
}

// freeAddress returns an address that is free now, and as long as no server is there: the kernel gives the ports from
// 32768 on to those who ask for any, among them the other tests.
//
// https://www.kernel.org/doc/html/latest/networking/ip-sysctl.html (ip_local_port_range)
func freeAddress(tb testing.TB) string {
	tb.Helper()
	for tb.Context().Err() == nil {
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 20_000+rand.IntN(12_768)))
		if err == nil {
			_ = listener.Close()
			return listener.Addr().String()
		}
	}
	tb.Fatal("no port is free")
	return ""
}

// Replicate starts a replica, and returns it when it has what the server has, and follows it until Promote.
func (s *Server) Replicate(tb testing.TB) *Server {
	tb.Helper()
	replica := Start(tb)
	host, port, _ := net.SplitHostPort(s.Address)
	replica.Do(tb, "REPLICAOF", host, port)
	for !strings.Contains(replica.Do(tb, "INFO", "replication")[0], "\nmaster_link_status:up\r\n") {
		select {
		case <-time.After(20 * time.Millisecond):
		case <-tb.Context().Done():
			tb.Fatal("the replica does not follow")
		}
	}
	return replica
}

// Promote makes a replica a primary.
func (s *Server) Promote(tb testing.TB) { s.Do(tb, "REPLICAOF", "NO", "ONE") }

// URL returns a URL of the server, with the user information if it is not empty.
func (s *Server) URL(userinfo string) string {
	if userinfo != "" {
		userinfo += "@"
	}
	return "redis://" + userinfo + s.Address + "/0"
}

// Calls returns how often a command was carried out, also by scripts.
func (s *Server) Calls(tb testing.TB, command string) int {
	tb.Helper()
	for _, line := range strings.Fields(strings.Join(s.Do(tb, "INFO", "commandstats"), "\n")) {
		if calls, found := strings.CutPrefix(line, "cmdstat_"+command+":calls="); found {
			number, _, _ := strings.Cut(calls, ",")
			n, err := strconv.Atoi(number)
			fatal.If(tb, err)
			return n
		}
	}
	return 0
}

// Restart runs the server again after Kill, and waits until it answers. It has no data, unless its options store some.
func (s *Server) Restart(tb testing.TB) {
	tb.Helper()
	s.output.Reset()
	s.cmd = exec.Command(s.binary, s.arguments...)
	s.cmd.Stdout, s.cmd.Stderr = &s.output, &s.output
	s.cmd.SysProcAttr = platform.Child()
	fatal.If(tb, s.cmd.Start())
	ended := make(chan struct{})
	s.ended = ended
	go func() {
		defer close(ended)
		_ = s.cmd.Wait()
	}()
	for !s.answers() {
		select {
		case <-ended:
			tb.Fatalf("%s does not start: %s", s.binary, s.output.String())
		case <-tb.Context().Done():
			tb.Fatalf("%s does not answer", s.binary)
		default:
		}
	}
}

// answers reports whether the server accepts connections, with or without a password.
func (s *Server) answers() bool {
	connection, err := net.Dial("tcp", s.Address)
	if err != nil {
		return false
	}
	defer func() { _ = connection.Close() }()
	if _, err = connection.Write([]byte("PING\r\n")); err != nil {
		return false
	}
	answer := make([]byte, 7)
	n, err := connection.Read(answer)
	return err == nil && slices.Contains([]string{"+PONG\r\n", "-NOAUTH"}, string(answer[:n]))
}

// Kill ends the server at once, with all its data.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill()
	<-s.ended
}

// Do sends a command to a server without a password, and returns the answer as a list of strings; that of a simple
// answer has one.
func (s *Server) Do(tb testing.TB, words ...string) []string {
	tb.Helper()
	client, err := valkey.NewClient(valkey.ClientOption{
		InitAddress: []string{s.Address}, ForceSingleClient: true, DisableCache: true,
	})
	fatal.If(tb, err)
	defer client.Close()
	result := client.Do(tb.Context(), client.B().Arbitrary(words...).Build())
	if list, err := result.AsStrSlice(); err == nil {
		return list
	}
	text, err := result.ToAny()
	fatal.If(tb, err)
	return []string{fmt.Sprint(text)}
}
