package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
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

	"github.com/partita/partita/demo"
)

// lastMoment is when what hangs is ended: before the test binary's own timeout, so that no process outlives the
// tests. It is false if the tests have no timeout.
func lastMoment(t *testing.T) (time.Time, bool) {
	t.Helper()
	deadline, is := t.Deadline()
	return deadline.Add(-10 * time.Second), is
}

// process is a running command, of `partita serve` if nothing else is said.
type process struct {
	cmd     *exec.Cmd
	serving chan struct{} // closed once it serves, or has ended
	ended   chan struct{} // closed once it has ended

	// Known once serving is closed. The engine's are empty without one.
	url, engineAddress string
	enginePID          int
	// metricsAddr is empty unless the metrics have an address of their own.
	metricsAddr string

	// Known once ended is closed: standard error, apart by what is log.
	log      []logLine
	messages []string
}

// logLine is what tests read of a line of the log.
type logLine struct {
	Level, Msg, Addr, Endpoint string
	PID                        int
}

// patience are timeouts that a gateway on a busy machine does not exceed.
var patience = []string{"OPERATION_TIMEOUT=5m", "READ_TIMEOUT=5m", "WRITE_TIMEOUT=6m", "GRACE=6m"}

// demoData returns a data directory of the local engine with the demo data, which are loaded once for all tests.
func demoData(t *testing.T) string {
	t.Helper()
	loadDemo.Do(func() {
		dir, err := os.MkdirTemp("", "demo")
		if err != nil {
			t.Fatal(err)
		}
		p := start(t, "DATA_DIR="+dir)
		p.signal(t, syscall.SIGTERM)
		p.wantExit(t, "exit status 0", "")
		demoDir = dir
	})
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(demoDir)); err != nil {
		t.Fatal(err)
	}
	return dir
}

var (
	loadDemo sync.Once
	demoDir  string
)

// launch runs `partita` with the arguments until the test ends. Settings are
// NAME=value.
func launch(t *testing.T, arguments string, settings ...string) *process {
	t.Helper()
	return launchBinary(t, "partita", arguments, settings...)
}

// launchBinary is launch for another build of the program.
func launchBinary(t *testing.T, binary, arguments string, settings ...string) *process {
	t.Helper()
	ctx, kill := context.WithCancel(context.WithoutCancel(t.Context()))
	if deadline, is := lastMoment(t); is {
		ctx, kill = context.WithDeadline(ctx, deadline)
	}
	p := &process{
		cmd:     exec.CommandContext(ctx, binary, strings.Fields(arguments)...),
		serving: make(chan struct{}),
		ended:   make(chan struct{}),
	}
	p.cmd.Env = slices.Concat(os.Environ(), patience,
		[]string{"ADDR=127.0.0.1:0", "LOG_FORMAT=json", "JWT_SECRET=" + testSecret}, settings)
	p.cmd.Dir = t.TempDir()
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go p.read(stderr)
	t.Cleanup(func() {
		kill()
		<-p.ended
	})
	return p
}

// start runs `partita serve`, and waits until it serves. Without another table in the settings, it serves the demo
// data.
func start(t *testing.T, settings ...string) *process {
	t.Helper()
	if !slices.ContainsFunc(settings, namesTable) {
		settings = append(settings, "DATA_DIR="+demoData(t))
	}
	return started(t, launch(t, "serve", settings...))
}

func namesTable(setting string) bool {
	return strings.HasPrefix(setting, "DATA_DIR=") || strings.HasPrefix(setting, "DYNAMODB_ENDPOINT=")
}

// started waits until the process serves.
func started(t *testing.T, p *process) *process {
	t.Helper()
	<-p.serving
	if p.url == "" {
		<-p.ended
		t.Fatalf("the gateway does not start: %q", p.messages)
	}
	return p
}

// read takes in standard error until the process ends.
func (p *process) read(stderr io.Reader) {
	defer close(p.ended)
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		var line logLine
		if json.Unmarshal(lines.Bytes(), &line) != nil {
			p.messages = append(p.messages, lines.Text())
			continue
		}
		p.log = append(p.log, line)
		switch line.Msg {
		case "local engine started":
			p.engineAddress, p.enginePID = strings.TrimPrefix(line.Endpoint, "http://"), line.PID
		case "serving metrics":
			p.metricsAddr = line.Addr
		case "serving":
			p.url = "http://" + line.Addr
			close(p.serving)
		}
	}
	_ = p.cmd.Wait() // the outcome is in ProcessState
	if p.url == "" {
		close(p.serving)
	}
}

func (p *process) signal(t *testing.T, s os.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// wantExit waits for the end of the process, and checks how it ended and that
// it said why in one line, or nothing when there is nothing to say.
func (p *process) wantExit(t *testing.T, state, message string) {
	t.Helper()
	<-p.ended
	if got := p.cmd.ProcessState.String(); got != state {
		t.Errorf("%s, want %s; it said %q", got, state, p.messages)
	}
	switch {
	case message == "" && len(p.messages) > 0:
		t.Errorf("it said %q", p.messages)
	case message != "" && (len(p.messages) != 1 || unreadable(p.messages[0]) != "" || !strings.Contains(p.messages[0], message)):
		t.Errorf("it said %q, want one line with %q", p.messages, message)
	}
}

// logged counts the lines of the log that contain the text.
func (p *process) logged(text string) int {
	<-p.ended
	n := 0
	for _, line := range p.log {
		if strings.Contains(line.Msg, text) {
			n++
		}
	}
	return n
}

// watchEngine returns a function that waits for the end of the engine.
func (p *process) watchEngine(t *testing.T) (wantGone func()) {
	t.Helper()
	conn, err := net.Dial("tcp", p.engineAddress)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	deadline, limited := lastMoment(t)
	if limited {
		if err := conn.SetDeadline(deadline); err != nil {
			t.Fatal(err)
		}
	}
	return func() {
		t.Helper()
		_, _ = io.Copy(io.Discard, conn) // until EOF, a reset, or in vain
		// A process that ends closes its sockets one after the other.
		for range time.Tick(10 * time.Millisecond) {
			again, err := net.Dial("tcp", p.engineAddress)
			if err != nil {
				return
			}
			_ = again.Close()
			if limited && time.Now().After(deadline) {
				t.Fatalf("the engine still runs, as process %d", p.enginePID)
			}
		}
	}
}

// get gives the status and the body.
func (p *process) get(t *testing.T, path string) (int, string) {
	t.Helper()
	return getURL(t, p.url+path)
}

func getURL(t *testing.T, url string) (int, string) {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

// awaitNotReady asks /readyz until it says 503, and gives what else it says.
// The gateway would be ready for ever, were it not for what the test did.
func (p *process) awaitNotReady(t *testing.T) string {
	t.Helper()
	for {
		switch status, body := p.get(t, "/readyz"); status {
		case http.StatusOK:
		case http.StatusServiceUnavailable:
			return body
		default:
			t.Fatalf("/readyz says %d %s", status, body)
		}
	}
}

// answer is a GraphQL response about one user.
type answer struct {
	Data   struct{ User *struct{ Name string } }
	Errors []struct {
		Message    string
		Extensions struct{ Code string }
	}
}

// askAda asks for the user that the demo data begins with.
func (p *process) askAda() (answer, error) {
	response, err := http.Post(p.url+"/graphql", "application/json", strings.NewReader(adaQuery()))
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	return readAnswer(response.Body)
}

func adaQuery() string {
	return fmt.Sprintf(`{"query":"{ user(id: \"%s\") { name } }"}`, demo.Ada().Encode())
}

func readAnswer(body io.Reader) (a answer, err error) {
	err = json.NewDecoder(body).Decode(&a)
	return a, err
}

func wantAda(t *testing.T, a answer, err error) {
	t.Helper()
	if err != nil || len(a.Errors) > 0 || a.Data.User == nil || !strings.HasPrefix(a.Data.User.Name, "Ada ") {
		t.Errorf("got %+v, %v", a, err)
	}
}

// slowRequest is an operation whose body is yet to come.
type slowRequest struct {
	conn   net.Conn
	reader *bufio.Reader
}

// beginSlowly sends the head of a request and waits until the gateway wants its
// body, which is when the operation is in flight.
//
// https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1
func (p *process) beginSlowly(t *testing.T) slowRequest {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_, err = fmt.Fprintf(conn, "POST /graphql HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\n"+
		"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n", len(adaQuery()))
	if err != nil {
		t.Fatal(err)
	}
	r := slowRequest{conn, bufio.NewReader(conn)}
	for _, want := range []string{"HTTP/1.1 100 Continue\r\n", "\r\n"} {
		if line, err := r.reader.ReadString('\n'); line != want {
			t.Fatalf("got %q, %v", line, err)
		}
	}
	return r
}

// finish sends the body and gives the answer.
func (r slowRequest) finish() (answer, error) {
	if _, err := io.WriteString(r.conn, adaQuery()); err != nil {
		return answer{}, err
	}
	response, err := http.ReadResponse(r.reader, nil)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	return readAnswer(response.Body)
}
