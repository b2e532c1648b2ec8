package rollout_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/subscriber"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
	"github.com/partita/partita/viewer"
)

// taggedSchema also has tags, which are created once for each idempotency key.
const taggedSchema = shelfSchema + `
type Tag implements Node @item(pk: "TAG#{id}", sk: "TAG") @mutable(create: ["VIEWER"]) {
  id: ID!
  name: String! @unique
}
`

// untenanted returns the folder of a schema with tags, its version, and a table without tenants.
func untenanted(t *testing.T, schema table.Schema, v migrate.Version) *tabletest.Engine {
	t.Helper()
	e := tabletest.Start(t, schema)
	first := migrate.NewRecord(v.With(migrate.Tenancy{Kind: migrate.WithoutTenants}))
	fatal.If(t, record.Open(e.Table).Put(t.Context(), migrate.Record{}, first))
	return e
}

// TestReplicasWithAndWithoutTenants: while a table gets tenants, two replicas with tenants and two without create,
// change and delete notes, and each answer is right, or NOT_READY. Another tenant gets nothing until the end, and an
// empty table then.
func TestReplicasWithAndWithoutTenants(t *testing.T) {
	t.Parallel()
	dir := schemaFolder(t, taggedSchema)
	v := versionOf(t, dir)
	e := untenanted(t, table.SchemaOf(v.Design), v)
	s := &shelf{colors: map[string]string{}, color: "String!"}
	setting, claim := "DYNAMODB_ENDPOINT="+e.Settings.Endpoint, "TENANT_CLAIM="+processtest.TenantClaim
	for range 2 {
		for _, more := range []string{"TENANT_CLAIM=", claim} {
			s.replicas = append(s.replicas, processtest.Launch(t, "serve "+dir, setting, more, "LIVE=off",
				"READ_UNITS_BUCKET=0"))
		}
	}
	for _, p := range s.replicas {
		p.AwaitServing(t)
	}
	former, later := s.replicas[0], s.replicas[1]
	if got := fmt.Sprint(post(t, later, readNotes, "", "")); !strings.Contains(got, "NOT_READY") ||
		!strings.Contains(got, "migrate run "+dir+" --tenant=NAME") {
		t.Error("a table without tenants answers", got)
	}
	tag := s.tag(t, former, "acme")
	if tag == "" {
		t.Fatal("no tag is created")
	}
	n := 0
	round := func() {
		s.use(t, n)
		n++
		for i, p := range s.replicas {
			if got := s.tag(t, p, "acme"); got != "" && got != tag {
				t.Fatalf("round %d: replica %d has created %s again as %s", n, i, tag, got)
			}
		}
	}
	to := v.With(migrate.Tenancy{Kind: migrate.OfFirst, First: "acme"})
	for range 20 {
		round()
	}
	done := make(chan error, 1)
	go func() {
		done <- migrated(t, e.Table, to, []migrate.State{migrate.Switched, migrate.Former, migrate.Switched})
	}()
	during := func() {
		pace := time.NewTicker(betweenRounds)
		defer pace.Stop()
		for {
			select {
			case err := <-done:
				fatal.If(t, err)
				return
			case <-pace.C:
				round()
			}
		}
	}
	isHidden := func() {
		if got := fmt.Sprint(postAs(t, later, "other", readNotes, "", "")); !strings.Contains(got, "NOT_READY") ||
			strings.Contains(got, "acme") {
			t.Fatal("another tenant gets", got)
		}
		if got := fmt.Sprint(postAs(t, later, "other", createTag, "", "x")); !strings.Contains(got, "NOT_READY") {
			t.Fatal("another tenant creates", got)
		}
	}
	during()
	isHidden()
	if s.notReady == 0 || s.tag(t, later, "acme") != tag || s.tag(t, former, "acme") != tag {
		t.Error("the tag is not found after the switch")
	}
	go func() { done <- migrated(t, e.Table, to, []migrate.State{migrate.Latter}) }()
	during()
	for i, p := range s.replicas {
		awaitAnswer(t, func() bool {
			isReady := !strings.Contains(fmt.Sprint(post(t, p, readNotes, "", "")), "NOT_READY")
			return isReady == (i%2 == 1)
		})
	}
	notReady := s.notReady
	for range 20 {
		round()
	}
	t.Logf("%d rounds, %d answers were not ready, %d of them at the end", n, s.notReady, s.notReady-notReady)
	if got := fmt.Sprint(postAs(t, later, "other", readNotes, "", "").Data); got != "map[notes:map[nodes:[]]]" {
		t.Error("another tenant gets", got)
	}
	if own := s.tag(t, later, "other"); own == "" || own == tag || s.tag(t, later, "acme") != tag {
		t.Error("the tag of another tenant is", own)
	}
	processtest.Run(t, "table check "+dir, setting, claim)
}

const (
	readNotes = `{ notes(shelf: "a", first: 100) { nodes { slug } } }`
	createTag = `mutation($c: String!) { createTag(input: {name: $c, idempotencyKey: "k"}) {
		tag { id } userErrors { message } } }`
)

// tag creates the tag of a tenant, and returns its id, or "" if that is not ready.
func (s *shelf) tag(t *testing.T, p *processtest.Process, tenant string) string {
	t.Helper()
	got := postAs(t, p, tenant, createTag, "", "x")
	payload, _ := got.Data["createTag"].(map[string]any)
	tag, is := payload["tag"].(map[string]any)
	if !is && !strings.Contains(fmt.Sprint(got.Errors), "NOT_READY") {
		t.Fatal(got)
	}
	if !is {
		return ""
	}
	return fmt.Sprint(tag["id"])
}

// awaitAnswer waits until replicas have learned of a record.
func awaitAnswer(t *testing.T, is func() bool) {
	t.Helper()
	for !is() { // The timeout of go test ends it.
		time.Sleep(20 * time.Millisecond)
	}
}

// TestRecordsThatSayNothing: a record of an earlier version says nothing of tenants. Gateways serve its table as their
// settings say, and `migrate run` lets it say what the items have. A table without a record gets both, and tenants.
func TestRecordsThatSayNothing(t *testing.T) {
	t.Parallel()
	dir := schemaFolder(t, shelfSchema)
	v := versionOf(t, dir)
	claim := "TENANT_CLAIM=" + processtest.TenantClaim
	for _, tt := range []struct {
		name, prefix, run string
		hasRecord         bool
		first             string
	}{
		{"tenants", "acme#", "migrate run " + dir, true, ""},
		{"none", "", "migrate run " + dir + " --tenant=acme", true, "acme"},
		{"no record", "", "migrate run " + dir + " --tenant=acme", false, "acme"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e := tabletest.Start(t, table.SchemaOf(v.Design))
			setting := "DYNAMODB_ENDPOINT=" + e.Settings.Endpoint
			note := func(pk, sk string, more ...string) item.Item {
				more = append(more, "entityType", "Note", "slug", "a", "shelf", "a", "color", "red")
				return tabletest.Stored(tt.prefix+pk, sk, more...)
			}
			e.Load(t, note("NOTE#a", "NOTE", "GSI1PK", tt.prefix+"COLOR#red", "GSI1SK", "a"), note("SHELF#a", "NOTE#a"))
			store := record.Open(e.Table)
			if tt.hasRecord {
				fatal.If(t, store.Put(t.Context(), migrate.Record{}, migrate.NewRecord(v)))
			}
			settings := []string{setting, "LIVE=off", "TENANT_CLAIM="}
			if tt.prefix != "" {
				settings[2] = claim
			}
			p := processtest.Launch(t, "serve "+dir, settings...)
			p.AwaitServing(t)
			const all = "map[notes:map[nodes:[map[slug:a]]]]"
			if got := fmt.Sprint(post(t, p, readNotes, "", "").Data); got != all {
				t.Errorf("before: %s", got)
			}
			processtest.Run(t, tt.run, setting, claim)
			if got := fmt.Sprint(post(t, p, readNotes, "", "").Data); got != all {
				t.Errorf("after: %s", got)
			}
			if tt.first != "" {
				processtest.Run(t, "migrate finish "+dir, setting, claim)
			}
			r, err := store.Get(t.Context())
			fatal.If(t, err)
			said, err := migrate.ParseVersion(r.From)
			if want := (migrate.Tenancy{Kind: migrate.WithTenants, First: tt.first}); err != nil || said.Tenancy != want {
				t.Errorf("%+v %v", said.Tenancy, err)
			}
			other := processtest.Launch(t, "serve "+dir, setting, "LIVE=off", "TENANT_CLAIM=")
			other.AwaitServing(t)
			if got := fmt.Sprint(post(t, other, readNotes, "", "")); !strings.Contains(got, "NOT_READY") ||
				!strings.Contains(got, "set TENANT_CLAIM") {
				t.Errorf("without tenants: %s", got)
			}
		})
	}
}

// TestLiveWhileTenantsCome: subscribers of both kinds of gateways see what those of the other kind write, before and
// after reads have switched, and another tenant sees nothing.
func TestLiveWhileTenantsCome(t *testing.T) {
	t.Parallel()
	dir := schemaFolder(t, strings.Replace(taggedSchema, `sk: "NOTE")`, `sk: "NOTE") @live`, 1))
	v := versionOf(t, dir)
	e := untenanted(t, table.SchemaOf(v.Design), v)
	setting := "DYNAMODB_ENDPOINT=" + e.Settings.Endpoint
	former := processtest.Launch(t, "serve "+dir, setting, "TENANT_CLAIM=")
	later := processtest.Launch(t, "serve "+dir, setting, "TENANT_CLAIM="+processtest.TenantClaim)
	former.AwaitServing(t)
	later.AwaitServing(t)
	s := &shelf{color: "String!"}
	if s.ask(t, former, `mutation($s: String!, $c: String!) { createNote(input: {slug: $s, shelf: "a", color: $c}) {
		userErrors { message } } }`, "n", "0") == nil {
		t.Fatal("no note is created")
	}
	n := 0
	sees := func(reader, writer *processtest.Process) {
		t.Helper()
		subscription := firstNote(t, reader)
		n++
		if s.ask(t, writer, `mutation($s: ID!, $c: String!) { updateNote(input: {id: $s, color: $c}) {
			userErrors { message } } }`, keys.NewID("Note", "n").Encode(), fmt.Sprint(n)) == nil {
			t.Fatal("the note is not changed")
		}
		m, err := subscription.Receive(t.Context())
		if want := fmt.Sprintf(`{"note":{"color":"%d"}}`, n); err != nil || string(m.Data) != want {
			t.Errorf("the event is %s %v %v, want %s", m.Data, m.Errors, err, want)
		}
		subscription.Cut()
	}
	to := v.With(migrate.Tenancy{Kind: migrate.OfFirst, First: "acme"})
	isHidden := func() {
		t.Helper()
		m := subscribed(t, later, "other")
		if got, err := m.Receive(t.Context()); err != nil || got.Code() != "NOT_READY" {
			t.Errorf("another tenant gets %s %v %v", got.Data, got.Errors, err)
		}
		m.Cut()
	}
	isHidden()
	fatal.If(t, migrated(t, e.Table, to, []migrate.State{migrate.Switched}))
	isHidden()
	sees(former, later)
	sees(later, former)
	fatal.If(t, migrated(t, e.Table, to, []migrate.State{migrate.Latter}))
	awaitAnswer(t, func() bool { return len(postAs(t, later, "other", readNotes, "", "").Errors) == 0 })
	sees(later, later)
}

// subscribed subscribes to a note as a viewer of a tenant.
func subscribed(t *testing.T, p *processtest.Process, tenant string) subscriber.Connection {
	t.Helper()
	r := &http.Request{Header: http.Header{}}
	fatal.If(t, processtest.SignIn(r, viewer.Viewer{ID: "ada", Tenant: tenant}))
	c := subscriber.Events(http.DefaultClient, p.URL+"/graphql", r.Header.Get("Authorization"))
	request := subscriber.Request{Query: `subscription { note(slug: "n") { color } }`}
	fatal.If(t, c.Subscribe(t.Context(), "s", request))
	return c
}

// firstNote subscribes to the note, as soon as the stream is read, and receives its first state.
func firstNote(t *testing.T, p *processtest.Process) subscriber.Connection {
	t.Helper()
	for ; ; time.Sleep(20 * time.Millisecond) { // The timeout of go test ends it.
		c := subscribed(t, p, "acme")
		m, err := c.Receive(t.Context())
		switch {
		case err != nil:
			t.Fatal(err)
		case m.Code() == "":
			return c
		case m.Code() != "UNAVAILABLE" && m.Code() != "NOT_READY": // It has not learned of the last step.
			t.Fatal(m.Errors)
		}
		c.Cut()
	}
}
