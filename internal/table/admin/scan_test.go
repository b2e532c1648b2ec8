package admin_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

func TestScan(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	var want []string
	for i := range 11 {
		pk, sk := fmt.Sprintf("P%d", i%3), fmt.Sprintf("S%02d", i)
		e.Load(t, tabletest.Stored(pk, sk, "text", strings.Repeat("x", 1000)))
		want = append(want, pk+" "+sk)
	}
	slices.Sort(want)
	scanner := admin.Scanner{Table: e.Table}
	for _, limit := range []int{0, 1, 4, 11, 12} {
		var got []string
		for start := (keys.Key{}); ; {
			page := must(scanner.Scan(t.Context(), admin.Scan{Start: start, Limit: limit}))
			if limit > 0 && len(page.Items) > limit || len(page.Items) > 0 && page.ReadUnits == 0 {
				t.Errorf("limit %d: %d items for %v read units", limit, len(page.Items), page.ReadUnits)
			}
			for _, it := range page.Items {
				got = append(got, it.Text(keys.AttributePK)+" "+it.Text(keys.AttributeSK))
			}
			if start = page.Last.Base; page.Last.IsZero() {
				break
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("limit %d: got %q", limit, got)
		}
	}
}

// TestErrorsAreForOperators: errors of each command are exit errors.
func TestErrorsAreForOperators(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	e.Proxy.Inject(tabletest.Faults{ErrorCode: "AccessDeniedException"})
	commands := map[string]func() error{
		"Create":       func() error { return admin.Create(t.Context(), e.Table) },
		"EnsureExpiry": func() error { return admin.EnsureExpiry(t.Context(), e.Table) },
		"Export": func() error {
			_, err := admin.Export(t.Context(), e.Table, &strings.Builder{})
			return err
		},
		"LoadItems": func() error {
			_, err := admin.LoadItems(t.Context(), e.Table, slices.Values([]item.Item{tabletest.Stored("A", "A")}))
			return err
		},
		"Scan": func() error {
			_, err := admin.Scanner{Table: e.Table}.Scan(t.Context(), admin.Scan{})
			return err
		},
	}
	for name, command := range commands {
		t.Run(name, func(t *testing.T) {
			tabletest.WantExitError(t, command(), exit.NoPermission, "AccessDeniedException")
		})
	}
}

type fullDisk struct{}

var errFullDisk = errors.New("no space left")

func (fullDisk) Write([]byte) (int, error) { return 0, errFullDisk }

// An export that cannot be written is not the table's error.
func TestExportCannotBeWritten(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	for _, size := range []int{1, 9000} { // when it is flushed, and when a line is written
		e.Load(t, tabletest.Stored("A", "A", "text", strings.Repeat("x", size)))
		if _, err := admin.Export(t.Context(), e.Table, fullDisk{}); !errors.Is(err, errFullDisk) {
			t.Errorf("%d bytes: got %v", size, err)
		}
	}
}

// An endpoint may know a new table only a little later.
func TestCreateAwaitsTheTable(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	left := 2
	e.Proxy.Inject(tabletest.Faults{ErrorCode: "ResourceNotFoundException", Only: func(r tabletest.Request) bool {
		if r.Operation != "DescribeTable" {
			return false
		}
		left--
		return left >= 0
	}})
	other := e.Settings
	other.TableName = "another"
	if err := admin.Create(t.Context(), open(t, other)); err != nil {
		t.Error(err)
	}
}

// TestExpiry: time to live is turned on where it is off, and a table that does not
// exist is not an error.
func TestExpiry(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	none := e.Settings
	none.TableName = "none"
	if err := admin.EnsureExpiry(t.Context(), open(t, none)); err != nil {
		t.Error(err)
	}
	if err := admin.EnsureExpiry(t.Context(), e.Table); err != nil {
		t.Error(err)
	}
	if n := e.Proxy.Counts().Requests["UpdateTimeToLive"]; n != 0 {
		t.Errorf("turned on %d times in a table in which it was on", n)
	}
	for code, want := range map[string]int{"UnknownOperationException": 0, "AccessDeniedException": exit.NoPermission} {
		e.Proxy.Inject(tabletest.Faults{ErrorCode: code, Only: func(r tabletest.Request) bool {
			return r.Operation == "UpdateTimeToLive"
		}})
		s := e.Settings
		s.TableName = "expiry-" + code
		err := admin.Create(t.Context(), open(t, s))
		if want == 0 && err != nil {
			t.Errorf("%s: %v", code, err)
		} else if want != 0 {
			tabletest.WantExitError(t, err, want, "time to live", "dynamodb:UpdateTimeToLive")
		}
	}
}

// TestCreateInterrupted: what is interrupted is not reported as a lack of permissions.
func TestCreateInterrupted(t *testing.T) {
	t.Parallel()
	for _, operation := range []string{"UpdateTimeToLive", "UpdateContinuousBackups"} {
		e := tabletest.Start(t, schema)
		ctx, cancel := context.WithCancel(t.Context())
		e.Proxy.Inject(tabletest.Faults{ErrorCode: "AccessDeniedException", Only: func(r tabletest.Request) bool {
			if r.Operation == operation {
				cancel()
				<-ctx.Done()
			}
			return false
		}})
		s := e.Settings
		s.TableName = "interrupted"
		_, isExit := errors.AsType[*exit.Error](admin.Create(ctx, open(t, s)))
		if isExit || ctx.Err() == nil {
			t.Errorf("%s: an error that names a permission", operation)
		}
	}
}

func TestEncodeLine(t *testing.T) {
	got, err := admin.EncodeLine(item.Item{{Name: "n", Value: item.NumberValue(7)}})
	if want := `{"Item":{"n":{"N":"7"}}}` + "\n"; err != nil || string(got) != want {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestEnsureStream: a table without a stream gets one, once: to turn it on again would make another one. A table that
// does not exist is not an error.
func TestEnsureStream(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	none := e.Settings
	none.TableName = "none"
	if err := admin.EnsureStream(t.Context(), open(t, none)); err != nil {
		t.Error(err)
	}
	for range 2 {
		if err := admin.EnsureStream(t.Context(), e.Table); err != nil {
			t.Error(err)
		}
	}
	if n := e.Proxy.Counts().Requests["UpdateTable"]; n != 1 {
		t.Errorf("turned on %d times", n)
	}
	streamed := schema
	streamed.Stream = true
	created := tabletest.Start(t, streamed)
	if err := admin.EnsureStream(t.Context(), created.Table); err != nil {
		t.Error(err)
	}
	if n := created.Proxy.Counts().Requests["UpdateTable"]; n != 0 {
		t.Errorf("turned on %d times in a table that was created with a stream", n)
	}
}
