package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/migrate/run"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
	"github.com/partita/partita/viewer"
)

// shelfSchema is the schema of notes, before and after a migration: another key, another copy in the same partition,
// and an entry of each form with one key in one index.
const shelfSchema = `
extend type Query {
  note(slug: String!): Note @get(pk: "NOTE#{slug}", sk: "NOTE")
  notes(shelf: String!): NoteConnection @query(pk: "SHELF#{shelf}", sk: "NOTE#")
  colored(color: String!): NoteConnection @query(index: "GSI1", pk: "COLOR#{color}")
}
type Note implements Node @item(pk: "NOTE#{slug}", sk: "NOTE")
  @copy(pk: "SHELF#{shelf}", sk: "NOTE#{slug}") @index(pk: "COLOR#{color}", sk: "{slug}")
  @mutable(create: ["VIEWER"], update: ["VIEWER"], delete: ["VIEWER"]) {
  id: ID!
  slug: String!
  shelf: String!
  color: String!
}
`

var laterShelfSchema = strings.NewReplacer(
	`pk: "NOTE#{slug}", sk: "NOTE"`, `pk: "PAGE#{slug}", sk: "PAGE"`,
	`sk: "NOTE#{slug}")`, `sk: "NOTE#{shelf}#{slug}")`,
).Replace(shelfSchema)

// betweenRounds lets a migration, which mostly waits for its replicas, have some hundred rounds instead of as many as
// the machine's CPUs can do.
const betweenRounds = 100 * time.Millisecond

// shelf is a table with notes, the replicas that serve it with either schema, and what is known of the notes.
type shelf struct {
	replicas []*processtest.Process
	colors   map[string]string
	notReady int
}

func schemaFolder(t *testing.T, sdl string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "schema.graphqls"), []byte(sdl), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestReplicasOfBothSchemas: while a table is migrated, two replicas of each schema create, change and delete notes,
// and each answer of all of them is right, or NOT_READY.
func TestReplicasOfBothSchemas(t *testing.T) {
	t.Parallel()
	dirs := []string{schemaFolder(t, shelfSchema), schemaFolder(t, laterShelfSchema)}
	var versions []migrate.Version
	for _, dir := range dirs {
		f, err := folder.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		versions = append(versions, migrate.NewVersion(f.Schema))
	}
	e := tabletest.Start(t, table.SchemaOf(versions[0].Design))
	if err := record.Open(e.Table).Put(t.Context(), migrate.Record{}, migrate.NewRecord(versions[0])); err != nil {
		t.Fatal(err)
	}
	s := &shelf{colors: map[string]string{}}
	for range 2 {
		for _, dir := range dirs {
			s.replicas = append(s.replicas, processtest.Launch(t, "serve "+dir, "DYNAMODB_ENDPOINT="+e.Settings.Endpoint,
				"LIVE=off", "READ_UNITS_BUCKET=0"))
		}
	}
	for _, p := range s.replicas {
		p.AwaitServing(t)
	}
	n := 0
	for ; n < 20; n++ {
		s.use(t, n)
	}
	goals := []migrate.State{migrate.Switched, migrate.Latter}
	if soak.Times(1) > 1 {
		goals = []migrate.State{migrate.Switched, migrate.Former, migrate.Switched, migrate.Latter}
	}
	done := make(chan error, 1)
	go func() { done <- migrated(t, e.Table, versions[1], goals) }()
	pace := time.NewTicker(betweenRounds)
	defer pace.Stop()
	for ended := false; !ended; {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			ended = true
		case <-pace.C:
			s.use(t, n)
			n++
		}
	}
	for range 20 {
		s.use(t, n)
		n++
	}
	processtest.Run(t, "table check "+dirs[1], "DYNAMODB_ENDPOINT="+e.Settings.Endpoint)
	t.Logf("%d rounds, %d answers were not ready", n, s.notReady)
}

func migrated(t *testing.T, of *table.Table, to migrate.Version, goals []migrate.State) error {
	m, err := run.Open(t.Context(), of, run.Options{Name: "test", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	for _, goal := range goals {
		if goal == migrate.Switched {
			if err := m.Begin(t.Context(), to); err != nil {
				return err
			}
		}
		if err := m.Run(t.Context(), goal); err != nil {
			return err
		}
	}
	return m.Close(t.Context())
}

// use lets one replica write, and all of them read.
func (s *shelf) use(t *testing.T, n int) {
	t.Helper()
	writer := s.replicas[n%len(s.replicas)]
	slug := fmt.Sprintf("n%02d", n*7%13)
	color := []string{"red", "blue"}[n*5%2]
	switch had, has := s.colors[slug]; {
	case !has:
		if s.ask(t, writer, `mutation($s: String!, $c: String!) { createNote(input: {slug: $s, shelf: "a", color: $c}) {
			userErrors { message } } }`, slug, color) != nil {
			s.colors[slug] = color
		}
	case n%3 == 0:
		if s.ask(t, writer, `mutation($s: ID!) { deleteNote(input: {id: $s}) { userErrors { message } } }`,
			keys.NewID("Note", slug).Encode(), had) != nil {
			delete(s.colors, slug)
		}
	default:
		if s.ask(t, writer, `mutation($s: ID!, $c: String!) { updateNote(input: {id: $s, color: $c}) {
			userErrors { message } } }`, keys.NewID("Note", slug).Encode(), color) != nil {
			s.colors[slug] = color
		}
	}
	for i, p := range s.replicas {
		data := s.ask(t, p, `query($s: String!, $c: String!) { notes(shelf: "a", first: 100) { nodes { slug color } }
			colored(color: $c, first: 100) { nodes { slug } } note(slug: $s) { color } }`, slug, color)
		if data == nil {
			continue
		}
		var all, some []any
		for _, name := range slices.Sorted(maps.Keys(s.colors)) {
			all = append(all, map[string]any{"slug": name, "color": s.colors[name]})
			if s.colors[name] == color {
				some = append(some, map[string]any{"slug": name})
			}
		}
		var one any
		if c, has := s.colors[slug]; has {
			one = map[string]any{"color": c}
		}
		want := map[string]any{
			"notes": map[string]any{"nodes": orEmpty(all)}, "colored": map[string]any{"nodes": orEmpty(some)}, "note": one,
		}
		if got := fmt.Sprint(data); got != fmt.Sprint(want) {
			t.Fatalf("round %d: replica %d answers\n%s, want\n%s", n, i, got, fmt.Sprint(want))
		}
	}
}

func orEmpty(list []any) []any {
	if list == nil {
		return []any{}
	}
	return list
}

// ask returns the data of an operation, nil if a field of it is not ready.
func (s *shelf) ask(t *testing.T, p *processtest.Process, query, slug, color string) map[string]any {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": map[string]string{"s": slug, "c": color}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.URL+"/graphql", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if err := processtest.SignIn(r, viewer.Viewer{ID: "ada"}); err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		Data   map[string]any
		Errors []struct{ Message, Extensions any }
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	for _, e := range answer.Errors {
		if !strings.Contains(fmt.Sprint(e.Extensions), "NOT_READY") {
			t.Fatalf("%v for %s", e, query)
		}
	}
	if len(answer.Errors) > 0 {
		s.notReady++
		return nil
	}
	if text := fmt.Sprint(answer.Data); strings.Contains(text, "message:") {
		t.Fatalf("%s for %s %s %s", text, query, slug, color)
	}
	return answer.Data
}
