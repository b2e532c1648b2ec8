package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// startTimeout is how long a system may take until it serves.
const startTimeout = 30 * time.Second

// process is a system that runs.
type process struct {
	system
	addr, metricsAddr string // which its log has once it listens
	cmd               *exec.Cmd
	log               string // path
	ended             chan struct{}
	err               error // known once ended is closed
}

// start starts a system, with a log in the folder, and waits until it serves.
func start(ctx context.Context, s system, self, partita, endpoint, dir string) (*process, error) {
	program := self
	if s.settings != nil {
		program = partita
	}
	p := &process{
		system: s,
		cmd:    exec.CommandContext(ctx, program, s.arguments...),
		log:    filepath.Join(dir, s.name+".log"), ended: make(chan struct{}),
	}
	log, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }() // the process has its own
	p.cmd.Dir, p.cmd.Stderr = dir, log
	p.cmd.Env = append(settings(endpoint), s.settings...)
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(syscall.SIGTERM) }
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	if err := p.await(ctx); err != nil {
		return nil, errors.Join(p.failed(err), p.stop())
	}
	return p, nil
}

// failed returns the error with the name of the process and the end of its log.
func (p *process) failed(err error) error {
	const maxLog = 2000
	log, _ := os.ReadFile(p.log) // the error without it is better than none
	return fmt.Errorf("%s: %w; the end of its log is\n%s", p.name, err, log[max(0, len(log)-maxLog):])
}

// await waits until the process serves.
func (p *process) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		log, err := os.ReadFile(p.log)
		if err != nil {
			return err
		}
		p.addr, p.metricsAddr = listens(log, "serving"), listens(log, `"serving metrics"`)
		if p.addr != "" && p.metricsAddr != "" && p.get(ctx, p.addr, "/healthz") == nil {
			return nil
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-p.ended:
			return fmt.Errorf("it ended while it started: %w", p.err)
		case <-ctx.Done():
			return fmt.Errorf("it does not serve: %w", ctx.Err())
		}
	}
}

func (p *process) get(ctx context.Context, addr, path string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+path, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	return response.Body.Close()
}

// stop ends the process.
func (p *process) stop() error {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-p.ended:
	case <-time.After(startTimeout):
		_ = p.cmd.Process.Kill()
		<-p.ended
		return fmt.Errorf("%s did not stop", p.name)
	}
	return nil
}

// peakMemory returns the largest resident set of the process so far, in bytes.
func (p *process) peakMemory() (float64, error) { return p.memory("VmHWM") }

// memory returns a value of proc_pid_status(5) in bytes.
func (p *process) memory(name string) (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if rest, is := strings.CutPrefix(line, name+":"); is {
			kilobytes, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 64)
			return kilobytes * 1024, err
		}
	}
	return 0, fmt.Errorf("the process has no %s: bench needs Linux", name)
}

// listens returns the address in the message of a log, "" if it is not there yet.
func listens(log []byte, message string) string {
	_, rest, _ := strings.Cut(string(log), " msg="+message+" addr=")
	address, _, isWhole := strings.Cut(rest, "\n")
	if !isWhole {
		return ""
	}
	address, _, _ = strings.Cut(address, " ")
	return address
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// status sends a request on a connection of its own and returns the status of the response.
func (p *process) status(request []byte) (int, error) {
	conn, err := net.Dial("tcp", p.addr)
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.Write(request); err != nil {
		return 0, err
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}
