package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/table/tabletest"
)

// remote is a table with the first of the demo data, at an endpoint, as
// settings for the gateway.
func remote(t *testing.T) (*tabletest.Engine, string) {
	t.Helper()
	e := tabletest.Start(t, tableSchema())
	for it := range demo.Items() {
		e.Load(t, it)
		break
	}
	return e, "DYNAMODB_ENDPOINT=" + e.Proxy.URL()
}

func operation(name string) func(tabletest.Request) bool {
	return func(r tabletest.Request) bool { return r.Operation == name }
}

type outcome struct {
	answer answer
	err    error
}

// askHeld asks for Ada and returns once the table has the request, which waits
// there.
func askHeld(p *process, e *tabletest.Engine) (*tabletest.Hold, <-chan outcome) {
	hold := e.Proxy.Hold(operation("GetItem"))
	answered := make(chan outcome, 1)
	go func() {
		a, err := p.askAda()
		answered <- outcome{a, err}
	}()
	<-hold.Arrived()
	return hold, answered
}

func TestStopFinishesWhatIsInFlight(t *testing.T) {
	for _, s := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		t.Run(s.String(), func(t *testing.T) {
			e, endpoint := remote(t)
			p := start(t, endpoint)
			a, err := p.askAda()
			wantAda(t, a, err)
			hold, answered := askHeld(p, e)
			p.signal(t, s)
			if reason := p.awaitNotReady(t); !strings.Contains(reason, "The gateway is stopping.") {
				t.Errorf("/readyz says %s", reason)
			}
			hold.Release()
			o := <-answered
			wantAda(t, o.answer, o.err)
			p.wantExit(t, "exit status 0", "")
		})
	}
}

func TestStopCutsOffAfterGrace(t *testing.T) {
	e, endpoint := remote(t)
	p := start(t, endpoint, "GRACE=1ms")
	hold, answered := askHeld(p, e)
	defer hold.Release()
	p.signal(t, syscall.SIGTERM)
	p.wantExit(t, "exit status 1", "operations were still running after 1ms and have been cut off")
	if o := <-answered; o.err == nil && len(o.answer.Errors) == 0 {
		t.Errorf("the operation was answered with %+v", o.answer)
	}
}

func TestStopWhileStarting(t *testing.T) {
	e, endpoint := remote(t)
	hold := e.Proxy.Hold(operation("DescribeTable"))
	defer hold.Release()
	p := launch(t, "serve", endpoint)
	<-hold.Arrived()
	p.signal(t, syscall.SIGTERM)
	p.wantExit(t, "exit status 130", "partita: interrupted")
}

func TestStopWhileLoading(t *testing.T) {
	e, endpoint := remote(t)
	hold := e.Proxy.Hold(operation("BatchWriteItem"))
	defer hold.Release()
	p := launch(t, "table load --demo", endpoint)
	<-hold.Arrived()
	p.signal(t, os.Interrupt)
	p.wantExit(t, "exit status 130", "partita: interrupted")
}

// The local engine lives as long as operations are in flight, and is then
// stopped in order: one that is killed leaves its write-ahead log.
func TestStopEndsTheEngineLast(t *testing.T) {
	dir := demoData(t)
	p := start(t, "DATA_DIR="+dir)
	wantGone := p.watchEngine(t)
	slow := p.beginSlowly(t)
	p.signal(t, syscall.SIGTERM)
	p.awaitNotReady(t)
	a, err := slow.finish()
	wantAda(t, a, err)
	p.wantExit(t, "exit status 0", "")
	wantGone()
	if left, err := filepath.Glob(filepath.Join(dir, "*-wal")); err != nil || len(left) > 0 {
		t.Errorf("the engine left %v, %v", left, err)
	}
}

func TestSecondSignalStopsAtOnce(t *testing.T) {
	data := "DATA_DIR=" + demoData(t)
	p := start(t, data)
	wantGone := p.watchEngine(t)
	slow := p.beginSlowly(t)
	p.signal(t, os.Interrupt)
	p.awaitNotReady(t)
	p.signal(t, os.Interrupt)
	p.wantExit(t, "signal: interrupt", "")
	wantGone()
	if a, err := slow.finish(); err == nil {
		t.Errorf("the operation was answered with %+v", a)
	}
	wantKept(t, data)
}

// wantKept starts the gateway on data that an earlier one left.
func wantKept(t *testing.T, data string) {
	t.Helper()
	p := start(t, data)
	a, err := p.askAda()
	wantAda(t, a, err)
	p.signal(t, syscall.SIGTERM)
	p.wantExit(t, "exit status 0", "")
	if p.logged("table created and filled") > 0 {
		t.Error("the data was made anew")
	}
}
