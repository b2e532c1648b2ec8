package agents_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/agents"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/internal/ways"
	"github.com/partita/partita/viewer"
)

// TestWays: by all ways through the schema, an agent sees exactly what its caller sees at /graphql.
func TestWays(t *testing.T) {
	t.Parallel()
	s := start(t, `{"query": true, "answerBytes": 1000000, "session": {"units": 1e9, "objects": 1e9, "bytes": 1e9}}`)
	all := soak.Some(ways.All(testservice.Executable().Schema(), argumentOf), 40)
	for i, v := range []viewer.Viewer{
		testservice.Anonymous, testservice.Ada, testservice.Other, testservice.Librarian,
	} {
		version := []string{withSessions, withoutSessions}[i%2]
		a := s.agent(t, v, version)
		for _, way := range all {
			shown := s.As(v).Ask(t, way.Query(), nil)
			got := a.call("query", map[string]any{"document": testservice.Encoded(way.Query())})
			if !reflect.DeepEqual(got.Data, shown.Data) {
				t.Errorf("%s as %q:\n%v by a tool,\n%v at /graphql", way, v.ID, got.Data, shown.Data)
			}
			var codes, want []string
			for _, e := range got.Errors {
				codes = append(codes, e.Code)
			}
			for _, e := range shown.Errors {
				want = append(want, e.Extensions.Code)
			}
			if !reflect.DeepEqual(codes, want) {
				t.Errorf("%s as %q: errors %v by a tool, %v at /graphql", way, v.ID, codes, want)
			}
		}
	}
}

// argumentOf returns arguments with which a field leads to an object.
func argumentOf(
	_ *ast.Definition, _ *ast.FieldDefinition, a *ast.ArgumentDefinition, object *ast.Definition,
) string {
	ids := map[string]string{
		"Reader": "r001", "Book": "b001", "Loan": "l004", "Branch": "c1", "Club": "k3", "Reminder": "l004/1",
		"Recommendation": "r001/b001", "Award": "b001/2001", "Notice": "c1/1",
		"Event": "c1/2026-01-01T08:00:00.000Z/1", "Note": "l004/2026-01-03T12:00:00.000Z",
		"Visit": "c1/2026-01-01T08:00:00.000Z/NORTH",
	}
	id := fmt.Sprintf("%q", object.Name+":"+ids[object.Name])
	switch a.Name {
	case "id":
		return id
	case "ids":
		return "[" + id + "]"
	}
	return map[string]string{
		"first": "9", "bookId": `"Book:b001"`, "readerId": `"Reader:r001"`, "card": `"C-0001"`, "isbn": `"978-0001"`,
		"state": "OVERDUE", "batch": `"ROUND-1"`,
		"at": `{from: "2026-01-01T00:00:00Z", to: "2026-01-31T00:00:00Z"}`,
	}[a.Name]
}

// callersOfWays are those of the file that has what each sees by each way, by their names there.
var callersOfWays = map[string]viewer.Viewer{
	"anonymous": testservice.Anonymous, "owner": testservice.Ada, "other": testservice.Other,
	"librarian": testservice.Librarian,
}

// shownByWays returns what each caller sees by each way, which was read by hand: see TestAccess of package loaders.
func shownByWays(t *testing.T) map[string]map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../../loaders/testdata/access")
	fatal.If(t, err)
	shown, way := map[string]map[string]string{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if caller, is := strings.CutPrefix(line, "  "); !is {
			way = line
			shown[way] = map[string]string{}
		} else if name, what, is := strings.Cut(caller, " "); is {
			what, _, _ = strings.Cut(what, "; requests: ")
			shown[way][name] = strings.TrimSpace(what)
		}
	}
	return shown
}

// pathOf returns the path of an error from its text.
func pathOf(text string) []any {
	var path []any
	for part := range strings.SplitSeq(strings.ReplaceAll(text, "[", ".["), ".") {
		if index, is := strings.CutPrefix(part, "["); is {
			n, _ := strconv.Atoi(strings.TrimSuffix(index, "]"))
			path = append(path, n)
		} else {
			path = append(path, part)
		}
	}
	return path
}

// TestRandomWays: random callers call random tools, queries of their own included, at the same time. By each way, they
// see what was written down for them and no more. No session spends more than its budget, and together they are charged
// all that the table has read.
func TestRandomWays(t *testing.T) {
	t.Parallel()
	want := shownByWays(t)
	all := ways.All(testservice.Executable().Schema(), argumentOf)
	limit := agents.Amount{Units: 25, Objects: 120, Bytes: 12_000}
	for seed := range soak.Seeds(1) {
		s := start(t, fmt.Sprintf(`{"query": true, "search": true, "answerBytes": 3000,
			"session": {"units": %v, "objects": %v, "bytes": %v}}`, limit.Units, limit.Objects, limit.Bytes))
		s.Proxy.Reset()
		var mu sync.Mutex
		var together agents.Amount
		compared, refused := 0, 0
		var group sync.WaitGroup
		number := uint64(0)
		for name, v := range callersOfWays {
			for _, version := range []string{withSessions, withSessions, withoutSessions} {
				number++
				random, a := rand.New(rand.NewPCG(seed, number)), s.agent(t, v, version)
				group.Go(func() {
					w := walker{agent: a, random: random, name: name, all: all, want: want}
					for range 25 {
						w.call()
					}
					mu.Lock()
					defer mu.Unlock()
					compared, refused = compared+w.compared, refused+w.refused
					together.Units, together.Objects = together.Units+w.spent.Units, together.Objects+w.spent.Objects
					w.check(limit)
				})
			}
		}
		group.Wait()
		if read := s.Proxy.Counts().ReadUnits; read > together.Units+1e-9 {
			t.Errorf("seed %d: the table has read %v units, %v are charged", seed, read, together.Units)
		}
		if compared < 100 || refused < 10 {
			t.Errorf("seed %d: %d ways were compared, %d calls refused", seed, compared, refused)
		}
	}
}

// walker is an agent of a caller.
type walker struct {
	agent
	random *rand.Rand
	name   string
	all    []ways.Way
	want   map[string]map[string]string

	compared, refused int
	spent             agents.Amount
	last              said
}

// call calls a random tool, or goes a random way by a query of its own.
func (w *walker) call() {
	if w.random.IntN(4) == 0 {
		w.account(w.reading())
		return
	}
	way := w.all[w.random.IntN(len(w.all))]
	got := w.account("query", map[string]any{"document": testservice.Encoded(way.Query())})
	if code := got.code(); code == agents.CodeSessionBudget || code == "COST_LIMIT" {
		w.refused++
		return
	}
	var errors []ways.Error
	for _, e := range got.Errors {
		errors = append(errors, ways.Error{Path: pathOf(e.Path), Code: e.Code})
	}
	shown, want := way.Shown(got.Data, errors), w.want[way.String()][w.name]
	if w.compared++; shown != want {
		w.t.Errorf("%s as %s: %s by a tool, not %s", way, w.name, shown, want)
	}
}

// reading returns a call of a tool that reads.
func (w *walker) reading() (name string, arguments map[string]any) {
	for {
		if name, arguments = randomCall(w.random); name != "CountVisit" && name != "CreateClub" {
			return name, arguments
		}
	}
}

// account calls a tool, and adds what it has cost.
func (w *walker) account(name string, arguments map[string]any) said {
	result, err := w.CallTool(w.t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		w.t.Errorf("%s: %v", name, err)
		return said{}
	}
	w.last = read(w.t, result)
	if r := w.last.Receipt; r != nil {
		w.spent.Units, w.spent.Objects = w.spent.Units+r.ReadUnits, w.spent.Objects+r.Objects
		w.spent.Bytes += r.Bytes
	}
	return w.last
}

// check compares what the session has left with what it has spent.
func (w *walker) check(limit agents.Amount) {
	left := agents.Amount{
		Units: limit.Units - w.spent.Units, Objects: limit.Objects - w.spent.Objects, Bytes: limit.Bytes - w.spent.Bytes,
	}
	if left.Units < 0 || left.Objects < 0 || left.Bytes < 0 || w.last.Session != left {
		w.t.Errorf("%s: %+v is left, and %+v of what was charged", w.name, w.last.Session, left)
	}
}
