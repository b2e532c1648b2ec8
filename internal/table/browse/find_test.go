package browse_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/exampletest"
	"github.com/partita/partita/item"
)

// found is what the page does with a value: it asks one pattern after the other until there is an item.
type found struct {
	By, PK, SK string
	// Tried are the patterns before, and the one that has found it.
	Tried []string
	Units float64
}

// TestFindByValue: each pattern that is tried is one Query of one item, and a list of partitions is never read.
func TestFindByValue(t *testing.T) {
	s := exampletest.Open(t, "../../../examples/teams").Serve(t)
	text := item.StringValue
	s.Engine.Load(t, item.Item{
		{Name: "PK", Value: text("TEAM#t9")}, {Name: "SK", Value: text("TEAM#t9")}, {Name: "entityType", Value: text("Team")},
		{Name: "id", Value: text("t9")}, {Name: "name", Value: text("Straße " + strings.Repeat("x", 5000))},
		{Name: "memberCount", Value: item.NumberValue(0)},
	}, item.Item{
		{Name: "PK", Value: text("TEAM_NAME#rockets")}, {Name: "SK", Value: text("TEAM_NAME#rockets")},
		{Name: "entityType", Value: text("TeamNameClaim")}, {Name: "teamId", Value: text("t9")},
	})
	// Its sort key only begins as that of a person does.
	s.Engine.Load(t, item.Item{{Name: "PK", Value: text("PERSON#t9")}, {Name: "SK", Value: text("PERSON#t9#note")}})
	b, r := record(s)
	type answer struct {
		Index, PK, SK string
		Patterns      []struct {
			By, Index, PK, SK, Condition string
			Exact, One                   bool
		}
	}
	type probed struct {
		Found     bool
		PK, SK    string
		ReadUnits float64
	}
	find := func(value string) (f found) {
		*r.requests, *r.units = nil, 0
		a := ask[answer](t, b, "find", question{"text": value})
		if len(*r.requests) > 0 {
			t.Errorf("%s: find reads %v", value, *r.requests)
		}
		for _, p := range a.Patterns {
			f.Tried = append(f.Tried, p.By+": "+p.Condition)
			q := `{"index": ` + strconv.Quote(p.Index) + `, "pk": ` + strconv.Quote(p.PK) + `, "sk": ` + strconv.Quote(p.SK) +
				`, "exact": ` + strconv.FormatBool(p.Exact) + `}`
			got := askText[probed](t, b, "probe", q)
			f.Units += got.ReadUnits
			if got.Found {
				f.By, f.PK, f.SK = p.By, got.PK, got.SK
				break
			}
		}
		if len(*r.requests) != len(f.Tried) || *r.units != f.Units {
			t.Errorf("%s: %v consume %v, shown as %v", value, *r.requests, *r.units, f.Units)
		}
		for _, request := range *r.requests {
			if !strings.HasPrefix(request, "Query ") || !strings.HasSuffix(request, " limit 1") {
				t.Errorf("%s: sends %s", value, request)
			}
		}
		return f
	}
	for value, want := range map[string]found{
		"t9": {"Query.team", "TEAM#t9", "TEAM#t9", []string{
			"Query.person: PK = PERSON#t9, SK = PERSON#t9", "Query.team: PK = TEAM#t9, SK = TEAM#t9",
		}, 1.5},
		"ROCKETS": {"Team.name", "TEAM#t9", "TEAM#t9", []string{
			"Query.person: PK = PERSON#ROCKETS, SK = PERSON#ROCKETS", "Query.team: PK = TEAM#ROCKETS, SK = TEAM#ROCKETS",
			"Team.name: PK = TEAM_NAME#rockets, SK = TEAM_NAME#rockets",
		}, 1.5},
		"nobody": {"", "", "", []string{
			"Query.person: PK = PERSON#nobody, SK = PERSON#nobody", "Query.team: PK = TEAM#nobody, SK = TEAM#nobody",
			"Team.name: PK = TEAM_NAME#nobody, SK = TEAM_NAME#nobody",
		}, 1.5},
		"TEAM#t9": {},
	} {
		if diff := cmp.Diff(want, find(value)); diff != "" {
			t.Errorf("%s: -want +got\n%s", value, diff)
		}
	}
}

// TestFindInIndexes: the key of an index leads to it, and a value to the collection that has it.
func TestFindInIndexes(t *testing.T) {
	_, b := billing(t)
	type answer struct {
		Index, PK string
		Patterns  []struct{ By string }
	}
	for text, want := range map[string]answer{
		"INVOICES#OPEN#1": {Index: "GSI1", PK: "INVOICES#OPEN#1"},
		"TENANT#acme":     {PK: "TENANT#acme"},
		"acme":            {PK: "acme", Patterns: []struct{ By string }{{"Query.tenant"}}},
	} {
		if diff := cmp.Diff(want, ask[answer](t, b, "find", question{"text": text})); diff != "" {
			t.Errorf("%s: -want +got\n%s", text, diff)
		}
	}
}
