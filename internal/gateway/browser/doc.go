// Package browser has the rules for what browsers may do with a gateway (rules.go): which hosts requests are addressed
// to (hosts.go), the pages of which origins send them (origins.go, guard.go) and read the responses (cors.go), and what
// a browser may do with a response (headers.go). refusedpages.go logs the setting that would allow what was refused.
package browser
