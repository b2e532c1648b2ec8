package processtest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/auth"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/viewer"
)

// lastMoment returns the time at which processes are killed: before the test binary's own timeout, so that no process
// outlives the tests. It is false if the tests have no timeout.
func lastMoment(t *testing.T) (time.Time, bool) {
	t.Helper()
	deadline, is := t.Deadline()
	return deadline.Add(-10 * time.Second), is
}

// Process is a running command.
type Process struct {
	// URL, EngineAddress, EnginePID and MetricsAddress are known once the process serves. The engine's are empty with
	// another table, and MetricsAddress is empty unless the metrics have an address of their own.
	URL, EngineAddress, MetricsAddress string
	EnginePID                          int
	// Ended is closed once the process has ended.
	Ended <-chan struct{}
	// Messages are the lines on standard error that are not log. They are known once Ended is closed.
	Messages []string
	// Errors are the lines of the log with the level ERROR. They are known once Ended is closed.
	Errors []string
	// Output is what it has printed. It is known once Ended is closed.
	Output bytes.Buffer

	cmd     *exec.Cmd
	serving chan struct{} // closed once it serves, or has ended
	ended   chan struct{}
	log     []logLine // known once ended is closed
}

// logLine is the part of a line of the log that tests use.
type logLine struct {
	Level, Msg, Addr, Endpoint string
	PID                        int
}

// patience are timeouts that a gateway on a busy machine does not exceed.
var patience = []string{"OPERATION_TIMEOUT=5m", "GRACE=6m"}

// DemoData returns a data directory of the local engine with the demo data, which are loaded once for all tests.
func DemoData(t *testing.T) string {
	t.Helper()
	loadDemo.Do(func() {
		dir, err := os.MkdirTemp("", "demo")
		fatal.If(t, err)
		p := Start(t, "DATA_DIR="+dir)
		p.Signal(t, syscall.SIGTERM)
		p.WantExit(t, "exit status 0", "")
		demoDir = dir
	})
	dir := t.TempDir()
	fatal.If(t, os.CopyFS(dir, os.DirFS(demoDir)))
	return dir
}

var (
	loadDemo sync.Once
	demoDir  string
)

// Launch runs `partita` with the arguments until the test ends. Settings are NAME=value.
func Launch(t *testing.T, arguments string, settings ...string) *Process {
	t.Helper()
	return LaunchBinary(t, "partita", arguments, settings...)
}

// LaunchBinary is Launch for the program of another service.
func LaunchBinary(t *testing.T, binary, arguments string, settings ...string) *Process {
	t.Helper()
	ctx, kill := context.WithCancel(context.WithoutCancel(t.Context()))
	if deadline, is := lastMoment(t); is {
		ctx, kill = context.WithDeadline(ctx, deadline)
	}
	ended := make(chan struct{})
	p := &Process{
		cmd:     exec.CommandContext(ctx, binary, strings.Fields(arguments)...),
		serving: make(chan struct{}),
		ended:   ended,
		Ended:   ended,
	}
	p.cmd.Env = slices.Concat(os.Environ(), patience,
		[]string{"ADDR=127.0.0.1:0", "LOG_FORMAT=json", "JWT_SECRET=" + secret}, settings)
	p.cmd.Dir, p.cmd.Stdout = t.TempDir(), &p.Output
	stderr, err := p.cmd.StderrPipe()
	fatal.If(t, err)
	fatal.If(t, p.cmd.Start())
	go p.read(stderr)
	t.Cleanup(func() {
		kill()
		<-p.ended
	})
	return p
}

// Start runs `partita serve`, and waits until it serves. Without another table in the settings, it serves the demo
// data.
func Start(t *testing.T, settings ...string) *Process {
	t.Helper()
	if !slices.ContainsFunc(settings, namesTable) {
		settings = append(settings, "DATA_DIR="+DemoData(t))
	}
	p := Launch(t, "serve", settings...)
	p.AwaitServing(t)
	return p
}

func namesTable(setting string) bool {
	return strings.HasPrefix(setting, "DATA_DIR=") || strings.HasPrefix(setting, "DYNAMODB_ENDPOINT=")
}

// AwaitServing waits until the process serves.
func (p *Process) AwaitServing(t *testing.T) {
	t.Helper()
	<-p.serving
	if p.URL == "" {
		<-p.ended
		t.Fatalf("the gateway does not start: %q", p.Messages)
	}
}

// Run runs `partita` with the arguments to its end, which must be a success.
func Run(t *testing.T, arguments string, settings ...string) {
	t.Helper()
	p := Launch(t, arguments, settings...)
	<-p.ended
	if !p.cmd.ProcessState.Success() {
		t.Fatalf("partita %s: %v, %q", arguments, p.cmd.ProcessState, p.Messages)
	}
}

// Export returns the lines of `partita table export`.
func Export(t *testing.T, settings ...string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "partita", "table", "export")
	cmd.Env = append(os.Environ(), settings...)
	output, err := cmd.Output()
	fatal.If(t, err)
	return strings.Split(strings.TrimSpace(string(output)), "\n")
}

// read reads standard error until the process ends.
func (p *Process) read(stderr io.Reader) {
	defer close(p.ended)
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		var line logLine
		if json.Unmarshal(lines.Bytes(), &line) != nil {
			p.Messages = append(p.Messages, lines.Text())
			continue
		}
		p.log = append(p.log, line)
		if line.Level == "ERROR" {
			p.Errors = append(p.Errors, lines.Text())
		}
		switch line.Msg {
		case "local engine started":
			p.EngineAddress, p.EnginePID = strings.TrimPrefix(line.Endpoint, "http://"), line.PID
		case "serving metrics":
			p.MetricsAddress = line.Addr
		case "serving":
			p.URL = "http://" + line.Addr
			close(p.serving)
		}
	}
	_ = p.cmd.Wait() // the outcome is in ProcessState
	if p.URL == "" {
		close(p.serving)
	}
}

// PID returns the id of the process.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Signal sends a signal to the process.
func (p *Process) Signal(t *testing.T, s os.Signal) {
	t.Helper()
	fatal.If(t, p.cmd.Process.Signal(s))
}

// Succeeded waits for the end of the process, and reports whether it was a success.
func (p *Process) Succeeded() bool {
	<-p.ended
	return p.cmd.ProcessState.Success()
}

// WantExit waits for the end of the process and checks its state, such as "exit status 0". Its messages must be one
// line that contains the message, or none if that is empty.
func (p *Process) WantExit(t *testing.T, state, message string) {
	t.Helper()
	<-p.ended
	if got := p.cmd.ProcessState.String(); got != state {
		t.Errorf("%s, want %s; the messages are %q", got, state, p.Messages)
	}
	if message == "" {
		if len(p.Messages) > 0 {
			t.Errorf("the messages are %q, want none", p.Messages)
		}
		return
	}
	if len(p.Messages) != 1 || unreadable(p.Messages[0]) != "" || !strings.Contains(p.Messages[0], message) {
		t.Errorf("the messages are %q, want one line with %q", p.Messages, message)
	}
}

// Logged waits for the end of the process and returns how many lines of the log contain the text.
func (p *Process) Logged(text string) int {
	<-p.ended
	n := 0
	for _, line := range p.log {
		if strings.Contains(line.Msg, text) {
			n++
		}
	}
	return n
}

// WatchEngine returns a function that waits for the end of the local engine.
func (p *Process) WatchEngine(t *testing.T) (wantGone func()) {
	t.Helper()
	conn, err := net.Dial("tcp", p.EngineAddress)
	fatal.If(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	deadline, limited := lastMoment(t)
	if limited {
		fatal.If(t, conn.SetDeadline(deadline))
	}
	return func() {
		t.Helper()
		_, _ = io.Copy(io.Discard, conn) // until EOF, a reset, or in vain
		// A process that ends closes its sockets one after the other.
		for range time.Tick(10 * time.Millisecond) {
			again, err := net.Dial("tcp", p.EngineAddress)
			if err != nil {
				return
			}
			_ = again.Close()
			if limited && time.Now().After(deadline) {
				t.Fatalf("the engine still runs, as process %d", p.EnginePID)
			}
		}
	}
}

// Get returns the status and the body of a path of the gateway.
func (p *Process) Get(t *testing.T, path string) (int, string) {
	t.Helper()
	return Get(t, p.URL+path)
}

// Get returns the status and the body of a URL.
func Get(t *testing.T, url string) (int, string) {
	t.Helper()
	response, err := http.Get(url)
	fatal.If(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	fatal.If(t, err)
	return response.StatusCode, string(body)
}

// AwaitNotReady requests /readyz until its status is 503, and returns the body.
func (p *Process) AwaitNotReady(t *testing.T) string {
	t.Helper()
	for {
		switch status, body := p.Get(t, "/readyz"); status {
		case http.StatusOK:
		case http.StatusServiceUnavailable:
			return body
		default:
			t.Fatalf("/readyz is %d %s", status, body)
		}
	}
}

// secret signs the tokens that the processes trust.
const secret = "the secret of the tests, 32 bytes or more"

// TenantClaim is the claim with the tenant in the tokens of viewers who have one.
const TenantClaim = "org"

// SignIn lets the viewer send a request.
func SignIn(r *http.Request, v viewer.Viewer) error {
	s := auth.Settings{Secret: secret, SubjectClaim: "sub", RolesClaim: "roles"}
	if v.Tenant != "" {
		s.TenantClaim = TenantClaim
	}
	token, err := auth.Mint(s, v, 24*time.Hour)
	r.Header.Set("Authorization", "Bearer "+token)
	return err
}

// IsOperation returns a filter for the requests of one operation of DynamoDB, such as GetItem. Those for the lease of
// the stream are left out: a gateway sends them at any time.
func IsOperation(name string) func(tabletest.Request) bool {
	return func(r tabletest.Request) bool {
		return r.Operation == name && !strings.Contains(r.Text, stored.LeasePK) &&
			!strings.Contains(r.Text, stored.DesignPK)
	}
}
