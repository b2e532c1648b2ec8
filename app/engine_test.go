package app_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/processtest"
)

func TestFirstStartFillsTheTableAndOthersKeepIt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := "DATA_DIR=" + dir
	p := processtest.Start(t, data)
	a, err := askAda(p)
	wantAda(t, a, err)
	if status, body := p.Get(t, "/readyz"); status != http.StatusOK {
		t.Errorf("/readyz is %d %s", status, body)
	}

	// No other process can use its data while it runs.
	for _, arguments := range []string{"serve", "table export"} {
		second := processtest.Launch(t, arguments, data)
		message := fmt.Sprintf("%s is in use by process %d: stop that gateway, or set another DATA_DIR", dir, p.PID())
		second.WantExit(t, "exit status 75", message)
	}

	wantGone := p.WatchEngine(t)
	p.Signal(t, syscall.SIGTERM)
	p.WantExit(t, "exit status 0", "")
	wantGone()
	if p.Logged("table created and filled") != 1 {
		t.Error("the log has no line about the data")
	}

	before := processtest.Export(t, data)
	load := exec.Command("partita", "table", "load")
	load.Env = append(os.Environ(), data)
	load.Stdin = strings.NewReader(`{"Item":{"PK":{"S":"NOTE#1"},"SK":{"S":"NOTE#1"},"text":{"S":"kept"}}}`)
	if output, err := load.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	wantKept(t, data)
	if after := processtest.Export(t, data); len(after) != len(before)+1 {
		t.Errorf("%d items became %d by loading one", len(before), len(after))
	}
}

func TestKilledGatewayLeavesNoEngine(t *testing.T) {
	t.Parallel()
	data := "DATA_DIR=" + processtest.DemoData(t)
	p := processtest.Start(t, data)
	wantGone := p.WatchEngine(t)
	p.Signal(t, os.Kill)
	p.WantExit(t, "signal: killed", "")
	wantGone()
	wantKept(t, data)
}

func TestEngineDies(t *testing.T) {
	t.Parallel()
	data := "DATA_DIR=" + processtest.DemoData(t)
	p := processtest.Start(t, data)
	a, err := askAda(p)
	wantAda(t, a, err)
	engine, err := os.FindProcess(p.EnginePID)
	fatal.If(t, err)
	fatal.If(t, engine.Kill())

	want := `{"status":"not ready","reason":"The table cannot be read at present. The gateway's log says why."}`
	if reason := p.AwaitNotReady(t); strings.TrimSpace(reason) != want {
		t.Errorf("/readyz is %s", reason)
	}
	if status, body := p.Get(t, "/healthz"); status != http.StatusOK {
		t.Errorf("/healthz is %d %s", status, body)
	}
	for range 3 {
		a, err := askAda(p)
		if err != nil || a.Data.Reader != nil || len(a.Errors) != 1 || a.Errors[0].Extensions.Code != "UNAVAILABLE" ||
			a.Errors[0].Message != "the table cannot be reached at the moment; try again" {
			t.Errorf("got %+v, %v", a, err)
		}
	}

	p.Signal(t, syscall.SIGTERM)
	p.WantExit(t, "exit status 69",
		"the local engine had ended before the gateway was stopped (signal: killed): start the gateway again")
	if n := p.Logged("the local engine has ended"); n != 1 {
		t.Errorf("the log has %d lines about the end of the engine", n)
	}
	wantKept(t, data)
}
