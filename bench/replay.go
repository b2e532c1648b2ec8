package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime/debug"
	"time"

	"github.com/partita/partita/bench/internal/replay"
	"github.com/partita/partita/keys/stored"
)

// replayCommand serves a [replay.Proxy] on a free port of the loopback interface. It prints its address, then obeys the
// lines on standard input, each a controlLine, and prints the counts after each. It ends with standard input.
type replayCommand struct {
	Endpoint string `arg:"" help:"URL of the DynamoDB endpoint to record."`
}

// controlLine is what a Proxy does from now on.
type controlLine struct {
	Replay bool
	Delay  time.Duration
}

// collections are the GOGC of the processes that measure, so that they leave more of the machine to what is measured.
const collections = 800

// Run serves until standard input ends.
func (c *replayCommand) Run(ctx context.Context) error {
	debug.SetGCPercent(collections)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	// A gateway looks for another design of the table from time to time, also while other systems are measured.
	p := replay.New(c.Endpoint, stored.DesignPK)
	served := make(chan error, 1)
	go func() { served <- p.Serve(ctx, listener) }()
	fmt.Println(listener.Addr())
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var line controlLine
		if err := in.Decode(&line); errors.Is(err, io.EOF) {
			cancel()
			return <-served
		} else if err != nil {
			return err
		}
		if line.Replay {
			p.Replay(line.Delay)
		} else {
			p.Record()
		}
		if err := out.Encode(p.Counts()); err != nil {
			return err
		}
	}
}

// proxy is a replayCommand that runs.
type proxy struct {
	endpoint string
	cmd      *exec.Cmd
	stdin    io.WriteCloser
	stdout   *bufio.Reader
}

func startProxy(ctx context.Context, self, endpoint string) (*proxy, error) {
	cmd := exec.CommandContext(ctx, self, "replay", endpoint)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &proxy{cmd: cmd, stdin: stdin, stdout: bufio.NewReader(stdout)}
	var addr string
	if _, err := fmt.Fscanln(p.stdout, &addr); err != nil {
		return nil, errors.Join(err, p.close())
	}
	p.endpoint = "http://" + addr
	return p, nil
}

// control returns the counts when the line is in force.
func (p *proxy) control(line controlLine) (replay.Counts, error) {
	var counts replay.Counts
	if err := json.NewEncoder(p.stdin).Encode(line); err != nil {
		return counts, err
	}
	text, err := p.stdout.ReadBytes('\n')
	if err != nil {
		return counts, err
	}
	return counts, json.Unmarshal(text, &counts)
}

func (p *proxy) close() error {
	return errors.Join(p.stdin.Close(), p.cmd.Wait())
}
