package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/migrate/run"
)

// logProgressEvery is how often the log gets a line.
const logProgressEvery = 10 * time.Second

// progressReport shows how far a migration is: in the last line of a terminal, otherwise in the log.
type progressReport struct {
	log *slog.Logger
	// line is that of a terminal; nil for none.
	line   *statusLine
	begin  time.Time
	logged time.Time
	// first is what was seen first of the pass, at the time since.
	first run.Progress
	since time.Time
}

// newProgressReport returns one to a file, which is a terminal or not. log writes there, too.
func newProgressReport(out *os.File, log *slog.Logger) (*progressReport, error) {
	r := &progressReport{log: log, begin: time.Now()}
	info, err := out.Stat()
	if err != nil {
		return nil, err
	}
	if info.Mode()&os.ModeCharDevice == 0 {
		return r, nil
	}
	r.line = &statusLine{out: out}
	r.log, err = logging.New(r.line, "text")
	return r, err
}

func (r *progressReport) report(ctx context.Context, p run.Progress) {
	now := time.Now()
	if r.first.State != p.State || r.first.Phase != p.Phase || r.first.Pass != p.Pass || r.since.IsZero() {
		r.first, r.since = p, now
	}
	left := timeLeft(r.first, p, now.Sub(r.since))
	if r.line != nil {
		r.line.set(progressLine(p, left))
		return
	}
	if now.Sub(r.logged) < logProgressEvery {
		return
	}
	r.logged = now
	r.log.InfoContext(ctx, "migrating", "state", p.State, "phase", p.Phase, "pass", p.Pass, "items", p.Items,
		"of", p.Total, "objects", p.Objects, "written", p.Written, "readUnits", p.ReadUnits, "writeUnits", p.WriteUnits,
		"blocked", p.Blocked, "waitingForReplicas", p.Replicas, "took", now.Sub(r.begin).Round(time.Second),
		"left", left)
}

// end removes the line.
func (r *progressReport) end() {
	if r.line != nil {
		r.line.set("")
	}
}

// timeLeft returns how long a pass takes from now on if it goes on as since it was seen first; 0 if that is not known.
func timeLeft(first, now run.Progress, took time.Duration) time.Duration {
	done, left := now.Items-first.Items, now.Total-now.Items
	if done <= 0 || left <= 0 {
		return 0
	}
	return (took * time.Duration(left) / time.Duration(done)).Round(time.Second)
}

func progressLine(p run.Progress, left time.Duration) string {
	if p.Replicas > 0 {
		return fmt.Sprintf("%s: waiting for %s", p.State, count(p.Replicas, "replica", "replicas"))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, pass %d, %d of %d items, %d written, %.0f read and %.0f write units", p.State, p.Phase,
		p.Pass, p.Items, max(p.Total, p.Items), p.Written, p.ReadUnits, p.WriteUnits)
	if p.Blocked > 0 {
		fmt.Fprintf(&b, ", %s the migration", count(p.Blocked, "object stops", "objects stop"))
	}
	if left > 0 {
		fmt.Fprintf(&b, ", %s left in this pass", left)
	}
	return b.String()
}

// clearLine goes to the beginning of a terminal's line and removes it.
//
// https://www.ecma-international.org/publications-and-standards/standards/ecma-48/ (EL)
const clearLine = "\r\x1b[K"

// statusLine keeps a text in the last line of a terminal, below what is written.
type statusLine struct {
	mu   sync.Mutex
	out  io.Writer
	text string
}

func (l *statusLine) set(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = text
	_, _ = io.WriteString(l.out, clearLine+text) // a terminal that is gone shows nothing
}

// Write writes lines above the text.
func (l *statusLine) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := io.WriteString(l.out, clearLine+string(p)+l.text)
	return len(p), err
}
