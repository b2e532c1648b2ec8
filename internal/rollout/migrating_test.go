package rollout_test

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

	"github.com/partita/partita/internal/fatal"
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

// sharded returns a schema whose entries are in shards.
func sharded(shards int) string {
	return strings.Replace(shelfSchema, `sk: "{slug}")`, fmt.Sprintf(`sk: "{slug}", shards: %d)`, shards), 1)
}

// enumerated returns a schema whose colors are values of an enum, also within a list and objects.
func enumerated(values string) string {
	names := strings.NewReplacer(
		"color: String!)", "color: Color!)", "color: String!", "color: Color! tones: [Color!] paint: Paint",
	)
	return names.Replace(sharded(1)) +
		"type Paint { color: Color! layers: [Layer!] } type Layer { tones: [Color!] } enum Color { " + values + " }"
}

// painted returns what is written and read of a note with values of an enum within a list and objects.
var painted = strings.NewReplacer(
	"color: $c}", "color: $c, tones: [$c], paint: {color: $c, layers: [{tones: [$c, blue]}]}}",
	"{ color }", "{ color tones paint { color layers { tones } } }",
)

// betweenRounds lets a migration, which mostly waits for its replicas, have some hundred rounds instead of as many as
// the machine's CPUs can do.
const betweenRounds = 100 * time.Millisecond

// shelf is a table with notes, the replicas that serve it with either schema, and what is known of the notes.
type shelf struct {
	replicas []*processtest.Process
	colors   map[string]string
	notReady int
	// color is the type of colors, and later the names that some have in the later schema, which every other replica has.
	color string
	later map[string]string
}

// called returns the name of a color at a replica.
func (s *shelf) called(replica int, color string) string {
	if later := s.later[color]; later != "" && replica%2 == 1 {
		return later
	}
	return color
}

func schemaFolder(t *testing.T, sdl string) string {
	t.Helper()
	dir := t.TempDir()
	fatal.If(t, os.WriteFile(filepath.Join(dir, "schema.graphqls"), []byte(sdl), 0o600))
	return dir
}

// TestReplicasOfBothSchemas: while a table is migrated, two replicas of each schema create, change and delete notes,
// and each answer of all of them is right, or NOT_READY.
func TestReplicasOfBothSchemas(t *testing.T) {
	t.Parallel()
	for name, schemas := range map[string][2]string{
		"keys": {shelfSchema, laterShelfSchema}, "shards": {sharded(3), sharded(2)},
		"values": {enumerated("red blue"), enumerated(`scarlet @was(name: "red") blue`)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			servesBoth(t, schemas)
		})
	}
}

func versionOf(t *testing.T, dir string) migrate.Version {
	t.Helper()
	f, err := folder.Open(dir)
	fatal.If(t, err)
	return migrate.NewVersion(f.Schema)
}

// migratable returns folders with schemas, the version of the last one, and a table whose record has the first one.
func migratable(t *testing.T, schemas ...string) (dirs []string, last migrate.Version, e *tabletest.Engine) {
	t.Helper()
	for i, sdl := range schemas {
		dirs = append(dirs, schemaFolder(t, sdl))
		last = versionOf(t, dirs[i])
		if i > 0 {
			continue
		}
		e = tabletest.Start(t, table.SchemaOf(last.Design))
		fatal.If(t, record.Open(e.Table).Put(t.Context(), migrate.Record{}, migrate.NewRecord(last)))
	}
	return dirs, last, e
}

func servesBoth(t *testing.T, schemas [2]string) {
	dirs, later, e := migratable(t, schemas[0], schemas[1])
	s := &shelf{colors: map[string]string{}, color: "String!"}
	if strings.Contains(schemas[1], "enum Color") {
		s.color, s.later = "Color!", map[string]string{"red": "scarlet"}
	}
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
	go func() { done <- migrated(t, e.Table, later, goals) }()
	pace := time.NewTicker(betweenRounds)
	defer pace.Stop()
	for ended := false; !ended; {
		select {
		case err := <-done:
			fatal.If(t, err)
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

// TestKeptByClients: after a migration, the global ids of before are still accepted, and cursors of another order are
// not.
func TestKeptByClients(t *testing.T) {
	t.Parallel()
	former := strings.NewReplacer(`pk: "NOTE#{slug}", sk: "NOTE"`, `pk: "NOTE#{slug}", sk: "{shelf}"`,
		`note(slug: String!)`, `note(slug: String!, shelf: String!)`).Replace(shelfSchema)
	dirs, later, e := migratable(t, former, laterShelfSchema)
	setting := "DYNAMODB_ENDPOINT=" + e.Settings.Endpoint
	first := processtest.Launch(t, "serve "+dirs[0], setting, "LIVE=off")
	first.AwaitServing(t)
	s := &shelf{}
	for _, slug := range []string{"a", "b"} {
		s.ask(t, first, `mutation($s: String!, $c: String!) { createNote(input: {slug: $s, shelf: "s", color: $c}) {
			userErrors { message } } }`, slug, "red")
	}
	const kept = `query { notes(shelf: "s", first: 1) { nodes { id } pageInfo { endCursor } } }`
	notes := s.ask(t, first, kept, "", "")["notes"].(map[string]any)
	id := fmt.Sprint(notes["nodes"].([]any)[0].(map[string]any)["id"])
	cursor := fmt.Sprint(notes["pageInfo"].(map[string]any)["endCursor"])
	fatal.If(t, migrated(t, e.Table, later, []migrate.State{migrate.Switched, migrate.Latter}))
	second := processtest.Launch(t, "serve "+dirs[1], setting, "LIVE=off")
	second.AwaitServing(t)
	for _, p := range []*processtest.Process{first, second} {
		if got := post(t, p, `query($s: ID!) { node(id: $s) { ... on Note { slug } } }`, id, ""); len(got.Errors) > 0 ||
			fmt.Sprint(got.Data) != "map[node:map[slug:a]]" {
			t.Errorf("the object of an id is %+v", got)
		}
		const next = `query($s: String!) { notes(shelf: "s", first: 1, after: $s) { nodes { id } } }`
		if got := post(t, p, next, cursor, ""); len(got.Errors) != 1 ||
			!strings.Contains(fmt.Sprint(got.Errors), "after is not a cursor of this connection") {
			t.Errorf("the page after a cursor is %+v", got)
		}
	}
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
	w := n % len(s.replicas)
	writer := s.replicas[w]
	slug := fmt.Sprintf("n%02d", n*7%13)
	color := []string{"red", "blue"}[n*5%2]
	switch had, has := s.colors[slug]; {
	case !has:
		if s.ask(t, writer, `mutation($s: String!, $c: String!) { createNote(input: {slug: $s, shelf: "a", color: $c}) {
			userErrors { message } } }`, slug, s.called(w, color)) != nil {
			s.colors[slug] = color
		}
	case n%3 == 0:
		if s.ask(t, writer, `mutation($s: ID!) { deleteNote(input: {id: $s}) { userErrors { message } } }`,
			keys.NewID("Note", slug).Encode(), had) != nil {
			delete(s.colors, slug)
		}
	default:
		if s.ask(t, writer, `mutation($s: ID!, $c: String!) { updateNote(input: {id: $s, color: $c}) {
			userErrors { message } } }`, keys.NewID("Note", slug).Encode(), s.called(w, color)) != nil {
			s.colors[slug] = color
		}
	}
	for i, p := range s.replicas {
		data := s.ask(t, p, `query($s: String!, $c: String!) { notes(shelf: "a", first: 100) { nodes { slug color } }
			colored(color: $c, first: 100) { nodes { slug } } note(slug: $s) { color } }`, slug, s.called(i, color))
		if data == nil {
			continue
		}
		var all, some []any
		for _, name := range slices.Sorted(maps.Keys(s.colors)) {
			all = append(all, map[string]any{"slug": name, "color": s.called(i, s.colors[name])})
			if s.colors[name] == color {
				some = append(some, map[string]any{"slug": name})
			}
		}
		var one any
		if c, has := s.colors[slug]; has {
			name := s.called(i, c)
			note := map[string]any{"color": name}
			if s.later != nil {
				note["tones"], note["paint"] = []any{name}, map[string]any{
					"color": name, "layers": []any{map[string]any{"tones": []any{name, "blue"}}},
				}
			}
			one = note
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

// replied is what a replica answers.
type replied struct {
	Data       map[string]any
	Errors     []struct{ Message, Extensions any }
	Extensions struct{ Cost map[string]any }
}

// ask returns the data of an operation, nil if a field of it is not ready.
func (s *shelf) ask(t *testing.T, p *processtest.Process, query, slug, color string) map[string]any {
	t.Helper()
	if s.color != "" {
		query = strings.ReplaceAll(query, "$c: String!", "$c: "+s.color)
		if s.later != nil {
			query = painted.Replace(query)
		}
	}
	answer := post(t, p, query, slug, color)
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

// post sends an operation of a viewer of the tenant acme.
func post(t *testing.T, p *processtest.Process, query, slug, color string) replied {
	t.Helper()
	return postAs(t, p, "acme", query, slug, color)
}

func postAs(t *testing.T, p *processtest.Process, tenant, query, slug, color string) (a replied) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": map[string]string{"s": slug, "c": color}})
	fatal.If(t, err)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.URL+"/graphql", bytes.NewReader(body))
	fatal.If(t, err)
	r.Header.Set("Content-Type", "application/json")
	fatal.If(t, processtest.SignIn(r, viewer.Viewer{ID: "ada", Tenant: tenant}))
	response, err := http.DefaultClient.Do(r)
	fatal.If(t, err)
	defer func() { _ = response.Body.Close() }()
	fatal.If(t, json.NewDecoder(response.Body).Decode(&a))
	return a
}

// TestCostOfBothForms: a mutation is estimated and charged with the form that another design needs.
func TestCostOfBothForms(t *testing.T) {
	t.Parallel()
	dir, key := schemaFolder(t, smallItems.Replace(shelfSchema)), keys.NewID("Note", "a").Encode()
	var versions []migrate.Version
	for _, d := range []string{dir, schemaFolder(t, smallItems.Replace(laterShelfSchema))} {
		versions = append(versions, versionOf(t, d))
	}
	tab := tabletest.Start(t, table.SchemaOf(versions[0].Design))
	r, err := migrate.NewRecord(versions[0]).Begin(versions[1])
	fatal.If(t, err)
	r.State = migrate.Filling
	fatal.If(t, record.Open(tab.Table).Put(t.Context(), migrate.Record{}, r))
	p := processtest.Launch(t, "serve "+dir, "DYNAMODB_ENDPOINT="+tab.Settings.Endpoint, "LIVE=off")
	p.AwaitServing(t)
	for _, tt := range [][3]string{
		{
			`mutation($s: String!, $c: String!) { createNote(input: {slug: $s, shelf: "b", color: $c}) {
				userErrors { message } } }`, "a", "3 of 3 read, 10 written by 2 requests",
		}, {
			`mutation($s: ID!, $c: String!) { updateNote(input: {id: $s, color: $c, shelf: "c"}) { userErrors { message } } }`,
			key, "5 of 5 read, 14 written by 4 requests",
		}, {
			`mutation($s: ID!) { deleteNote(input: {id: $s}) { userErrors { message } } }`, key,
			"4 of 4 read, 10 written by 4 requests",
		},
	} {
		cost := post(t, p, tt[0], tt[1], "blue").Extensions.Cost
		got := fmt.Sprintf("%v of %v read, %v written by %v requests", cost["readUnits"], cost["estimatedReadUnits"],
			cost["writeUnits"], cost["requests"])
		if got != tt[2] {
			t.Errorf("%s\nconsumes %s, want %s", tt[0], got, tt[2])
		}
	}
}

var smallItems = strings.NewReplacer(`sk: "NOTE")`+"\n  @copy", `sk: "NOTE", maxBytes: 1024)`+"\n  @copy",
	`sk: "PAGE")`+"\n  @copy", `sk: "PAGE", maxBytes: 1024)`+"\n  @copy")
