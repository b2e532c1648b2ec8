package directives

import _ "embed"

// Definitions declares the directives. Every schema has them as directives.graphqls.
//
//go:embed directives.graphqls
var Definitions string

// NodeDefinitions declares what every schema has besides: Query with node and nodes,
// Node, PageInfo, Time and TimeRange. Every schema has them as node.graphqls.
//
//go:embed node.graphqls
var NodeDefinitions string
