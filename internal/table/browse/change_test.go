package browse_test

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/partita/partita/internal/exampletest"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/browse"
)

// The items of the test as they are stored.
const (
	red = `{"PK":{"S":"TEAM#red"},"SK":{"S":"TEAM#red"},"entityType":{"S":"Team"},"id":{"S":"red"},` +
		`"memberCount":{"N":"2"},"name":{"S":"Red"}}`
	inRed = `{"PK":{"S":"TEAM#red"},"SK":{"S":"MEMBER#ada"},"entityType":{"S":"Membership"},` +
		`"joinedAt":{"S":"2026-03-01T00:00:00.000Z"},"personId":{"S":"ada"},"teamId":{"S":"red"}}`
	claim = `{"PK":{"S":"TEAM_NAME#red"},"SK":{"S":"TEAM_NAME#red"},"entityType":{"S":"TeamNameClaim"},` +
		`"teamId":{"S":"red"}}`
	person = `{"PK":{"S":"PERSON#bob"},"SK":{"S":"PERSON#bob"},"entityType":{"S":"Person"},"id":{"S":"bob"},` +
		`"name":{"S":"Bob"}}`
	nothing  = `null`
	absent   = `{"PK":{"S":"NOTE#1"},"SK":{"S":"NOTE#1"}}`
	otherKey = `{"PK":{"S":"TEAM#red"},"SK":{"S":"OTHER"}}`
)

type changeAnswer struct {
	Written       bool
	Breaks, Found []struct{ PK, SK, Kind, Problem, Fix string }
	ReadUnits     float64
	WriteUnits    float64
}

// text returns what a change breaks, and what is found after it.
func (a changeAnswer) text() string {
	b := strings.Builder{}
	b.WriteString("\n")
	for _, v := range a.Breaks {
		fmt.Fprintf(&b, "breaks %s at %s %s: %s\n    fix: %s\n", v.Kind, v.PK, v.SK, v.Problem, cmp.Or(v.Fix, "none"))
	}
	for _, v := range a.Found {
		fmt.Fprintf(&b, "finds %s at %s %s: %s\n    fix: %s\n", v.Kind, v.PK, v.SK, v.Problem, cmp.Or(v.Fix, "none"))
	}
	fmt.Fprintf(&b, "written: %t, %v read units, %v write units\n", a.Written, a.ReadUnits, a.WriteUnits)
	return b.String()
}

// TestChange: what breaks something is written only if the visitor says so, and everything is read and written once.
func TestChange(t *testing.T) {
	s := exampletest.Open(t, "../../../examples/teams").Serve(t)
	b := browser(s).Editing(admin.Scanner{Table: s.Engine.Table})
	renamed := strings.Replace(red, `"Red"`, `"Green"`, 1)
	for _, test := range []struct {
		name, was, item string
		despite         bool
		want            string
	}{
		{"a unique value", red, renamed, false, `
breaks CLAIM_MISSING at TEAM#red TEAM#red: nothing claims Green for this Team
    fix: put the claim
breaks CLAIM_ORPHAN at TEAM_NAME#red TEAM_NAME#red: the Team TEAM#red does not have this name
    fix: delete it
written: false, 5 read units, 0 write units
`},
		{"a unique value, despite that", red, renamed, true, `
breaks CLAIM_MISSING at TEAM#red TEAM#red: nothing claims Green for this Team
    fix: put the claim
breaks CLAIM_ORPHAN at TEAM_NAME#red TEAM_NAME#red: the Team TEAM#red does not have this name
    fix: delete it
finds CLAIM_MISSING at TEAM#red TEAM#red: nothing claims Green for this Team
    fix: put the claim
finds CLAIM_ORPHAN at TEAM_NAME#red TEAM_NAME#red: the Team TEAM#red does not have this name
    fix: delete it
written: true, 9 read units, 2 write units
`},
		{"back", renamed, red, false, `
written: true, 9 read units, 2 write units
`},
		{"an edge is deleted", inRed, nothing, false, `
breaks COUNTER_WRONG at TEAM#red TEAM#red: memberCount is 2; Team.members has 1
    fix: set it to the count
breaks COPY_ORPHAN at PERSON#ada TEAM#red: there is no Membership TEAM#red MEMBER#ada that this would be a copy of
    fix: delete it
written: false, 7 read units, 0 write units
`},
		{"a person is deleted whom edges name", person, nothing, false, `
breaks REFERENCE_BROKEN at TEAM#red MEMBER#bob: personId names Person PERSON#bob PERSON#bob, which does not exist
    fix: delete the Membership and its copies
written: false, 5 read units, 0 write units
`},
		{"a claim is deleted", claim, nothing, false, `
breaks CLAIM_MISSING at TEAM#red TEAM#red: nothing claims Red for this Team
    fix: put the claim
written: false, 4 read units, 0 write units
`},
		{"an item of no type", nothing, absent, false, `
breaks ITEM_UNKNOWN at NOTE#1 NOTE#1: the item has no entityType
    fix: none
written: false, 1 read units, 0 write units
`},
		{"a type that is wrong", red, strings.Replace(red, `{"N":"2"}`, `{"S":"two"}`, 1), false, `
breaks ITEM_INVALID at TEAM#red TEAM#red: this is no Team: memberCount is not stored as what the schema declares, Int
    fix: none
written: false, 3 read units, 0 write units
`},
	} {
		s.Engine.Proxy.Reset()
		question := fmt.Sprintf(`{"was":%s,"item":%s,"despite":%t}`, test.was, test.item, test.despite)
		a := askText[changeAnswer](t, b, "change", question)
		if got := a.text(); got != test.want {
			t.Errorf("%s: got\n%s", test.name, got)
		}
		counts := s.Engine.Proxy.Counts()
		if counts.ReadUnits != a.ReadUnits || counts.WriteUnits != a.WriteUnits || counts.Writes > 0 != a.Written {
			t.Errorf("%s: consumed %v and %v units, shown as %s", test.name, counts.ReadUnits, counts.WriteUnits, a.text())
		}
	}
}

// TestChangeErrors: nothing is written that cannot be stored, or over what others have written.
func TestChangeErrors(t *testing.T) {
	s := exampletest.Open(t, "../../../examples/teams").Serve(t)
	b := browser(s).Editing(admin.Scanner{Table: s.Engine.Table})
	for _, test := range []struct{ was, item, code, message string }{
		{strings.Replace(red, `"Red"`, `"Blue"`, 1), red, "CONFLICT", "is not as this page shows it any more"},
		{strings.Replace(red, `"Red"`, `"Blue"`, 1), nothing, "CONFLICT", "is not as this page shows it any more"},
		{absent, nothing, "CONFLICT", "is not as this page shows it any more"},
		{nothing, red, "CONFLICT", "is not as this page shows it any more"},
		{red, otherKey, "BAD_USER_INPUT", "An item keeps its key"},
		{nothing, nothing, "BAD_USER_INPUT", "The question has no item"},
		{nothing, `{"PK":{"S":"a"}}`, "BAD_USER_INPUT", "This cannot be stored: no SK, a key of the table."},
		{nothing, `{"PK":"a"}`, "BAD_USER_INPUT", "This cannot be stored: not an item in DynamoDB's JSON"},
		{nothing, strings.TrimSuffix(absent, "}") + `,"n":{"N":"x"}}`, "BAD_USER_INPUT", `"n": "x" is no number`},
	} {
		s.Engine.Proxy.Reset()
		question := fmt.Sprintf(`{"was":%s,"item":%s,"despite":true}`, test.was, test.item)
		_, _, err := b.Answer(t.Context(), "change", []byte(question))
		got, is := errors.AsType[*browse.Error](err)
		if !is || got.Code() != test.code || !strings.Contains(got.Error(), test.message) {
			t.Errorf("%s: got %v, want %s %s", question, err, test.code, test.message)
		}
		if n := s.Engine.Proxy.Counts().Writes; n != 0 {
			t.Errorf("%s: %d writes", question, n)
		}
	}
	question := fmt.Sprintf(`{"was":%s,"item":null}`, red)
	_, _, err := browser(s).Answer(t.Context(), "change", []byte(question))
	if got, is := errors.AsType[*browse.Error](err); !is || got.Code() != "FORBIDDEN" {
		t.Errorf("not on the local engine: got %v", err)
	}
}
