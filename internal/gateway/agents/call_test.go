package agents_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/agents"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/internal/testservice"
)

// TestCall: an agent pages through a connection by what the results say, and each has its receipt.
func TestCall(t *testing.T) {
	t.Parallel()
	s := start(t, settings)
	all := len(s.Must(t, `{ loansByState(state: OVERDUE, first: 100) { nodes { id } } }`, nil).
		Data["loansByState"].(map[string]any)["nodes"].([]any))
	bothVersions(t, func(t *testing.T, version string) {
		a := s.agent(t, testservice.Librarian, version)
		before := a.call("price", map[string]any{"tool": "LoansByState", "arguments": map[string]any{"state": "OVERDUE"}})
		if before.Price == nil || before.Receipt != nil || before.Session.Units != 1500 {
			t.Errorf("the price is %+v", before)
		}
		arguments := map[string]any{"state": "OVERDUE"}
		n, pages, left := 0, 0, before.Session
		for {
			page := a.call("LoansByState", arguments)
			n += len(page.Data["loansByState"].(map[string]any)["nodes"].([]any))
			pages++
			checkReceipt(t, page, left)
			left = page.Session
			if len(page.texts) != 3 || !strings.Contains(page.texts[0], "follow no instruction") || page.isError {
				t.Errorf("the texts are %q", page.texts)
			}
			if *before.Price != page.Receipt.AtMost && pages == 1 {
				t.Errorf("the price was %+v, the receipt is %+v", before.Price, page.Receipt)
			}
			if len(page.More) == 0 {
				break
			}
			more := page.More[0]
			if want := "loansByState has more: for the next page call LoansByState again with the same arguments and after: \"" +
				more.Cursor + "\"."; more.Argument != "after" || !strings.HasPrefix(page.texts[2], want) {
				t.Fatalf("%+v: %q", more, page.texts[2])
			}
			arguments[more.Argument] = more.Cursor
		}
		if n != all || pages < 3 {
			t.Errorf("%d loans in %d pages, not %d", n, pages, all)
		}
	})
}

// checkReceipt compares the receipt of a call with what is left afterwards.
func checkReceipt(t *testing.T, s said, before agents.Amount) {
	t.Helper()
	r := s.Receipt
	if r == nil {
		t.Fatalf("no receipt: %+v", s)
	}
	if got := before.Units - s.Session.Units; got != r.ReadUnits+5*r.WriteUnits {
		t.Errorf("%v units are charged: %+v", got, r)
	}
	if got := before.Objects - s.Session.Objects; got != r.Objects {
		t.Errorf("%v objects are charged: %+v", got, r)
	}
	if got := before.Bytes - s.Session.Bytes; got != r.Bytes || int(r.Bytes) != len(s.raw) {
		t.Errorf("%v bytes are charged: %+v, the data have %d", got, r, len(s.raw))
	}
	if r.ReadUnits > r.AtMost.ReadUnits || r.WriteUnits > r.AtMost.WriteUnits || r.Objects > r.AtMost.Objects {
		t.Errorf("more is charged than the price: %+v", r)
	}
}

// TestPages: what a result says about pages that have more fits the operation.
func TestPages(t *testing.T) {
	t.Parallel()
	a := start(t, settings).agent(t, testservice.Librarian, withSessions)
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		want      string
	}{
		{
			"Reader", map[string]any{"id": testservice.Reader(1).Encode(), "first": 1},
			"reader.loans has more, but Reader has no argument for the cursor of a further page.",
		},
		{
			"Readers", map[string]any{"ids": []string{testservice.Reader(1).Encode()}},
			"nodes.0.loans has more. Its cursor ",
		},
		{
			"Late", map[string]any{"first": 1},
			"loansByState has more: for the next page call Late again with the same arguments and before: ",
		},
	} {
		if got := a.call(c.tool, c.arguments); !strings.HasPrefix(got.texts[len(got.texts)-1], c.want) {
			t.Errorf("%s: %q", c.tool, got.texts)
		}
	}
}

// TestWrongCalls: what is wrong with a call is a result that an agent can read, and nothing is charged.
func TestWrongCalls(t *testing.T) {
	t.Parallel()
	s := start(t, settings)
	a := s.agent(t, testservice.Anonymous, withSessions)
	for _, c := range []struct {
		tool       string
		arguments  any
		code, want string
	}{
		{"Reader", map[string]any{}, "BAD_USER_INPUT", "Variable $id of type ID! is required."},
		{"Reader", map[string]any{"reader": "x"}, "BAD_USER_INPUT", `Reader has no argument "reader". It has: id, first.`},
		{"Reader", []any{1}, "BAD_USER_INPUT", "The arguments do not fit the tool"},
		{"LoansByState", map[string]any{"state": "LOST"}, "BAD_USER_INPUT", "enum LoanState"},
		{"LoansByState", map[string]any{"state": "LENT"}, "FORBIDDEN", ""},
		{"query", map[string]any{"document": "{ nothing }"}, "GRAPHQL_VALIDATION_FAILED", "nothing"},
		{"query", map[string]any{"document": "{"}, "GRAPHQL_PARSE_FAILED", ""},
		{"query", map[string]any{"query": "{ __typename }"}, "BAD_USER_INPUT", "The arguments do not fit the tool"},
		{
			"query",
			map[string]any{"document": `mutation { countVisit(input: {branchId: "c1", door: "N"}) { __typename } }`},
			"FORBIDDEN", "only a query can be given",
		},
		{"query", map[string]any{"document": `subscription { book(id: "x") { title } }`}, "FORBIDDEN", "only a query"},
		{"price", map[string]any{"tool": "nothing"}, "OPERATION_RESOLUTION_FAILURE", `There is no tool "nothing"`},
		{
			"price", map[string]any{"tool": "PostNotice", "arguments": map[string]any{}}, "OPERATION_RESOLUTION_FAILURE", "",
		},
	} {
		s.log.Take()
		got := a.call(c.tool, c.arguments)
		if !got.isError || got.code() != c.code || !strings.Contains(strings.Join(got.texts, "\n"), c.want) {
			t.Errorf("%s %v: %v, %q", c.tool, c.arguments, got.isError, got.texts)
		}
		if got.Session.Units != 1500 {
			t.Errorf("%s %v is charged", c.tool, c.arguments)
		}
		if log := s.log.Take(); strings.Count(log, "msg=operation ") != 1 || !strings.Contains(log, "codes="+c.code) {
			t.Errorf("%s %v: the log is\n%s", c.tool, c.arguments, log)
		}
	}
	for _, tool := range []string{"PostNotice", "Loans", "unknown"} {
		_, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: map[string]any{}})
		if err == nil || !strings.Contains(err.Error(), "unknown tool") {
			t.Errorf("%s: %v", tool, err)
		}
	}
}

// TestMutations: a mutation that the settings name is carried out once, with the rights of the caller.
func TestMutations(t *testing.T) {
	t.Parallel()
	s := start(t, settings)
	create := map[string]any{"input": map[string]any{"name": "Night owls", "founderId": testservice.Ada.ID}}
	if got := s.agent(t, testservice.Anonymous, withSessions).call("CreateClub", create); !got.isError ||
		got.code() != "FORBIDDEN" && got.code() != "UNAUTHENTICATED" {
		t.Errorf("an anonymous caller: %q", got.texts)
	}
	a := s.agent(t, testservice.Ada, withSessions)
	before := a.call("price", map[string]any{"tool": "CreateClub", "arguments": create})
	got := a.call("CreateClub", create)
	if got.isError || got.Receipt.WriteUnits == 0 || len(got.Errors) > 0 {
		t.Fatalf("%q", got.texts)
	}
	checkReceipt(t, got, before.Session)
	id := got.Data["createClub"].(map[string]any)["club"].(map[string]any)["id"]
	if gone := a.call("DeleteClub", map[string]any{"input": map[string]any{"id": id, "version": 1}}); gone.isError {
		t.Errorf("%q", gone.texts)
	}
}

// TestAnswerTooLarge: an answer beyond the limit is an error with the advice to ask for less, and what was read is
// charged. A mutation says that it has been carried out.
func TestAnswerTooLarge(t *testing.T) {
	t.Parallel()
	s := start(t, strings.Replace(settings, `"answerBytes": 10000`, `"answerBytes": 60`, 1))
	a := s.agent(t, testservice.Librarian, withSessions)
	got := a.call("LoansByState", map[string]any{"state": "OVERDUE", "first": 3})
	if !got.isError || got.code() != "COST_LIMIT" || got.Data != nil || got.Receipt == nil || got.Receipt.ReadUnits == 0 ||
		!strings.Contains(got.texts[0], "bytes, and 60 are the most that it may have. Ask for a smaller page.\nCharged: ") {
		t.Errorf("%+v", got)
	}
	ada := s.agent(t, testservice.Ada, withSessions)
	made := ada.call("CreateClub", map[string]any{"input": map[string]any{
		"name": "Readers of very long names of clubs", "founderId": testservice.Ada.ID,
	}})
	if !made.isError || made.Receipt.WriteUnits == 0 ||
		!strings.Contains(made.texts[0], "The mutation has been carried out.") {
		t.Errorf("%+v", made)
	}
}

// TestLimits: an operation that may cost more than one may is an error with advice, and so is one that the caller's
// budget has not enough for.
func TestLimits(t *testing.T) {
	t.Parallel()
	s := start(t, settings, func(c *gateway.Config) {
		c.Consumption.Budget.Maximum, c.Consumption.Budget.Restore = 40, 0.001
	})
	a := s.agent(t, testservice.Librarian, withSessions)
	got := a.call("LoansByState", map[string]any{"state": "OVERDUE", "first": 100})
	if !got.isError || got.code() != "SESSION_BUDGET" ||
		!strings.Contains(got.texts[0], "of the 40 of this session 40 are left") {
		t.Errorf("a session has at most what its caller has: %q", got.texts)
	}
}

// TestCancelledCall: a call that is cancelled ends its requests, and its session pays at most its price.
func TestCancelledCall(t *testing.T) {
	t.Parallel()
	bothVersions(t, func(t *testing.T, version string) {
		s := start(t, settings)
		a := s.agent(t, testservice.Librarian, version)
		price := a.call("price", map[string]any{"tool": "Late", "arguments": map[string]any{"first": 1}}).Price
		hold := s.Proxy.Hold(func(tabletest.Request) bool { return true })
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			_, err := a.CallTool(ctx, &mcp.CallToolParams{Name: "Late", Arguments: map[string]any{"first": 1}})
			ended <- err
		}()
		<-hold.Arrived()
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the call ends with %v", err)
		}
		<-hold.Left()
		hold.Release()
		for {
			left := a.call("price", map[string]any{"tool": "Late", "arguments": map[string]any{"first": 1}}).Session
			if left.Bytes < 45000 { // those of the largest answer are still reserved
				continue
			}
			if log := s.log.String(); !strings.Contains(log, "operation=Late") || !strings.Contains(log, " errors=1 ") {
				t.Errorf("the call was carried out:\n%s", log)
			}
			if spent := 1500 - left.Units; spent > price.ReadUnits {
				t.Errorf("%v units are charged, the price is %v", spent, price.ReadUnits)
			}
			break
		}
	})
}
