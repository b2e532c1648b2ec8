package gateway

// WithoutTable is for tests that replace some methods of the default Engine.
var WithoutTable = withoutTable
