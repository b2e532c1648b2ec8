package app_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/app"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/testservice"
)

// TestLines reads what an export has written: the same items.
func TestLines(t *testing.T) {
	want := testservice.Items()[:3]
	var text strings.Builder
	for _, it := range want {
		line, err := admin.EncodeLine(testservice.Design().ToStored(it))
		fatal.If(t, err)
		text.Write(line)
	}
	got := slices.Collect(app.Lines(testservice.Design(), text.String()))
	if len(got) != len(want) {
		t.Fatalf("%d items, want %d", len(got), len(want))
	}
	for i, it := range want {
		if got[i].Text("PK") != it.Text("PK") || got[i].Text("SK") != it.Text("SK") || len(got[i]) != len(it) {
			t.Errorf("got %v, want %v", got[i], it)
		}
	}
	defer func() {
		if cause := recover(); cause == nil || !strings.Contains(cause.(error).Error(), "line 4") {
			t.Errorf("a malformed line: %v", cause)
		}
	}()
	_ = slices.Collect(app.Lines(testservice.Design(), text.String()+"{}\n"))
}
