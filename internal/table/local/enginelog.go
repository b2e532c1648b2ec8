package local

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
)

const (
	// engineListening begins the line that dynoxide writes once its port is
	// open.
	engineListening = "Dynoxide listening on"
	// engineKept bounds the output kept for the message of a failed start.
	engineKept = 2048
)

// engineLog passes on the engine's output to the log, line by line, and notes
// that it listens. os/exec writes to it from one goroutine.
type engineLog struct {
	log       *slog.Logger
	listening chan struct{}
	heard     bool
	line      []byte

	mu   sync.Mutex
	kept []string
	size int
}

func newEngineLog(log *slog.Logger) *engineLog {
	return &engineLog{log: log, listening: make(chan struct{})}
}

func (l *engineLog) Write(p []byte) (int, error) {
	l.line = append(l.line, p...)
	for {
		line, rest, ok := bytes.Cut(l.line, []byte{'\n'})
		if !ok {
			return len(p), nil
		}
		l.add(strings.TrimSpace(string(line)))
		l.line = append(l.line[:0], rest...)
	}
}

func (l *engineLog) add(line string) {
	if line == "" {
		return
	}
	l.log.Debug("local engine", "output", line)
	if !l.heard && strings.HasPrefix(line, engineListening) {
		l.heard = true
		close(l.listening)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.size < engineKept {
		l.kept = append(l.kept, line)
		l.size += len(line)
	}
}

// text returns the first output, in one line.
func (l *engineLog) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.kept) == 0 {
		return "nothing"
	}
	return strings.Join(l.kept, "; ")
}
