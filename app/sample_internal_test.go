package app

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/internal/testservice"
)

// TestSample: the log has how many items of a sample do not fit the schema, with the key of one and the command that
// finds all of them. A table that may not be scanned, or that fits, has no warning.
func TestSample(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, testservice.TableSchema())
	a := &Application{Name: "tasks", Design: testservice.Design(), Schema: testservice.Executable()}
	logged := func(items int) string {
		var b bytes.Buffer
		sampleSettings{TableSample: items}.log(t.Context(), a, e.Table, slog.New(slog.NewTextHandler(&b, nil)))
		return b.String()
	}
	e.Load(t, testservice.Items()[:20]...)
	if log := logged(100); log != "" {
		t.Errorf("of a table that fits: %s", log)
	}
	e.Load(t, tabletest.Stored("USER#1", "USER#1", "entityType", "User"),
		tabletest.Stored("BOOK#x", "BOOK#x", "entityType", "Book"))
	e.Proxy.Reset()
	log := logged(100)
	for _, part := range []string{
		"level=WARN", "items of the table do not fit the schema", "read=22 unfit=2", "ITEM_INVALID:1", "ITEM_UNKNOWN:1",
		"pk=", "sk=", `\"tasks table check\" finds all of them`,
	} {
		if !strings.Contains(log, part) {
			t.Errorf("the log has no %s: %s", part, log)
		}
	}
	if got := fmt.Sprint(e.Proxy.Counts().Requests); got != "map[Scan:1]" {
		t.Errorf("requests %s", got)
	}
	if log := logged(1); strings.Contains(log, "read=22") {
		t.Errorf("more than one item is read: %s", log)
	}
	e.Proxy.Inject(tabletest.Faults{ErrorCode: "AccessDeniedException"})
	if log := logged(100); !strings.Contains(log, "level=INFO") || !strings.Contains(log, "dynamodb:Scan is not allowed") {
		t.Errorf("without the permission: %s", log)
	}
	e.Proxy.Inject(tabletest.Faults{})
	e.Proxy.Reset()
	sampleSettings{}.start(t.Context(), a, e.Table, slog.New(slog.DiscardHandler))()
	if got := e.Proxy.Counts().Requests; len(got) > 0 {
		t.Errorf("without a sample: requests %v", got)
	}
}
