// Package checks has the rules for a design, each in the file of what it checks.
package checks

import (
	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
)

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
	checkMembers,
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
	checkIndexLimits,
	checkIndexes,
	checkCopies,
	checkShards,
	checkShapes,
	checkPrefixes,
	checkRecognition,
	checkUndeclared,
	checkMatches,
	checkEnumOrder,
	checkSources,
	checkUnset,
	checkArguments,
	checkSince,
	checkResults,
	checkConnections,
	checkMutable,
	checkActions,
	checkWritten,
	checkMutableFields,
	checkFormerNames,
	checkDefaults,
	checkDifferences,
	checkValueChecks,
	checkTransitions,
	checkKept,
	checkUniques,
	checkCounters,
	checkCounts,
	checkOnDelete,
	checkNulls,
	checkCosts,
	checkExpires,
	checkRules,
	checkLive,
	checkUnread,
	checkIDs,
}

// All returns the findings of all rules, and those for fields that only Go code can resolve.
func All(r *reading.Design) (findings, unread finding.Findings) {
	c := &checker{Design: r, ambiguous: map[*reading.Read]bool{}}
	for _, rule := range rules {
		rule(c)
	}
	c.findings.Sort()
	c.unread.Sort()
	return c.findings, c.unread
}
