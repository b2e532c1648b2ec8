package exampletest

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/viewer"
)

// sent is one of the operations in operations.txt.
type sent struct {
	document string
	// variables is a JSON object, or "".
	variables string
	viewer    viewer.Viewer
	// name is that of the document's operation, and about its first line, a comment.
	name, about string
}

// Row is an operation of operations.txt, and what it has cost.
type Row struct {
	Name, About string
	// Requests are those to DynamoDB, as the proxy has them in its log.
	Requests []string
	Cost     response.Cost
}

// Run sends the operations in operations.txt, for package datadriven:
//
//	operation viewer=ada roles=(ADMIN)
//	# A tenant by its id.
//	query Tenant($id: ID!) { tenant(id: $id) { name } }
//	variables {"id": "Tenant:acme"}
//	----
//	GetItem TENANT#acme TENANT#acme
//	0.5 read units, at most 0.5
//	{"tenant": {"name": "Acme"}}
//
// All operations of a file are sent to one table, in their order. Without a viewer the caller is anonymous. Global ids
// are written as text with slashes between the values, generated ones as new1, new2 and so on. $endCursor is the last
// endCursor of an answer. The others must give the same responses with the same requests: the same bytes until
// something is written, and then the same but for what is generated.
func (s *Service) Run(t *testing.T, others ...*Service) []Row {
	t.Helper()
	return s.RunIn(t, s.Dir, others...)
}

// RunIn is Run for the operations.txt in another folder.
func (s *Service) RunIn(t *testing.T, dir string, others ...*Service) []Row {
	t.Helper()
	var rows []Row
	written := false
	datadriven.RunTest(t, filepath.Join(dir, "operations.txt"), func(t *testing.T, d *datadriven.TestData) string {
		o := parse(t, d)
		body, requests := s.send(t, o)
		r := s.response(t, d.Pos, body, requests)
		written = written || r.Extensions.Cost.WriteUnits > 0
		for _, other := range others {
			body2, requests2 := other.send(t, o)
			r2 := other.response(t, d.Pos, body2, requests2)
			if !written && body2 != body || r2.text() != r.text() {
				t.Errorf("%s: the responses differ\n%s\n%s", d.Pos, r.text()+body, r2.text()+body2)
			}
		}
		rows = append(rows, Row{Name: o.name, About: o.about, Requests: requests, Cost: r.Extensions.Cost})
		return r.text()
	})
	return rows
}

// playgroundViewer is how a document says as whom it is to be sent.
var playgroundViewer = regexp.MustCompile(`PLAYGROUND_VIEWER=(\w+)`)

// RunFirst sends the document that the playground begins with. It must have an answer without an error.
func (s *Service) RunFirst(t *testing.T) {
	t.Helper()
	first := sent{document: read(t, filepath.Join(s.Dir, "query.graphql"))}
	if m := playgroundViewer.FindStringSubmatch(first.document); m != nil {
		first.viewer.ID = m[1]
	}
	body, requests := s.send(t, first)
	r := s.response(t, "query.graphql", body, requests)
	if len(r.Errors) > 0 || strings.Contains(string(r.Data), ":null") {
		t.Errorf("query.graphql: %s", body)
	}
}

func parse(t *testing.T, d *datadriven.TestData) sent {
	t.Helper()
	if d.Cmd != "operation" {
		d.Fatalf(t, "there is no command %s", d.Cmd)
	}
	o := sent{document: d.Input}
	if before, variables, found := strings.Cut(d.Input, "\nvariables "); found {
		o.document, o.variables = before, variables
	}
	d.MaybeScanArgs(t, "viewer", &o.viewer.ID)
	if roles, given := d.Arg("roles"); given {
		o.viewer.Roles = roles.Vals
	}
	first, rest, _ := strings.Cut(o.document, "\n")
	o.about = strings.TrimPrefix(first, "# ")
	words := strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" ({", r) })
	if o.about == first || len(words) < 2 {
		d.Fatalf(t, "an operation begins with a comment, and has a name")
	}
	o.name = words[1]
	return o
}

// values returns the variables with global ids.
func (o sent) values(tb testing.TB, n *names) map[string]any {
	tb.Helper()
	if o.variables == "" {
		return nil
	}
	var values map[string]any
	fatal.If(tb, json.Unmarshal([]byte(n.encode(o.variables)), &values))
	return values
}

// answered is a response, and the requests for it.
type answered struct {
	Data       json.RawMessage
	Errors     []fieldError
	Extensions struct{ Cost response.Cost }

	names    *names
	requests []string
}

type fieldError struct {
	Message    string
	Path       []any
	Extensions struct{ Code string }
}

// response reads the body of a response. The cost in it must be what the proxy has counted.
func (s *Service) response(t *testing.T, pos, body string, requests []string) answered {
	t.Helper()
	r := answered{names: &s.names, requests: requests}
	if err := json.Unmarshal([]byte(body), &r); err != nil {
		t.Fatalf("%s: %v: %s", pos, err, body)
	}
	counts, cost := s.Engine.Proxy.Counts(), r.Extensions.Cost
	if cost.Requests != counts.Total() || cost.ReadUnits != counts.ReadUnits || cost.Exceeds() ||
		cost.WriteUnits < counts.WriteUnits || float64(cost.Objects) > cost.EstimatedObjects {
		t.Errorf("%s: the cost is %+v, the proxy has counted %+v", pos, cost, counts)
	}
	s.names.sawCursor(body)
	return r
}

// text returns the requests, the units and the answer as operations.txt has them.
func (r answered) text() string {
	var b strings.Builder
	for _, request := range r.requests {
		b.WriteString(r.names.decode(request) + "\n")
	}
	cost := r.Extensions.Cost
	fmt.Fprintf(&b, "%v read units, at most %v", cost.ReadUnits, cost.EstimatedReadUnits)
	if cost.WriteUnits > 0 {
		fmt.Fprintf(&b, "; %v write units", cost.WriteUnits)
	}
	b.WriteString("\n")
	var errors []string
	for _, e := range r.Errors {
		errors = append(errors, fmt.Sprintf("%s at %v: %s\n", e.Extensions.Code, e.Path, r.names.decode(e.Message)))
	}
	slices.Sort(errors)
	return b.String() + strings.Join(errors, "") + layout(r.names.decode(string(r.Data))) + "\n"
}
