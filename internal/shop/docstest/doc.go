// Package docstest follows the pages of the documentation as their readers do: it writes their files, runs their
// commands, and compares what is printed.
package docstest
