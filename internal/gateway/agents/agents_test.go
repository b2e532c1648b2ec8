package agents_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/agents"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/gen/contract"
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/prices"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/viewer"
)

// The versions of the protocol: the last one with sessions, and the first without.
const (
	withSessions    = "2025-11-25"
	withoutSessions = "2026-07-28"
)

// operations are the tools of the tests.
const operations = `
# Who has what.
#
# For librarians.
query LoansByState($state: LoanState!, $lentAt: TimeRange, $first: Int = 2, $after: String) {
  loansByState(state: $state, lentAt: $lentAt, first: $first, after: $after) {
    nodes { ...Loan }
    pageInfo { hasNextPage endCursor }
  }
}

fragment Loan on Loan { id state lentAt reader { name } }

query Reader($id: ID!, $first: Int = 3) {
  reader(id: $id) { name loans(first: $first) { nodes { id } pageInfo { hasNextPage endCursor } } }
}

query Readers($ids: [ID!]!, $first: Int = 1, $after: String) {
  nodes(ids: $ids) {
    ... on Reader { name loans(first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }
  }
}

query Late($first: Int!, $before: String) {
  loansByState(state: OVERDUE, last: $first, before: $before) { nodes { id } pageInfo { hasPreviousPage startCursor } }
}

mutation CreateClub($input: CreateClubInput!) { createClub(input: $input) { club { id name } userErrors { code } } }
mutation UpdateClub($input: UpdateClubInput!) { updateClub(input: $input) { club { id name } userErrors { code } } }
mutation DeleteClub($input: DeleteClubInput!) { deleteClub(input: $input) { deletedClubId userErrors { code } } }
mutation CountVisit($input: CountVisitInput!) { countVisit(input: $input) { userErrors { code } } }
mutation PostNotice($input: PostNoticeInput!) { postNotice(input: $input) { userErrors { code } } }
subscription Loan($id: ID!) { loan(id: $id) { id state } }
subscription Loans($id: ID!) { reader(id: $id) { name } }
`

// settings allow an agent everything but PostNotice.
const settings = `{
  "mutations": ["CreateClub", "UpdateClub", "DeleteClub", "CountVisit"], "subscriptions": ["Loan"],
  "search": true, "query": true,
  "session": {"units": 1500, "objects": 5000, "bytes": 50000}, "answerBytes": 10000
}`

// service is the library with agents.
type service struct {
	*testservice.Service
	// changes are those of the table; nil if no subscription is a tool.
	changes *testservice.Changes
	url     string
	log     *gatewaytest.Log
}

// parse returns the tools of documents for the library.
func parse(documents, settings string) (*agents.Tools, error) {
	schema := testservice.Executable().Schema()
	version := contract.Version{API: plan.API(schema), Design: testservice.Design()}
	return agents.Parse(agents.Files{
		Documents: []*ast.Source{{Name: "tools.graphql", Input: documents}}, Settings: []byte(settings),
	}, agents.API{
		Schema: schema, Design: testservice.Design(),
		Price: func(name, document string) (plan.Price, error) {
			return prices.Worst(prices.Listed(name, "tools", document), version, testservice.Now)
		},
	})
}

// start serves the library with the tools.
func start(t *testing.T, settings string, changes ...func(*gateway.Config)) *service {
	t.Helper()
	tools, err := parse(operations, settings)
	fatal.If(t, err)
	s := &service{Service: testservice.Start(t), log: &gatewaytest.Log{}}
	schema := testservice.Executable()
	config := gateway.Config{
		Schema:     schema,
		Engine:     loaders.New(testservice.Design(), schema.Schema(), s.Table, loaders.Options{}),
		Callers:    operation.Callers{Authenticate: gatewaytest.Authenticate},
		Monitoring: gateway.Monitoring{Logger: slog.New(slog.NewTextHandler(s.log, nil))},
		Limits:     operation.Limits{OperationTimeout: time.Minute},
		Agents:     agents.Config{Tools: tools, Name: "library", Version: "1"},
	}
	if len(tools.Subscriptions) > 0 {
		s.changes = testservice.NewChanges(t, testservice.Design(), s.Engine, testservice.Items(), live.Options{})
		config.Subscriptions.Live = s.changes.Hub
	}
	for _, change := range changes {
		change(&config)
	}
	server := httptest.NewServer(gateway.New(config))
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// as sends requests as a viewer.
type as struct{ viewer.Viewer }

func (a as) RoundTrip(r *http.Request) (*http.Response, error) {
	if !a.IsAnonymous() {
		r = r.Clone(r.Context())
		gatewaytest.SetViewer(r.Header, a.Viewer)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// agent is a client with a session.
type agent struct {
	*mcp.ClientSession
	t *testing.T
	// progress are the notifications.
	progress chan *mcp.ProgressNotificationParams
}

func (s *service) agent(t *testing.T, v viewer.Viewer, version string) agent {
	t.Helper()
	progress := make(chan *mcp.ProgressNotificationParams, 200)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			progress <- r.Params
		},
	})
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: s.url + agents.Path, HTTPClient: &http.Client{Transport: as{v}}, DisableStandaloneSSE: true,
	}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	fatal.If(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return agent{session, t, progress}
}

// said is a result.
type said struct {
	Data   map[string]any
	Events []struct {
		Data   struct{ Loan *struct{ ID, State string } }
		Errors []struct{ Code string }
	}
	Ended, Position string
	Errors          []struct{ Code, Message, Path string }
	Receipt         *struct {
		ReadUnits, WriteUnits float64
		Objects               float64
		Bytes                 float64
		AtMost                struct{ ReadUnits, WriteUnits, Objects float64 }
	}
	Price   *struct{ ReadUnits, WriteUnits, Objects float64 }
	Session agents.Amount
	More    []struct{ Path, Cursor, Argument string }

	isError bool
	texts   []string
	// raw is the text of the data.
	raw string
}

func (a agent) call(name string, arguments any) said {
	a.t.Helper()
	result, err := a.CallTool(a.t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	fatal.If(a.t, err)
	return read(a.t, result)
}

func read(t *testing.T, result *mcp.CallToolResult) said {
	t.Helper()
	s := said{isError: result.IsError}
	structured, err := json.Marshal(result.StructuredContent)
	fatal.If(t, err)
	fatal.If(t, json.Unmarshal(structured, &s))
	for _, c := range result.Content {
		text := c.(*mcp.TextContent)
		s.texts = append(s.texts, text.Text)
		if text.Meta[agents.MetaUntrusted] == true {
			s.raw = text.Text
		}
	}
	return s
}

func (s said) code() string {
	if len(s.Errors) == 0 {
		return ""
	}
	return s.Errors[0].Code
}

// bothVersions runs a test with sessions of the protocol, and without.
func bothVersions(t *testing.T, test func(t *testing.T, version string)) {
	t.Helper()
	for _, version := range []string{withSessions, withoutSessions} {
		t.Run(version, func(t *testing.T) { test(t, version) })
	}
}
