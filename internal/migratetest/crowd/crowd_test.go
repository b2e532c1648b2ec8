package crowd

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/app"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/table"
)

func TestMain(m *testing.M) {
	processtest.Main(m, func() {
		record.Every, record.Lease = 300*time.Millisecond, 4*time.Second
		app.Main(app.Application{
			Schema: testservice.Executable(), Design: testservice.Design(),
			Stream: stream.Settings{Interval: 100 * time.Millisecond, Lease: time.Second, Settled: 100 * time.Millisecond},
		})
	})
}

// short are the changes of the short form.
var short = map[string]bool{"billing item key": true, "documents new counter": true, "teams tenants": true}

// TestChanges: while a table is migrated, undone, migrated again and finished, each answer to each writer is right, or
// NOT_READY, and each side's table is that of its objects.
func TestChanges(t *testing.T) {
	t.Parallel()
	for _, c := range changes {
		if name := c.example + " " + c.name; soak.Times(1) > 1 || short[name] {
			t.Run(name, func(t *testing.T) { c.run(t) })
		}
	}
}

// migration is one run of a change.
type migration struct {
	*world
	engine   *tabletest.Engine
	dirs     [2]string
	replicas []*replica
	process  []*processtest.Process
	// all are the processes of all replicas that there have been.
	all     []*processtest.Process
	writers []*writer
	random  *rand.Rand
	kills   int
	// others are the objects of the other program.
	others int
}

func (c change) run(t *testing.T) {
	m := &migration{world: newWorld(t, c), random: rand.New(rand.NewPCG(soak.Seed, 5))}
	t.Cleanup(func() { m.logErrors(t) })
	isLong := soak.Times(1) > 1
	schema := table.SchemaOf(m.sides[0].Design)
	schema.Stream = isLong // With a stream, each step waits for it.
	m.engine = tabletest.StartStored(t, schema)
	m.load(t, m.engine, c)
	fatal.If(t, record.Open(m.engine.Table).Put(t.Context(), migrate.Record{}, migrate.NewRecord(m.sides[0])))
	var faults tabletest.Faults
	if isLong {
		faults = tabletest.Faults{Throttled: 0.02, Failed: 0.01, Reset: 0.01, Lost: 0.01, Conflict: 0.02}
	}
	for side, sdl := range c.schemas(t) {
		m.dirs[side] = t.TempDir()
		fatal.If(t, os.WriteFile(filepath.Join(m.dirs[side], "schema.graphqls"), []byte(sdl), 0o600))
	}
	for i := range 4 {
		m.replicas, m.process = append(m.replicas, &replica{side: i % 2}), append(m.process, nil)
		m.start(t, i)
	}
	writers, pause, count := 4, time.Duration(0), &counts{}
	if isLong { // as many clients, with about the load of twelve that do not pause
		writers, pause = 50, 250*time.Millisecond
	}
	transport := &http.Transport{MaxIdleConnsPerHost: writers}
	for i := range writers {
		m.writers = append(m.writers, &writer{
			world: m.world, name: fmt.Sprint("w", i), serial: 1000 * (i + 1), replicas: m.replicas, gone: map[string]bool{},
			random: rand.New(rand.NewPCG(soak.Seed, uint64(i+100))), client: &http.Client{Transport: transport}, counts: count,
			pause: pause,
		})
	}
	defer func() {
		t.Logf("| %s %s | %d | %d | %d | %d | %d | %v |", c.example, c.name, count.writes.Load(), count.answers.Load(),
			count.notReady.Load(), count.unavailable.Load(), m.kills, !t.Failed())
	}()
	for side, commands := range [][]string{{"run", "undo"}, {"run", "finish"}} {
		m.engine.Proxy.Inject(faults)
		fatal.If(t, m.among(t, count, commands, isLong))
		m.engine.Proxy.Inject(tabletest.Faults{})
		m.compare(t, side)
		m.tableCheck(t, m.engine, side)
		if t.Failed() {
			return
		}
	}
}

// among carries out commands while all write.
func (m *migration) among(t *testing.T, count *counts, commands []string, kills bool) error {
	t.Helper()
	stop := make(chan struct{})
	group, ctx := errgroup.WithContext(t.Context())
	for _, w := range m.writers {
		w.stop = stop
		group.Go(func() error { return w.run(ctx) })
	}
	m.await(ctx, count, len(m.writers))
	m.other(t)
	for _, command := range commands {
		m.migrate(ctx, t, command, kills)
		if kills && command == "run" {
			m.other(t)
		}
		if ctx.Err() != nil {
			break
		}
		m.await(ctx, count, len(m.writers))
		if kills {
			m.kill(t)
		}
	}
	close(stop)
	return group.Wait()
}

// compare compares the table with the objects of all writers.
func (m *migration) compare(t *testing.T, side int) {
	t.Helper()
	all := m.objects
	for _, w := range m.writers {
		all = append(all, w.own...)
	}
	m.check(t, m.engine, side, all)
}

func (m *migration) start(t *testing.T, i int) {
	t.Helper()
	side := m.replicas[i].side
	p := processtest.Launch(t, "serve "+m.dirs[side], "DYNAMODB_ENDPOINT="+m.engine.Proxy.URL(), "LIVE=off",
		"READ_UNITS_BUCKET=0", m.claim(side))
	p.AwaitServing(t)
	m.process[i], m.all = p, append(m.all, p)
	m.replicas[i].url.Store(p.URL)
}

// logErrors logs the errors of all replicas, which have ended, if the test has failed.
func (m *migration) logErrors(t *testing.T) {
	t.Helper()
	for _, p := range m.all {
		if t.Failed() && len(p.Errors) > 0 {
			t.Log(strings.Join(p.Errors, "\n"))
		}
	}
}

// claim is the setting of the processes of a side.
func (m *migration) claim(side int) string {
	if m.sides[side].Prefix() == "" {
		return "TENANT_CLAIM="
	}
	return "TENANT_CLAIM=" + processtest.TenantClaim
}

// kill kills a replica, and starts another one.
func (m *migration) kill(t *testing.T) {
	t.Helper()
	i := m.random.IntN(len(m.replicas))
	m.replicas[i].url.Store("")
	m.process[i].Signal(t, os.Kill)
	<-m.process[i].Ended
	m.kills++
	m.start(t, i)
}

// await waits for more answers to mutations.
func (m *migration) await(ctx context.Context, c *counts, n int) {
	for until := c.writes.Load() + int64(n); c.writes.Load() < until && ctx.Err() == nil; {
		time.Sleep(10 * time.Millisecond)
	}
}

// migrate runs a command of the migration, which is killed and resumed.
func (m *migration) migrate(ctx context.Context, t *testing.T, command string, kills bool) {
	t.Helper()
	if kills {
		p := m.launch(t, command, m.dirs[1])
		select {
		case <-p.Ended:
			return
		case <-time.After(time.Duration(m.random.IntN(2000)) * time.Millisecond):
			p.Signal(t, os.Kill)
			<-p.Ended
			m.kills++
		}
		if m.random.IntN(2) == 0 {
			m.kill(t)
		}
		if m.random.IntN(2) == 0 {
			m.engine.Restart(t)
			m.kills++
		}
	}
	m.command(ctx, t, command, m.dirs[1])
}

func (m *migration) launch(t *testing.T, command, dir string) *processtest.Process {
	t.Helper()
	if command == "finish" {
		command += " --quiet 1s"
	}
	if command == "run" && m.sides[1].Prefix() != "" {
		command += " --tenant " + tenant
	}
	return processtest.Launch(t, "migrate "+command+" "+dir, "DYNAMODB_ENDPOINT="+m.engine.Proxy.URL(), m.claim(1))
}

// command runs a command of the migration to its end. The right of one that was killed has to expire first.
func (m *migration) command(ctx context.Context, t *testing.T, command, dir string) {
	t.Helper()
	for ctx.Err() == nil {
		p := m.launch(t, command, dir)
		select {
		case <-p.Ended:
		case <-ctx.Done():
			return
		}
		text := strings.Join(p.Messages, "\n")
		switch {
		case p.Succeeded() || strings.Contains(text, "there is no migration"):
			return
		case strings.Contains(text, "wait for it"), strings.Contains(text, "does not answer"),
			strings.Contains(text, "another program has written"):
		default:
			t.Errorf("migrate %s: %.2000s\n%.2000s", command, text, p.Output.String())
			return
		}
	}
}
