package directives

import _ "embed"

// Definitions declares the directives. Every schema has them as directives.graphqls.
//
//go:embed directives.graphqls
var Definitions string

// Node declares what the directives and Relay need of any schema: Query with node and
// nodes, Node, PageInfo, Time and TimeRange.
//
//go:embed node.graphqls
var Node string
