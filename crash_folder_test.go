package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/internal/processtest"
)

// TestCrashOfMutations is TestCrash for mutations without hand-written Go: whichever process is killed while many
// callers write, the table of a folder keeps its invariants, and contains exactly once what was answered with success.
func TestCrashOfMutations(t *testing.T) {
	seed, random := crashRandom(t)
	dir, err := filepath.Abs("testdata/forum")
	if err != nil {
		t.Fatal(err)
	}
	settings := []string{"DATA_DIR=" + t.TempDir()}
	start := func() *processtest.Process {
		p := processtest.Launch(t, "serve "+dir, settings...)
		p.AwaitServing(t)
		return p
	}
	s, p := newService(), start()
	s.up(p.URL)
	forum, err := newForum(t.Context(), s, seed, *crashWriters)
	if err != nil {
		t.Fatal(err)
	}
	group, ctx := errgroup.WithContext(t.Context())
	var senders []*sender
	for _, w := range forum.writers {
		senders = append(senders, w.sender)
		group.Go(func() error { return w.run(ctx) })
	}
	p = killRepeatedly(ctx, t, random, p, s, start)
	forum.stopped.Store(true)
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	p.Signal(t, syscall.SIGTERM)
	p.WantExit(t, "exit status 0", "")

	check := exec.Command("partita", "table", "check", dir)
	check.Env = append(os.Environ(), settings...)
	if output, err := check.CombinedOutput(); err != nil {
		t.Errorf("partita table check: %v\n%s", err, output)
	}
	forum.check(t, processtest.Export(t, settings...))
	t.Log(summary(senders))
}
