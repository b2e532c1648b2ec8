package app

import (
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/migrate/run"
)

func TestProgressLine(t *testing.T) {
	first := run.Progress{Items: 100, Total: 1000}
	now := run.Progress{
		State: "FILLING", Phase: "FILL", Pass: 1, Items: 400, Total: 1000, Written: 300, ReadUnits: 20.5, WriteUnits: 600,
		Blocked: 1,
	}
	left := timeLeft(first, now, time.Minute)
	if left != 2*time.Minute {
		t.Errorf("%s left", left)
	}
	const want = "FILLING: FILL, pass 1, 400 of 1000 items, 300 written, 20 read and 600 write units, 1 object stops " +
		"the migration, 2m0s left in this pass"
	if got := progressLine(now, left); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if left := timeLeft(now, now, time.Minute); left != 0 {
		t.Errorf("without progress %s are left", left)
	}
}

// TestStatusLine: what is written appears above the text, which remains the last line.
func TestStatusLine(t *testing.T) {
	var out strings.Builder
	l := &statusLine{out: &out}
	l.set("half")
	if _, err := l.Write([]byte("a line\n")); err != nil {
		t.Fatal(err)
	}
	l.set("")
	if got, want := out.String(), "\r\x1b[Khalf\r\x1b[Ka line\nhalf\r\x1b[K"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
