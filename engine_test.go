package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

func TestFirstStartFillsTheTableAndOthersKeepIt(t *testing.T) {
	dir := t.TempDir()
	data := "DATA_DIR=" + dir
	p := start(t, data)
	a, err := p.askAda()
	wantAda(t, a, err)
	if status, body := p.get(t, "/readyz"); status != http.StatusOK {
		t.Errorf("/readyz says %d %s", status, body)
	}

	// Its data is its own as long as it runs.
	for _, arguments := range []string{"serve", "table export"} {
		second := launch(t, arguments, data)
		second.wantExit(t, "exit status 75", fmt.Sprintf("%s is in use by process %d: stop that gateway, or set another DATA_DIR",
			dir, p.cmd.Process.Pid))
	}

	wantGone := p.watchEngine(t)
	p.signal(t, syscall.SIGTERM)
	p.wantExit(t, "exit status 0", "")
	wantGone()
	if p.logged("table created and filled") != 1 {
		t.Error("the log does not say that the data was made")
	}

	before := export(t, data)
	load := exec.Command("partita", "table", "load")
	load.Env = append(os.Environ(), data)
	load.Stdin = strings.NewReader(`{"Item":{"PK":{"S":"NOTE#1"},"SK":{"S":"NOTE#1"},"text":{"S":"kept"}}}`)
	if output, err := load.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	wantKept(t, data)
	if after := export(t, data); len(after) != len(before)+1 {
		t.Errorf("%d items became %d by loading one", len(before), len(after))
	}
}

// export gives the lines of `partita table export`.
func export(t *testing.T, settings ...string) []string {
	t.Helper()
	cmd := exec.Command("partita", "table", "export")
	cmd.Env = append(os.Environ(), settings...)
	output, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(output)), "\n")
}

func TestKilledGatewayLeavesNoEngine(t *testing.T) {
	data := "DATA_DIR=" + demoData(t)
	p := start(t, data)
	wantGone := p.watchEngine(t)
	p.signal(t, os.Kill)
	p.wantExit(t, "signal: killed", "")
	wantGone()
	wantKept(t, data)
}

func TestEngineDies(t *testing.T) {
	data := "DATA_DIR=" + demoData(t)
	p := start(t, data)
	a, err := p.askAda()
	wantAda(t, a, err)
	if err := syscall.Kill(p.enginePID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}

	want := `{"status":"not ready","reason":"The table cannot be read at present. The gateway's log says why."}`
	if reason := p.awaitNotReady(t); strings.TrimSpace(reason) != want {
		t.Errorf("/readyz says %s", reason)
	}
	if status, body := p.get(t, "/healthz"); status != http.StatusOK {
		t.Errorf("/healthz says %d %s", status, body)
	}
	for range 3 {
		a, err := p.askAda()
		if err != nil || a.Data.User != nil || len(a.Errors) != 1 || a.Errors[0].Extensions.Code != "UNAVAILABLE" ||
			a.Errors[0].Message != "the table cannot be reached at the moment; try again" {
			t.Errorf("got %+v, %v", a, err)
		}
	}

	p.signal(t, syscall.SIGTERM)
	p.wantExit(t, "exit status 69", "the local engine had ended before the gateway was stopped (signal: killed): start the gateway again")
	if n := p.logged("the local engine has ended"); n != 1 {
		t.Errorf("the log says %d times that the engine has ended", n)
	}
	wantKept(t, data)
}
