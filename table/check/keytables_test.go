package check_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
)

// damage is what a table of tabletest.KeyTables has beside its items, and what is wrong about it.
var damage = map[string]struct {
	lines string
	// found are the violations, and left those that a repair leaves.
	found, left []string
}{
	"products": {
		lines: `{"Item":{"Id":{"N":"1"},"ProductCategory":{"S":"Book"},"Brand":{"S":"Acme"},"brandKey":{"S":"BRAND#Other"}}}
{"Item":{"Id":{"N":"2"},"ProductCategory":{"S":"Bike"},"Brand":{"S":"Acme"}}}
{"Item":{"Id":{"N":"-3"},"ProductCategory":{"S":"Car"}}}
`,
		found: []string{
			`INDEX_ENTRY_WRONG 1: brandKey is "BRAND#Other", and "BRAND#Acme" follows from the other attributes; make them anew`,
			`INDEX_ENTRY_WRONG 2: brandKey is unset, and "BRAND#Acme" follows from the other attributes; make them anew`,
			`ITEM_UNKNOWN -3: "Car" is no type of the schema`,
		},
		left: []string{`ITEM_UNKNOWN -3: "Car" is no type of the schema`},
	},
	"accounts": {
		lines: `{"Item":{"id":{"S":"ACCOUNT#b"},"kind":{"S":"Account"},"number":{"S":"b"},"email":{"S":"b@x.org"}}}
{"Item":{"id":{"S":"ACCOUNT#c"},"kind":{"S":"Account"},"number":{"S":"c"},"plan":{"S":"new"}}}
{"Item":{"id":{"S":"PUBLIC#c"},"kind":{"S":"Account"},"number":{"S":"c"},"plan":{"S":"old"}}}
{"Item":{"id":{"S":"EMAIL#d@x.org"},"kind":{"S":"EmailClaim"},"account":{"S":"d"}}}
`,
		found: []string{
			"CLAIM_MISSING ACCOUNT#b: nothing claims b@x.org for this Account; put the claim",
			"CLAIM_ORPHAN EMAIL#d@x.org: the Account ACCOUNT#d does not exist; delete it",
			"COPY_DIFFERS PUBLIC#c: not as in ACCOUNT#c: plan; make it as that is",
			"COPY_MISSING PUBLIC#b: Account ACCOUNT#b has no copy here; put it",
		},
	},
	"movies": {
		lines: `{"Item":{"year":{"N":"2014"},"title":{"S":"Whiplash"},"plot":{"N":"1"}}}
`,
		found: []string{"ITEM_INVALID 2014 Whiplash: " +
			"this is no Movie: plot is not stored as what the schema declares, String"},
		left: []string{"ITEM_INVALID 2014 Whiplash: " +
			"this is no Movie: plot is not stored as what the schema declares, String"},
	},
	"readings": {
		lines: `{"Item":{"device":{"S":"d1"},"at":{"N":"5"},"celsius":{"S":"hot"}}}
`,
		found: []string{"ITEM_INVALID d1 5: this is no Reading: celsius is not stored as what the schema declares, Int"},
		left:  []string{"ITEM_INVALID d1 5: this is no Reading: celsius is not stored as what the schema declares, Int"},
	},
}

// TestAllKindsOfKeys: a check of a table with a Number as a key, or without a sort key, finds what is wrong by the keys
// that people find in the table; a run that is interrupted after each page of one item goes on where it was, and a
// repair leaves only what has no fix.
func TestAllKindsOfKeys(t *testing.T) {
	for _, k := range tabletest.KeyTables() {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			d := damage[k.Name]
			begin := func(lines string) (*engine, check.Options) {
				e := tabletest.Start(t, table.SchemaOf(k.Design))
				e.LoadLines(t, strings.NewReader(lines))
				o := check.Options{
					Design: k.Design, PageItems: 1, Checkpoint: filepath.Join(t.TempDir(), "checkpoint"),
					Scope: check.Scope{Only: check.Kinds},
				}
				return &engine{e, admin.Scanner{Table: e.Table}}, o
			}
			e, o := begin(k.Lines)
			if report := resumed(t, check.Table, e, o); !report.Clean() || report.Items != 3 {
				t.Errorf("%d items, found %q", report.Items, where(report.Violations))
			}
			e, o = begin(k.Lines + d.lines)
			report := resumed(t, check.Table, e, o)
			if diff := cmp.Diff(d.found, where(report.Violations)); diff != "" {
				t.Error("found:", diff)
			}
			report = resumed(t, check.Repair, e, o)
			if diff := cmp.Diff(d.left, where(report.Violations)); diff != "" {
				t.Error("left:", diff)
			}
			if n := len(d.found) - len(d.left); len(report.Repaired) != n {
				t.Errorf("repaired %q, want %d", where(report.Repaired), n)
			}
			if report := resumed(t, check.Table, e, o); !slices.Equal(where(report.Violations), d.left) {
				t.Errorf("after the repair: %q", where(report.Violations))
			}
		})
	}
}

// resumed interrupts a run after each page, and returns its report.
func resumed(t *testing.T, run run, e *engine, o check.Options) check.Report {
	t.Helper()
	for range 50 {
		ctx, cancel := context.WithCancel(t.Context())
		o.Progress = func(check.Report) { cancel() }
		report, err := run(ctx, e.Scanner, o)
		cancel()
		if err == nil {
			return report
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	t.Fatal("the run has no end")
	return check.Report{}
}

// where returns the violations as a command prints them, in order.
func where(all []check.Violation) []string {
	var lines []string
	for _, v := range all {
		line := string(v.Kind) + " " + v.Where() + ": " + v.Problem
		if v.Fix != "" {
			line += "; " + v.Fix
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}
