package crowd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/subscriber"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/viewer"
)

// deskFields are the live fields of testdata/desk.
var deskFields = []string{
	`ticket(teamId: "a", number: "1") ` + ticketSelection,
	`tickets(teamId: "a", first: 20) CONNECTION ` + ticketSelection,
	`ticketsByState(state: OPEN, first: 20) CONNECTION ` + ticketSelection,
	`ticketsByState(state: CLOSED, first: 20) CONNECTION ` + ticketSelection,
	`visits(site: "x", at: {from: "2026-01-01T00:00:00Z"}, first: 20) CONNECTION { id site at note }`,
}

const ticketSelection = `{ id teamId number state openedAt }`

// TestLiveForeignTable: a table with names, delimiter and formats of another program: times in seconds, values that are
// only in keys, an index with keys alone over shards, and time buckets. After each write, by the gateway and by the
// other program, what subscribers know is what a query returns.
func TestLiveForeignTable(t *testing.T) {
	t.Parallel()
	dir, err := filepath.Abs("testdata/desk")
	fatal.If(t, err)
	p := processtest.Launch(t, "serve "+dir, "DATA_DIR="+t.TempDir(), "READ_UNITS_BUCKET=0")
	p.AwaitServing(t)
	d := newDesk(t, p, deskFields)
	for _, write := range []string{
		`createTicket(input: {teamId: "a", number: "1", state: OPEN, openedAt: "2026-01-01T00:00:00Z"})`,
		`createTicket(input: {teamId: "a", number: "2", state: OPEN, openedAt: "2026-01-02T00:00:00Z"})`,
		`createTicket(input: {teamId: "b", number: "1", state: CLOSED, openedAt: "2026-01-03T00:00:00Z"})`,
		`createVisit(input: {site: "x", at: "2026-02-03T04:05:06Z"})`,
		`UPDATE partita REMOVE teamId WHERE pk = 'TEAM|a' AND sk = 'T|1'`,
		`UPDATE partita REMOVE "number" WHERE pk = 'TEAM|a' AND sk = 'T|1'`,
		`updateTicket(input: {id: "Ticket:a/1", state: CLOSED})`,
		`updateTicket(input: {id: "Ticket:a/2", openedAt: "2025-12-31T23:59:59Z"})`,
		`UPDATE partita SET colour = 'blue' WHERE pk = 'TEAM|a' AND sk = 'T|2'`,
		`INSERT INTO partita VALUE {'pk': 'SITE|x|2026-03', 'sk': 'V|2026-03-04T05:06:07Z', 'note': 'new', 'colour': 'red'}`,
		`UPDATE partita SET note = 'seen' WHERE pk = 'SITE|x|2026-02' AND sk = 'V|2026-02-03T04:05:06Z'`,
		`UPDATE partita REMOVE gpk WHERE pk = 'TEAM|b' AND sk = 'T|1'`,
		`DELETE FROM partita WHERE pk = 'SITE|x|2026-03' AND sk = 'V|2026-03-04T05:06:07Z'`,
		`deleteTicket(input: {id: "Ticket:a/1"})`,
	} {
		if strings.Contains(write, "(input:") {
			d.mutate(t, testservice.Encoded(write))
		} else {
			d.execute(t, write)
		}
		d.wantSame(t, write)
	}
}

// desk is a gateway with one subscription to each field.
type desk struct {
	*processtest.Process
	conn subscriber.Connection
	// fields are the live fields, with selections that are the same in queries.
	fields []string
	// known is what each subscriber knows: an object, or edges by the ids of their nodes. positions are those after it.
	known     []any
	positions []string
}

func newDesk(t *testing.T, p *processtest.Process, fields []string) *desk {
	t.Helper()
	d := &desk{Process: p, fields: fields, known: make([]any, len(fields)), positions: make([]string, len(fields))}
	d.subscribeAll(t)
	return d
}

// subscribeAll opens a connection and subscribes to each field: after what the subscriber knows, if anything.
func (d *desk) subscribeAll(t *testing.T) {
	t.Helper()
	d.conn = dial(t, d.Process)
	for i := range d.fields {
		d.subscribe(t, i)
	}
}

// connectionOf returns the field with the selection of a connection, in which EDGE is that of an edge.
func connectionOf(field, connection string) string {
	head, node, isConnection := strings.Cut(field, "CONNECTION ")
	if !isConnection {
		return field
	}
	return head + strings.ReplaceAll(connection, "EDGE", "{ cursor node "+node+" }")
}

func (d *desk) subscribe(t *testing.T, i int) {
	t.Helper()
	field := connectionOf(d.fields[i], "{ change nodeId connection { edges EDGE } edge EDGE }")
	r := subscriber.Request{Query: "subscription { e: " + field + " }", Position: d.positions[i]}
	fatal.If(t, d.conn.Subscribe(t.Context(), fmt.Sprint(i), r))
}

// wantSame receives messages until the subscribers know what queries return.
func (d *desk) wantSame(t *testing.T, after string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), quiet)
	defer cancel()
	for i, field := range d.fields {
		want := d.query(t, "{ e: "+connectionOf(field, "{ edges EDGE }")+" }")["e"]
		if connection, is := want.(map[string]any); is && connection["edges"] != nil {
			want = edgesOf(connection)
		}
		for !reflect.DeepEqual(d.known[i], want) {
			m, err := d.conn.Receive(ctx)
			if err != nil {
				t.Fatalf("%s: %s: the subscriber knows %v, the table has %v: %v", after, field, d.known[i], want, err)
			}
			d.receive(t, m)
		}
	}
}

func (d *desk) receive(t *testing.T, m subscriber.Message) {
	t.Helper()
	i, err := strconv.Atoi(m.ID)
	if m.Code() == "UNAVAILABLE" { // the stream is not read yet
		d.subscribe(t, i)
		return
	}
	var data struct{ E any }
	if err != nil || len(m.Errors) > 0 || json.Unmarshal(m.Data, &data) != nil {
		t.Fatalf("%s received %s %v", m.ID, m.Data, m.Errors)
	}
	d.positions[i] = m.Extensions.Live.Position
	event, _ := data.E.(map[string]any)
	id, _ := event["nodeId"].(string)
	switch event["change"] {
	case nil:
		d.known[i] = data.E
	case current:
		d.known[i] = edgesOf(event["connection"].(map[string]any))
	case removed:
		delete(d.known[i].(map[string]any), id)
	default:
		d.known[i].(map[string]any)[id] = event["edge"]
	}
}

// edgesOf returns the edges of a connection by the ids of their nodes.
func edgesOf(connection map[string]any) map[string]any {
	edges := map[string]any{}
	for _, edge := range connection["edges"].([]any) {
		edges[edge.(map[string]any)["node"].(map[string]any)["id"].(string)] = edge
	}
	return edges
}

// query sends an operation of the staff and returns the data.
func (d *desk) query(t *testing.T, query string) map[string]any {
	t.Helper()
	body, err := json.Marshal(subscriber.Request{Query: query})
	fatal.If(t, err)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, d.URL+"/graphql", bytes.NewReader(body))
	fatal.If(t, err)
	r.Header.Set("Content-Type", "application/json")
	fatal.If(t, processtest.SignIn(r, viewer.Viewer{ID: "admin1", Roles: []string{"ADMIN"}}))
	response, err := http.DefaultClient.Do(r)
	fatal.If(t, err)
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		Data   map[string]any
		Errors []any
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || len(answer.Errors) > 0 {
		t.Fatalf("%s: %v %v", query, err, answer.Errors)
	}
	return answer.Data
}

// mutate sends a mutation.
func (d *desk) mutate(t *testing.T, field string) {
	t.Helper()
	payload := d.query(t, "mutation { m: "+field+" { userErrors { code message } } }")["m"].(map[string]any)
	if errs := payload["userErrors"].([]any); len(errs) > 0 {
		t.Fatalf("%s: %v", field, errs)
	}
}

// execute writes to the table as the other program does.
func (d *desk) execute(t *testing.T, statement string) {
	t.Helper()
	_, err := d.client().ExecuteStatement(t.Context(), &dynamodb.ExecuteStatementInput{Statement: aws.String(statement)})
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// client returns one of the other program.
func (d *desk) client() *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String("http://" + d.EngineAddress), Region: "us-east-1",
		Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
	})
}
