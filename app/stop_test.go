package app_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/item"
)

// remote returns a table with Ada, and its endpoint as a setting of the gateway.
func remote(t *testing.T) (*tabletest.Engine, string) {
	t.Helper()
	e := tabletest.Start(t, testservice.TableSchema())
	items := testservice.Items()
	e.Load(t, items[slices.IndexFunc(items, func(it item.Item) bool { return it.Type() == "Reader" })])
	return e, "DYNAMODB_ENDPOINT=" + e.Proxy.URL()
}

type outcome struct {
	answer answer
	err    error
}

// askHeld sends a query for Ada and returns when the table has received its request, which waits there.
func askHeld(p *processtest.Process, e *tabletest.Engine) (*tabletest.Hold, <-chan outcome) {
	hold := e.Proxy.Hold(processtest.IsOperation("GetItem"))
	answered := make(chan outcome, 1)
	go func() {
		a, err := askAda(p)
		answered <- outcome{a, err}
	}()
	<-hold.Arrived()
	return hold, answered
}

func TestStopFinishesWhatIsInFlight(t *testing.T) {
	t.Parallel()
	for _, s := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		t.Run(s.String(), func(t *testing.T) {
			e, endpoint := remote(t)
			p := processtest.Start(t, endpoint)
			a, err := askAda(p)
			wantAda(t, a, err)
			hold, answered := askHeld(p, e)
			p.Signal(t, s)
			if reason := p.AwaitNotReady(t); !strings.Contains(reason, "The gateway is stopping.") {
				t.Errorf("/readyz is %s", reason)
			}
			hold.Release()
			o := <-answered
			wantAda(t, o.answer, o.err)
			p.WantExit(t, "exit status 0", "")
		})
	}
}

func TestStopCutsOffAfterGrace(t *testing.T) {
	t.Parallel()
	e, endpoint := remote(t)
	p := processtest.Start(t, endpoint, "GRACE=1ms")
	hold, answered := askHeld(p, e)
	defer hold.Release()
	p.Signal(t, syscall.SIGTERM)
	p.WantExit(t, "exit status 1", "operations were still running after 1ms and have been cut off")
	if o := <-answered; o.err == nil && len(o.answer.Errors) == 0 {
		t.Errorf("the operation was answered with %+v", o.answer)
	}
}

func TestStopWhileStarting(t *testing.T) {
	t.Parallel()
	e, endpoint := remote(t)
	hold := e.Proxy.Hold(processtest.IsOperation("DescribeTable"))
	defer hold.Release()
	p := processtest.Launch(t, "serve", endpoint)
	<-hold.Arrived()
	p.Signal(t, syscall.SIGTERM)
	p.WantExit(t, "exit status 130", "partita: interrupted")
}

func TestStopWhileLoading(t *testing.T) {
	t.Parallel()
	e, endpoint := remote(t)
	hold := e.Proxy.Hold(processtest.IsOperation("BatchWriteItem"))
	defer hold.Release()
	p := processtest.Launch(t, "table load --demo", endpoint)
	<-hold.Arrived()
	p.Signal(t, os.Interrupt)
	p.WantExit(t, "exit status 130", "partita: interrupted")
}

// The local engine lives as long as operations are in flight, and is then
// stopped in order: one that is killed leaves its write-ahead log.
func TestStopEndsTheEngineLast(t *testing.T) {
	t.Parallel()
	dir := processtest.DemoData(t)
	p := processtest.Start(t, "DATA_DIR="+dir)
	wantGone := p.WatchEngine(t)
	slow := beginSlowly(t, p)
	p.Signal(t, syscall.SIGTERM)
	p.AwaitNotReady(t)
	a, err := slow.finish()
	wantAda(t, a, err)
	p.WantExit(t, "exit status 0", "")
	wantGone()
	if left, err := filepath.Glob(filepath.Join(dir, "*-wal")); err != nil || len(left) > 0 {
		t.Errorf("the engine left %v, %v", left, err)
	}
}

func TestSecondSignalStopsAtOnce(t *testing.T) {
	t.Parallel()
	data := "DATA_DIR=" + processtest.DemoData(t)
	p := processtest.Start(t, data)
	wantGone := p.WatchEngine(t)
	slow := beginSlowly(t, p)
	p.Signal(t, os.Interrupt)
	p.AwaitNotReady(t)
	p.Signal(t, os.Interrupt)
	p.WantExit(t, "signal: interrupt", "")
	wantGone()
	if a, err := slow.finish(); err == nil {
		t.Errorf("the operation was answered with %+v", a)
	}
	wantKept(t, data)
}

// wantKept starts the gateway on data that an earlier one left.
func wantKept(t *testing.T, data string) {
	t.Helper()
	p := processtest.Start(t, data)
	a, err := askAda(p)
	wantAda(t, a, err)
	p.Signal(t, syscall.SIGTERM)
	p.WantExit(t, "exit status 0", "")
	if p.Logged("table created and filled") > 0 {
		t.Error("the data was created again")
	}
}
