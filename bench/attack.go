package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// attackCommand is the client of a hostile caller: it sends the same bytes again and again on its connections, until
// standard input ends, and then prints how many answers it got. It spends as little CPU as possible: it runs on the
// cores of what it attacks.
type attackCommand struct {
	Addr        string `arg:"" help:"Address of the gateway."`
	Connections int    `default:"64" range:"1..10000" help:"How many connections."`
}

// Run attacks until standard input ends.
func (c *attackCommand) Run(ctx context.Context) error {
	in := json.NewDecoder(os.Stdin)
	var line attackLine
	if err := in.Decode(&line); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var answers atomic.Int64
	var connections sync.WaitGroup
	for i := range c.Connections {
		own := line
		own.Request = bytes.Clone(line.Request)
		own.count(i * (largestCount / c.Connections))
		connections.Go(func() {
			for ctx.Err() == nil {
				own.repeat(ctx, c.Addr, &answers)
			}
		})
	}
	_, _ = io.Copy(io.Discard, os.Stdin) // until it ends
	cancel()
	connections.Wait()
	fmt.Println(answers.Load())
	return nil
}

// count adds n to the counter in the request.
func (l attackLine) count(n int) {
	if l.Counter == 0 {
		return
	}
	for i := l.Counter + len(counter) - 1; n > 0 && i >= l.Counter; i-- {
		n += int(l.Request[i] - '0')
		l.Request[i], n = byte('0'+n%10), n/10
	}
}

// repeat sends requests on one connection until it is closed.
func (l attackLine) repeat(ctx context.Context, addr string, answers *atomic.Int64) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return // the gateway has stopped, or will accept the next one
	}
	defer func() { _ = conn.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(0, 0)) })
	defer stop()
	if l.Unread {
		// The rest of the answer does not fit into the buffers of the kernel.
		_ = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
	}
	reader := bufio.NewReaderSize(conn, 64<<10)
	for {
		l.count(1)
		if _, err := conn.Write(l.Request); err != nil {
			return
		}
		if l.Unread {
			<-ctx.Done()
			return
		}
		if skipAnswer(reader) != nil {
			return
		}
		answers.Add(1)
	}
}

// skipAnswer reads a response that has a Content-Length.
func skipAnswer(reader *bufio.Reader) error {
	length := 0
	for {
		line, err := reader.ReadSlice('\n')
		if err != nil {
			return err
		}
		if value, is := bytes.CutPrefix(line, []byte("Content-Length: ")); is {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
		if len(line) <= 2 {
			_, err := reader.Discard(length)
			return err
		}
	}
}

// An attacker is an attackCommand that runs as a process, at the lowest priority.
type attacker struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out bytes.Buffer
}

func startAttacker(ctx context.Context, self, addr string, connections int, line attackLine) (*attacker, error) {
	a := &attacker{cmd: exec.CommandContext(ctx,
		"nice", "-n", "19", self, "attack", addr, "--connections="+strconv.Itoa(connections))}
	a.cmd.Stdout, a.cmd.Stderr = &a.out, os.Stderr
	var err error
	if a.in, err = a.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := a.cmd.Start(); err != nil {
		return nil, err
	}
	return a, json.NewEncoder(a.in).Encode(line)
}

// stop ends the attack and returns how many answers there were.
func (a *attacker) stop() (answers int, err error) {
	if err := errors.Join(a.in.Close(), a.cmd.Wait()); err != nil {
		return 0, err
	}
	return strconv.Atoi(string(bytes.TrimSpace(a.out.Bytes())))
}

// attackLine is the first line of standard input.
type attackLine struct {
	Request []byte
	// Counter is where digits in the request count its repetitions, so that each differs; 0 for none.
	Counter int
	// Unread is set if the answers are not read.
	Unread bool
}

// A counter has six digits.
const (
	counter      = "000000"
	largestCount = 1_000_000
)
