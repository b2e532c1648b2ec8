package checks

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/gen/directives/design"
	"github.com/partita/partita/keys/gen/directives/finding"
)

func place(f *design.Key) string {
	at := f.Position()
	if at == nil || at.Src == nil {
		return f.Of.Name
	}
	return finding.PlaceOf(at)
}

// rules are the checks of a design, in their order: a later one leaves out what follows from a finding of another.
var rules = []func(*checker){
	checkTable,
	checkParts,
	checkConstants,
	checkTemplates,
	checkStoredFormats,
	checkClaims,
	checkPlaces,
	checkMisreads,
	checkItems,
	checkRefs,
	checkAllows,
	checkNames,
	checkReserved,
	checkReservedKeys,
	checkLayout,
	checkKeyTypes,
	checkStored,
	checkConstantFields,
	checkInKeys,
	checkFormats,
	checkVariables,
	checkLimits,
	checkIndexes,
	checkCopies,
	checkShards,
	checkShapes,
	checkPrefixes,
	checkRecognition,
	checkUndeclared,
	checkMatches,
	checkSources,
	checkArguments,
	checkResults,
	checkConnections,
	checkMutable,
	checkWritten,
	checkUniques,
	checkCounters,
	checkCounts,
	checkNulls,
	checkCosts,
	checkExpires,
	checkRules,
	checkLive,
	checkUnread,
}

// checker is one run of the rules over a design.
type checker struct {
	*design.Design
	findings, unread finding.Findings
	// ambiguous are the reads that also select items that do not match.
	ambiguous map[*design.Read]bool
}

// All returns the findings of all rules, and those for fields that only Go code can resolve.
func All(r *design.Design) (findings, unread finding.Findings) {
	c := &checker{Design: r, ambiguous: map[*design.Read]bool{}}
	for _, rule := range rules {
		rule(c)
	}
	c.findings.Sort()
	c.unread.Sort()
	return c.findings, c.unread
}

func (r *checker) find(at *ast.Position, coordinate, what, fix string) {
	r.findings = append(r.findings, finding.At(at, coordinate, what, fix))
}

// hasFinding reports whether there is a finding at the place of a directive; nil is that of an item that is only
// proposed, so there is one.
func (r *checker) hasFinding(d *ast.Directive) bool {
	return d == nil || slices.ContainsFunc(r.findings, func(f finding.Finding) bool {
		return f.File == d.Position.Src.Name && f.Line == d.Position.Line && f.Column == d.Position.Column
	})
}
