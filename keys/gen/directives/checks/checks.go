package directives

// rules are the checks of a design, in their order: a later one leaves out what follows from a finding of another.
var rules = []func(*checker){
	(*checker).checkTable,
	(*checker).checkParts,
	(*checker).checkConstants,
	(*checker).checkTemplates,
	(*checker).checkStoredFormats,
	(*checker).checkClaims,
	(*checker).checkPlaces,
	(*checker).checkMisreads,
	(*checker).checkItems,
	(*checker).checkRefs,
	(*checker).checkAllows,
	(*checker).checkNames,
	(*checker).checkReserved,
	(*checker).checkReservedKeys,
	(*checker).checkLayout,
	(*checker).checkKeyTypes,
	(*checker).checkStored,
	(*checker).checkConstantFields,
	(*checker).checkInKeys,
	(*checker).checkFormats,
	(*checker).checkVariables,
	(*checker).checkLimits,
	(*checker).checkIndexes,
	(*checker).checkCopies,
	(*checker).checkShards,
	(*checker).checkShapes,
	(*checker).checkPrefixes,
	(*checker).checkRecognition,
	(*checker).checkUndeclared,
	(*checker).checkMatches,
	(*checker).checkSources,
	(*checker).checkArguments,
	(*checker).checkResults,
	(*checker).checkConnections,
	(*checker).checkMutable,
	(*checker).checkWritten,
	(*checker).checkUniques,
	(*checker).checkCounters,
	(*checker).checkCounts,
	(*checker).checkNulls,
	(*checker).checkCosts,
	(*checker).checkExpires,
	(*checker).checkRules,
	(*checker).checkLive,
	(*checker).checkUnread,
}

// checker is one run of the rules over a design.
type checker struct {
	*design
	findings, unread Findings
	// ambiguous are the reads that also select items that do not match.
	ambiguous map[*read]bool
}

// check returns the findings of all rules, and those for fields that only Go code can resolve.
func check(r *design) (findings, unread Findings) {
	c := &checker{design: r, ambiguous: map[*read]bool{}}
	for _, rule := range rules {
		rule(c)
	}
	c.findings.sort()
	c.unread.sort()
	return c.findings, c.unread
}
