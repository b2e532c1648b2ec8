package agents_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/partita/partita/internal/gateway/agents"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/internal/testservice"
)

// TestExhausted: when a budget is used up, calls have a result with advice, until the end of the session.
func TestExhausted(t *testing.T) {
	t.Parallel()
	for kind, session := range map[string]string{
		"read units":       `"units": 12, "objects": 5000, "bytes": 50000`,
		"objects":          `"units": 1500, "objects": 12, "bytes": 50000`,
		"bytes of answers": `"units": 1500, "objects": 5000, "bytes": 500`,
	} {
		s := start(t, `{"session": {`+session+`}, "answerBytes": 400}`)
		a := s.agent(t, testservice.Librarian, withSessions)
		calls := 0
		for range 2 { // it remains so
			var got said
			for ; got.code() != "SESSION_BUDGET"; calls++ {
				if got = a.call("Late", map[string]any{"first": 1}); got.code() != "" && got.code() != "SESSION_BUDGET" &&
					!strings.Contains(got.texts[0], "No more bytes are left in this session.") {
					t.Fatalf("%s: %q", kind, got.texts)
				}
			}
			if !got.isError || got.Receipt != nil || !strings.Contains(got.texts[0], " "+kind+"; of the ") ||
				!strings.Contains(got.texts[0], " are left. ") {
				t.Errorf("%s: %v %q", kind, got.isError, got.texts)
			}
		}
		if calls < 4 {
			t.Errorf("%s: %d calls", kind, calls)
		}
	}
}

// TestRandomCalls: whatever an agent calls at the same time, the table has read and written no more than the session
// may, and what is left is what the receipts leave.
func TestRandomCalls(t *testing.T) {
	t.Parallel()
	for seed := range soak.Seeds(3) {
		limit := agents.Amount{Units: 60, Objects: 300, Bytes: 6000}
		s := start(t, fmt.Sprintf(`{"mutations": ["CountVisit", "CreateClub"], "query": true, "answerBytes": 1500,
			"session": {"units": %v, "objects": %v, "bytes": %v}}`, limit.Units, limit.Objects, limit.Bytes))
		a := s.agent(t, testservice.Librarian, withSessions)
		s.Proxy.Reset()
		var mu sync.Mutex
		var charged agents.Amount
		refused := 0
		var group sync.WaitGroup
		for worker := range uint64(4) {
			random := rand.New(rand.NewPCG(seed, worker))
			group.Go(func() {
				for range 40 {
					name, arguments := randomCall(random)
					result, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
					if err != nil {
						t.Errorf("%s: %v", name, err)
						return
					}
					got := read(t, result)
					mu.Lock()
					if r := got.Receipt; r != nil {
						charged.Units += r.ReadUnits + 5*r.WriteUnits
						charged.Objects += r.Objects
						charged.Bytes += r.Bytes
					}
					if got.code() == "SESSION_BUDGET" {
						refused++
					}
					if left := got.Session; left.Units < 0 || left.Objects < 0 || left.Bytes < 0 {
						t.Errorf("%s: %+v is left", name, left)
					}
					mu.Unlock()
				}
			})
		}
		group.Wait()
		counts := s.Proxy.Counts()
		if used := counts.ReadUnits + 5*counts.WriteUnits; used > limit.Units || used > charged.Units+1e-9 {
			t.Errorf("seed %d: the table has used %v units, %v are charged", seed, used, charged.Units)
		}
		last := a.call("price", map[string]any{"tool": "Late", "arguments": map[string]any{"first": 1}}).Session
		if want := (agents.Amount{
			Units: limit.Units - charged.Units, Objects: limit.Objects - charged.Objects, Bytes: limit.Bytes - charged.Bytes,
		}); last != want || refused == 0 {
			t.Errorf("seed %d: %+v is left, %+v of the receipts; %d calls were refused", seed, last, want, refused)
		}
	}
}

// randomCall returns a call with arguments that may be valid.
func randomCall(r *rand.Rand) (name string, arguments map[string]any) {
	reader := testservice.Reader(1 + r.IntN(4)).Encode()
	switch r.IntN(6) {
	case 0:
		return "LoansByState", map[string]any{"state": []string{"LENT", "OVERDUE", "LOST"}[r.IntN(3)], "first": r.IntN(9)}
	case 1:
		return "Reader", map[string]any{"id": reader, "first": r.IntN(12)}
	case 2:
		return "Readers", map[string]any{"ids": []string{reader, reader[1:]}, "first": r.IntN(5)}
	case 3:
		return "CountVisit", map[string]any{"input": map[string]any{"branchId": testservice.Branch(1).Encode(), "door": "N"}}
	case 4:
		return "CreateClub", map[string]any{"input": map[string]any{
			"name": fmt.Sprint("Club ", r.IntN(9)), "founderId": testservice.Librarian.ID,
		}}
	default:
		return "query", map[string]any{
			"document": `query($id: ID!, $n: Int) {
				reader(id: $id) { name loans(last: $n) { nodes { state book { title } } } }
			}`,
			"variables": map[string]any{"id": reader, "n": r.IntN(6)},
		}
	}
}
