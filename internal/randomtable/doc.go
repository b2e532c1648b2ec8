// Package randomtable tests the gateway over existing tables that nobody has thought of: random schemas, whose tables
// are filled by functions that share nothing with package keys, and answers that are worked out from the objects alone.
package randomtable
