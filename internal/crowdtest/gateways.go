package crowdtest

import (
	"context"
	"math/rand/v2"
	"os"
	"syscall"
	"testing"

	"github.com/partita/partita/internal/processtest"
)

// Gateways are processes over one table, each behind a service.
type Gateways struct {
	Services []*Service
	// All are the processes, by service.
	All []*processtest.Process

	run func(t *testing.T) *processtest.Process
}

// StartGateways starts n processes by a function.
func StartGateways(t *testing.T, n int, run func(t *testing.T) *processtest.Process) *Gateways {
	t.Helper()
	g := &Gateways{All: make([]*processtest.Process, n), run: run}
	for i := range n {
		g.Services = append(g.Services, NewService())
		g.Start(t, i)
	}
	return g
}

// Start starts the process of a service that is down.
func (g *Gateways) Start(t *testing.T, i int) {
	t.Helper()
	g.All[i] = g.run(t)
	g.Services[i].Up(g.All[i].URL)
}

// Kill kills a process, and starts another one.
func (g *Gateways) Kill(t *testing.T, i int) {
	t.Helper()
	g.All[i].Signal(t, os.Kill)
	g.Services[i].Down()
	g.All[i].WantExit(t, "signal: killed", "")
	g.Start(t, i)
}

// Terminate stops a process in order, and leaves its service down.
func (g *Gateways) Terminate(t *testing.T, i int) {
	t.Helper()
	g.All[i].Signal(t, syscall.SIGTERM)
	g.Services[i].Down()
	g.All[i].WantExit(t, "exit status 0", "")
}

// KillInTurn kills one after the other, n times in all, each after at most some attempts at it, and returns after as
// many more attempts at each. It returns early with the context, if a writer fails.
func (g *Gateways) KillInTurn(ctx context.Context, t *testing.T, random *rand.Rand, n, attempts int) {
	t.Helper()
	for i := range n + len(g.All) {
		at := i % len(g.All)
		select {
		case <-g.Services[at].AfterAttempts(random.IntN(attempts)):
		case <-ctx.Done():
			return
		}
		if i < n {
			g.Kill(t, at)
		}
	}
}
