package crowd

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/internal/crowdtest"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/soak"
)

// crashWriters write at the same time: at most so many that the local engine keeps up.
var crashWriters = min(200, soak.Times(10))

// crashKills is how often processes are killed: at least once in each way.
var crashKills = soak.Times(len(kills))

// kill kills a gateway, its local engine or both, and waits until the gateway has ended.
type kill func(t *testing.T, p *processtest.Process, s *crowdtest.Service)

// kills are done in turn: the local engine must end with its gateway, a gateway must survive its engine, and both may
// be killed at once.
var kills = []kill{killGateway, killEngine, killBoth}

// TestCrash: whichever process is killed while many callers write, the table keeps its invariants, and contains exactly
// once what was answered with success.
func TestCrash(t *testing.T) {
	t.Parallel()
	random := crashRandom()
	// With launch's timeouts, only kills leave an attempt without an answer, however slow the machine is: what ran out
	// of time could still be carried out after the next attempt.
	settings := []string{"DATA_DIR=" + t.TempDir()}
	processtest.Run(t, "table create", settings...) // or it would be filled with the demo data

	s := crowdtest.NewService()
	p := processtest.Start(t, settings...)
	s.Up(p.URL)
	crowd, err := newCrowd(t.Context(), s, crashWriters)
	fatal.If(t, err)
	group, ctx := errgroup.WithContext(t.Context())
	for _, w := range crowd.writers {
		group.Go(func() error { return w.run(ctx) })
	}
	start := func() *processtest.Process { return processtest.Start(t, settings...) }
	p = killRepeatedly(ctx, t, random, crashKills, kills, p, s, start)
	crowd.stop()
	fatal.If(t, group.Wait())
	p.Signal(t, syscall.SIGTERM)
	p.WantExit(t, "exit status 0", "")

	wantClean(t, settings...)
	crowd.check(t, processtest.Export(t, settings...))
	t.Log(crowd.summary())
}

// killRepeatedly kills n processes while writers write, and starts others. It ends early with the context, if a writer
// fails. It returns the last process.
func killRepeatedly(
	ctx context.Context, t *testing.T, random *rand.Rand, n int, kills []kill,
	p *processtest.Process, s *crowdtest.Service, start func() *processtest.Process,
) *processtest.Process {
	t.Helper()
	for i := range n {
		select {
		case <-s.AfterAttempts(random.IntN(3 * crashWriters)):
		case <-ctx.Done():
			return p
		}
		kills[i%len(kills)](t, p, s)
		p = start()
		s.Up(p.URL)
	}
	return p
}

// crashRandom returns the random numbers of a test with kills.
func crashRandom() *rand.Rand { return rand.New(rand.NewPCG(soak.Seed, 0)) }

// wantClean removes what is left of deleted users and checks the whole table.
func wantClean(t *testing.T, settings ...string) {
	t.Helper()
	processtest.Run(t, "table sweep", settings...)
	check := exec.Command("partita", "table", "check")
	check.Env = append(os.Environ(), settings...)
	if output, err := check.CombinedOutput(); err != nil {
		t.Errorf("partita table check: %v\n%s", err, output)
	}
}

func killGateway(t *testing.T, p *processtest.Process, s *crowdtest.Service) {
	wantGone := p.WatchEngine(t)
	p.Signal(t, os.Kill)
	s.Down()
	p.WantExit(t, "signal: killed", "")
	wantGone()
}

// killServer kills a gateway whose table is not its own.
func killServer(t *testing.T, p *processtest.Process, s *crowdtest.Service) {
	p.Signal(t, os.Kill)
	s.Down()
	p.WantExit(t, "signal: killed", "")
}

// killEngine leaves a gateway that reports it and does not recover by itself.
func killEngine(t *testing.T, p *processtest.Process, s *crowdtest.Service) {
	killProcess(t, p.EnginePID)
	p.AwaitNotReady(t)
	s.Down()
	p.Signal(t, syscall.SIGTERM)
	p.WantExit(t, "exit status 69", "the local engine had ended before the gateway was stopped")
}

func killBoth(t *testing.T, p *processtest.Process, s *crowdtest.Service) {
	wantGone := p.WatchEngine(t)
	killProcess(t, p.EnginePID)
	p.Signal(t, os.Kill)
	s.Down()
	p.WantExit(t, "signal: killed", "")
	wantGone()
}

func killProcess(t *testing.T, pid int) {
	t.Helper()
	process, err := os.FindProcess(pid)
	fatal.If(t, err)
	fatal.If(t, process.Kill())
}
