package local_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
)

var aKey = keys.Key{PK: "A", SK: "A"}

// gatewayDir makes the test binary act as a gateway on that data directory.
const gatewayDir = "PARTITA_TEST_GATEWAY"

// put stores an item.
func put(ctx context.Context, opened *local.Table, it item.Item) error {
	_, err := admin.LoadItems(ctx, opened.Table, slices.Values([]item.Item{it}))
	return err
}

// runGateway logs where its engine is, ignores Ctrl-C, and ends when it is killed.
func runGateway(dir string) {
	ctx := context.Background()
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	t, err := local.Open(ctx, settings(dir), schema, slog.New(slog.NewTextHandler(os.Stdout, nil)))
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	if err := admin.Create(ctx, t.Table); err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	if err := put(ctx, t, tabletest.Stored("A", "A", "name", "kept")); err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	fmt.Println("ready")
	select {}
}

func settings(dir string) local.Settings {
	return local.Settings{
		Settings: table.Settings{StartTimeout: 30 * time.Second},
		DataDir:  dir, Engine: os.Getenv("DYNOXIDE"),
	}
}

func openLocal(t *testing.T, s local.Settings) *local.Table {
	t.Helper()
	opened := must(local.Open(t.Context(), s, schema, discard))
	t.Cleanup(func() { opened.Close() })
	return opened
}

func hasA(t *testing.T, opened *local.Table) {
	t.Helper()
	got, err := opened.GetItem(t.Context(), request.GetItem{Key: aKey})
	if err != nil || len(got.Items) != 1 || got.Items[0].Text("name") != "kept" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestLocalEngineKeepsData(t *testing.T) {
	dir := t.TempDir()
	first := openLocal(t, settings(dir))
	if !first.IsLocal() {
		t.Fatal("not local")
	}
	var missing *exit.Error
	if err := admin.Verify(t.Context(), first.Table); !errors.As(err, &missing) || !errors.Is(err, request.ErrNoTable) {
		t.Fatalf("got %v", err)
	}
	fatal.If(t, admin.Create(t.Context(), first.Table))
	fatal.If(t, put(t.Context(), first, tabletest.Stored("A", "A", "name", "kept")))
	fatal.If(t, first.Close())
	if err := first.Close(); err != nil {
		t.Error("closed twice:", err)
	}
	if _, err := first.GetItem(t.Context(), request.GetItem{Key: aKey}); !errors.Is(err, request.ErrUnavailable) {
		t.Errorf("after Close: got %v", err)
	}
	hasA(t, openLocal(t, settings(dir)))
}

func TestEngineDeathIsNoticed(t *testing.T) {
	dir := t.TempDir()
	opened := openLocal(t, settings(dir))
	fatal.If(t, admin.Create(t.Context(), opened.Table))
	fatal.If(t, put(t.Context(), opened, tabletest.Stored("A", "A", "name", "kept")))
	fatal.If(t, admin.Verify(t.Context(), opened.Table))
	fatal.If(t, must(os.FindProcess(enginePID(t, dir))).Kill())
	if err := <-opened.Died(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("died of %v", err)
	}
	err := admin.Verify(t.Context(), opened.Table)
	if !errors.Is(err, request.ErrUnavailable) || !strings.Contains(err.Error(), "has ended") {
		t.Errorf("ready: %v", err)
	}
	if _, err := opened.GetItem(t.Context(), request.GetItem{Key: aKey}); !errors.Is(err, request.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	if err := opened.Close(); err != nil {
		t.Error(err)
	}
	hasA(t, openLocal(t, settings(dir))) // SIGKILL loses nothing that was answered
}

func TestSeed(t *testing.T) {
	s := settings(t.TempDir())
	var seed []item.Item
	for i := range 1000 {
		sk := fmt.Sprintf("%03d", i)
		seed = append(seed, tabletest.Stored(fmt.Sprintf("U%d", i%10), sk, "GSI1PK", "ALL", "GSI1SK", sk))
	}
	s.Seed = slices.Values(seed)
	opened := openLocal(t, s)
	fatal.If(t, admin.Verify(t.Context(), opened.Table))
	for _, q := range []request.Query{{Index: "GSI1", PK: "ALL", Prefix: "99"}, {PK: "U7"}} {
		got := must(opened.Query(t.Context(), q))
		want := 10
		if q.Index == "" {
			want = 100
		}
		if len(got.Items) != want {
			t.Errorf("%+v: %d items", q, len(got.Items))
		}
	}
	kept := tabletest.Stored("A", "A", "name", "kept", "GSI1PK", "NEW", "GSI1SK", "1")
	fatal.If(t, put(t.Context(), opened, kept))
	if got, err := opened.Query(t.Context(), request.Query{Index: "GSI1", PK: "NEW"}); err != nil || len(got.Items) != 1 {
		t.Errorf("after seeding: %v, %v", got, err)
	}
	opened.Close()
	s.Seed = func(func(item.Item) bool) { t.Error("seeded again") }
	hasA(t, openLocal(t, s))
	if _, err := os.Stat(filepath.Join(s.DataDir, "seed")); !errors.Is(err, os.ErrNotExist) {
		t.Error("the seed's files are left:", err)
	}
}

// A start killed while seeding leaves nothing that the next could mistake for
// data.
func TestSeedCanceled(t *testing.T) {
	s := settings(t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	s.Seed = func(yield func(item.Item) bool) {
		yield(tabletest.Stored("A", "A"))
		cancel()
	}
	if _, err := local.Open(ctx, s, schema, discard); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	s.Seed = slices.Values([]item.Item{tabletest.Stored("A", "A", "name", "kept")})
	hasA(t, openLocal(t, s))
}

func enginePID(t *testing.T, dir string) int {
	t.Helper()
	found := must(filepath.Glob("/proc/[0-9]*/cmdline"))
	for _, path := range found {
		line, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(line), filepath.Join(dir, "partita.db")) {
			var pid int
			must(fmt.Sscanf(path, "/proc/%d/", &pid))
			return pid
		}
	}
	t.Fatal("no engine on " + dir)
	return 0
}
