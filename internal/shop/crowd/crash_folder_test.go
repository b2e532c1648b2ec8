package crowd

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/internal/crowdtest"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
)

// forumDir is the folder of the schema that the mutations are of.
const forumDir = "testdata/forum"

// TestCrashOfMutations is TestCrash for mutations without hand-written Go: whichever process is killed while many
// callers write, the table of a folder keeps its invariants, and contains exactly once what was answered with success.
func TestCrashOfMutations(t *testing.T) {
	t.Parallel()
	crashForum(t, kills, func() {}, "DATA_DIR="+t.TempDir())
}

// TestCrashAmongFaults is TestCrashOfMutations for a table that also rejects requests, whose answers are lost, whose
// partition keys take little and whose index is late.
func TestCrashAmongFaults(t *testing.T) {
	t.Parallel()
	f, err := folder.Open(forumDir)
	fatal.If(t, err)
	e := tabletest.Start(t, table.SchemaOf(f.Schema.Design))
	e.Proxy.Inject(tabletest.Faults{Throttled: 0.02, Failed: 0.01, Reset: 0.02, Lost: 0.02, Conflict: 0.02})
	e.Proxy.Limit(tabletest.Limits{ReadUnits: 300, WriteUnits: 100, Contended: true, IndexDelay: 50 * time.Millisecond})
	settings := []string{"DYNAMODB_ENDPOINT=" + e.Proxy.URL(), "READ_UNITS_BUCKET=0"}
	quiet := func() {
		e.Proxy.Inject(tabletest.Faults{})
		e.Proxy.Limit(tabletest.Limits{})
	}
	crashForum(t, []kill{killServer}, quiet, settings...)
}

// crashForum lets many callers write while processes are killed. quiet ends the faults of the table before it is
// checked.
func crashForum(t *testing.T, kills []kill, quiet func(), settings ...string) {
	t.Helper()
	random := crashRandom()
	dir, err := filepath.Abs(forumDir)
	fatal.If(t, err)
	start := func() *processtest.Process {
		p := processtest.Launch(t, "serve "+dir, settings...)
		p.AwaitServing(t)
		return p
	}
	s, p := crowdtest.NewService(), start()
	s.Up(p.URL)
	forum, err := newForum(t.Context(), s, crashWriters)
	fatal.If(t, err)
	group, ctx := errgroup.WithContext(t.Context())
	var senders []*crowdtest.Sender
	for _, w := range forum.writers {
		senders = append(senders, w.Sender)
		group.Go(func() error { return w.run(ctx) })
	}
	p = killRepeatedly(ctx, t, random, crashKills, kills, p, s, start)
	forum.stopped.Store(true)
	fatal.If(t, group.Wait())
	quiet()
	p.Signal(t, syscall.SIGTERM)
	p.WantExit(t, "exit status 0", "")

	check := exec.Command("partita", "table", "check", dir)
	check.Env = append(os.Environ(), settings...)
	if output, err := check.CombinedOutput(); err != nil {
		t.Errorf("partita table check: %v\n%s", err, output)
	}
	forum.check(t, processtest.Export(t, settings...))
	t.Log(crowdtest.Summary(senders))
}
