package check_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table/check"
)

var runs = map[string]run{"check": check.Table, "repair": check.Repair}

// TestResume: a run that is interrupted after each page finds and repairs what an
// uninterrupted one does.
func TestResume(t *testing.T) {
	for name, run := range runs {
		t.Run(name, func(t *testing.T) {
			o := options()
			o.PageItems = 2
			whole := start(t, damaged(t))
			want, err := run(t.Context(), whole.Scanner, o)
			if err != nil || want.Clean() {
				t.Fatalf("%+v, %v", want, err)
			}

			e := start(t, damaged(t))
			o.Checkpoint = filepath.Join(t.TempDir(), "checkpoint")
			interruptions := 0
			var got check.Report
			for {
				ctx, cancel := context.WithCancel(t.Context())
				o.Progress = func(check.Report) { cancel() }
				var reported []check.Violation
				o.Found = func(v check.Violation) { reported = append(reported, v) }
				got, err = run(ctx, e.Scanner, o)
				cancel()
				if err == nil {
					if diff := cmp.Diff(describe(append(got.Repaired, got.Violations...)), describe(reported)); diff != "" {
						t.Errorf("the last run returns (-) and calls Found with (+):\n%s", diff)
					}
					break
				}
				if !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
				interruptions++
			}
			if interruptions < 5 {
				t.Errorf("only %d interruptions", interruptions)
			}
			if diff := cmp.Diff(describe(want.Violations), describe(got.Violations)); diff != "" || want.Items != got.Items {
				t.Errorf("%d items and %d; left:\n%s", want.Items, got.Items, diff)
			}
			if diff := cmp.Diff(describe(want.Repaired), describe(got.Repaired)); diff != "" {
				t.Errorf("repaired:\n%s", diff)
			}
			if got.Cost.ReadUnits < want.Cost.ReadUnits {
				t.Errorf("the cost of interrupted runs is lost: %+v of %+v", got.Cost, want.Cost)
			}
			if diff := cmp.Diff(whole.content(t).texts(), e.content(t).texts()); diff != "" {
				t.Errorf("the tables differ:\n%s", diff)
			}
			if _, err := os.Stat(o.Checkpoint); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the checkpoint is left: %v", err)
			}
		})
	}
}

func TestCheckpointErrors(t *testing.T) {
	e := start(t, sound(t))
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct{ path, want string }{
		{write("malformed", "{"), "cannot be read"},
		{dir, "cannot be read"},
		{"/dev/zero", "cannot be read"},
		{write("list", "[]"), "cannot be read (it is not an object"},
		{write("pass", `{"pass":9}`), "cannot be read (it has no pass 9)"},
		{write("negative", `{"pass":-1}`), "cannot be read (it has no pass -1)"},
		{write("table", `{"table":"other"}`), `is of a check of table "other"`},
		{write("command", `{"table":"partita","repairs":true}`), `is of a repair of table "partita"`},
		{filepath.Join(dir, "missing", "checkpoint"), "cannot be written"},
	} {
		o := options()
		o.PageItems, o.Checkpoint, o.Scope = 2, c.path, check.Scope{}
		_, err := check.Table(t.Context(), e.Scanner, o)
		var file *check.CheckpointError
		if !errors.As(err, &file) || file.Path != c.path || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", c.want, err)
		}
	}
	// A file that becomes a directory with content cannot be removed at the end.
	o := options()
	o.Checkpoint = filepath.Join(dir, "blocked")
	o.Progress = func(check.Report) {
		if err := os.MkdirAll(filepath.Join(o.Checkpoint, "x"), 0o755); err != nil {
			t.Error(err)
		}
	}
	var file *check.CheckpointError
	if _, err := check.Table(t.Context(), e.Scanner, o); !errors.As(err, &file) || errors.Unwrap(file) == nil {
		t.Errorf("got %v", err)
	}
}

// TestSourceErrors: a request that fails for good ends the run with the Report so
// far, whichever request it is.
func TestSourceErrors(t *testing.T) {
	for _, operation := range []string{"Scan", "BatchGetItem", "GetItem", "Query", "TransactWriteItems"} {
		t.Run(operation, func(t *testing.T) {
			e := start(t, damaged(t))
			e.Proxy.Inject(tabletest.Faults{
				ErrorCode: "AccessDeniedException",
				Only:      func(r tabletest.Request) bool { return r.Operation == operation },
			})
			o := options()
			o.PageItems = 3
			report, err := check.Repair(t.Context(), e.Scanner, o)
			err = e.ExitError(err)
			tabletest.WantExitError(t, err, exit.NoPermission, "AccessDeniedException")
			// Requests that run at the same time may be canceled before they are sent.
			if requests := e.Proxy.Counts().Total(); report.Cost.Requests < requests {
				t.Errorf("%d requests reported of %d", report.Cost.Requests, requests)
			}
		})
	}
}
