package local

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/partita/partita/internal/platform"
	"github.com/partita/partita/internal/table/local/several"
	"github.com/partita/partita/table"
)

const (
	// engineStartTimeout bounds the engine's start, which takes some 10 ms.
	engineStartTimeout = 10 * time.Second
	// engineStopTimeout is the grace between SIGTERM and SIGKILL.
	engineStopTimeout = 5 * time.Second
	// enginePortAttempts is how often another process may take the port between our
	// choice and the engine's bind.
	enginePortAttempts = 5
)

// EngineSettings are how to run the local engine.
type EngineSettings struct {
	// Binary is the dynoxide binary. See FindEngine.
	Binary string
	// Database is the SQLite file; "" keeps all data in memory.
	Database string
	// Log gets the engine's output at debug level, and an error if the engine ends.
	Log *slog.Logger
}

// Engine is a dynoxide process that this process runs. It is a table.Service. It
// ends with this process even if that is killed, and has its own process group, so
// that a Ctrl-C on the terminal does not end it before the operations in flight.
type Engine struct {
	endpoint string
	process  *os.Process
	log      *slog.Logger
	stopping atomic.Bool
	done     chan struct{} // closed when the process has ended
	waitErr  error         // set before done is closed
	died     chan error
	release  func() error // unlocks the data directory, or nil
	isNew    bool         // its table was created for it
	several  *several.Proxy
	name     string
	closing  sync.Once
	closeErr error
}

// StartEngine starts the engine on a free port of the loopback interface and
// waits until it answers. ctx bounds only the start.
func StartEngine(ctx context.Context, s EngineSettings) (*Engine, error) {
	ctx, cancel := context.WithTimeout(ctx, engineStartTimeout)
	defer cancel()
	for attempt := 1; ; attempt++ {
		e, output, err := startEngineOnce(ctx, s)
		if err == nil {
			return e, nil
		}
		lost := strings.Contains(strings.ToLower(output), "in use")
		if ctx.Err() != nil || !lost || attempt == enginePortAttempts {
			return nil, err
		}
	}
}

// startEngineOnce starts the engine. If that fails, it also returns what the engine wrote.
func startEngineOnce(ctx context.Context, s EngineSettings) (*Engine, string, error) {
	port, err := freePort()
	if err != nil {
		return nil, "", err
	}
	args := []string{"serve", "--host", "127.0.0.1", "--port", fmt.Sprint(port)}
	if s.Database != "" {
		args = append(args, "--db-path", s.Database)
	}
	output := newEngineLog(s.Log)
	cmd := exec.Command(s.Binary, args...)
	cmd.SysProcAttr = platform.Child()
	cmd.Stdout, cmd.Stderr = output, output
	e := &Engine{
		endpoint: fmt.Sprintf("http://127.0.0.1:%d", port),
		log:      s.Log,
		name:     "the local engine",
		done:     make(chan struct{}),
		died:     make(chan error, 1),
	}
	started := make(chan error)
	go e.run(cmd, started)
	if err := <-started; err != nil {
		return nil, "", fmt.Errorf("local: the local engine does not run: %w", err)
	}
	if err := e.awaitAnswer(ctx, output); err != nil {
		e.stopping.Store(true)
		e.kill()
		return nil, output.text(), fmt.Errorf("%w; it wrote: %s", err, output.text())
	}
	return e, "", nil
}

// run starts the process and waits for it on one OS thread: Linux sends a
// child its parent-death signal when the thread that started it ends, and an
// idle thread may end at any time unless a goroutine is locked to it.
func (e *Engine) run(cmd *exec.Cmd, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := cmd.Start()
	e.process = cmd.Process
	started <- err
	if err != nil {
		return
	}
	release, err := platform.Bind(cmd.Process)
	if err != nil {
		e.log.Warn("the local engine does not end with this process if that is killed", "error", err)
		release = func() {}
	}
	e.waitErr = cmd.Wait()
	release()
	if e.waitErr == nil {
		e.waitErr = errors.New("exit status 0")
	}
	close(e.done)
	if !e.stopping.Load() {
		e.log.Error("the local engine has ended: all requests fail until the gateway is started again",
			"error", e.waitErr)
		e.died <- e.waitErr
	}
}

func (e *Engine) awaitAnswer(ctx context.Context, output *engineLog) error {
	// Without its own output, the response could be that of another process which
	// has taken the port.
	select {
	case <-output.listening:
	case <-e.done:
		return errors.New("local: the local engine ended while starting")
	case <-ctx.Done():
		return fmt.Errorf("local: the local engine did not start in time: %w", ctx.Err())
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, e.endpoint, nil)
	if err != nil {
		return err
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("local: the local engine does not answer: %w", err)
	}
	return response.Body.Close()
}

// Endpoint returns the engine's URL.
func (e *Engine) Endpoint() string { return e.endpoint }

// AddSeveral puts a several.Proxy in front of the engine if an index of the schema needs it. Endpoint is then the
// proxy's.
func (e *Engine) AddSeveral(s table.Schema) (err error) {
	if !slices.ContainsFunc(s.Indexes, func(name string) bool {
		ix := s.Layout().Index(name)
		return len(ix.PK) > 1 || len(ix.SK) > 1
	}) || e.several != nil {
		return nil
	}
	if e.several, err = several.Start(e.endpoint); err == nil {
		e.endpoint = e.several.URL()
	}
	return err
}

// Err returns nil while the engine runs.
func (e *Engine) Err() error {
	select {
	case <-e.done:
		return fmt.Errorf("the local engine has ended (%w)", e.waitErr)
	default:
		return nil
	}
}

// String names the engine, and its data directory if it has one.
func (e *Engine) String() string { return e.name }

// PID returns the engine's process ID.
func (e *Engine) PID() int { return e.process.Pid }

// Died delivers one error if the engine ends without Close.
func (e *Engine) Died() <-chan error { return e.died }

// Close stops the engine: SIGTERM, and after a grace time SIGKILL, which Windows has
// alone. Neither loses the data of a write that succeeded.
func (e *Engine) Close() error {
	e.closing.Do(e.stop)
	return e.closeErr
}

func (e *Engine) stop() {
	e.stopping.Store(true)
	if e.several != nil {
		e.closeErr = e.several.Close()
	}
	if err := e.process.Signal(syscall.SIGTERM); err == nil {
		grace := time.NewTimer(engineStopTimeout)
		defer grace.Stop()
		select {
		case <-e.done:
		case <-grace.C:
			e.log.Warn("the local engine ignores SIGTERM and is killed", "pid", e.PID())
		}
	}
	e.kill()
	if e.release != nil {
		e.closeErr = errors.Join(e.closeErr, e.release())
	}
}

func (e *Engine) kill() {
	// The only error is that it has ended already.
	_ = e.process.Kill()
	<-e.done
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("local: no free port for the local engine: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
