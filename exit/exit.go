// Package exit has the error that ends the program: what is wrong, what to do about it, and the
// exit code of the process.
package exit

// Codes of the process beyond 0 and 1. Those up to 78 are from sysexits.h.
//
// https://man.freebsd.org/cgi/man.cgi?query=sysexits
const (
	// Usage: the command line cannot be read.
	Usage = 64
	// DataError: the input is malformed.
	DataError = 65
	// NoInput: an input file cannot be read.
	NoInput = 66
	// Unavailable: the endpoint or the local engine does not answer or is missing.
	Unavailable = 69
	// CannotCreate: the data directory cannot be written.
	CannotCreate = 73
	// TryAgain: the table is still being created, or the data directory is in use.
	TryAgain = 75
	// NoPermission: there are no credentials, or they are not sufficient.
	NoPermission = 77
	// Config: the settings are wrong, or the table does not fit the schema.
	Config = 78
	// Interrupted is what a shell reports for a command that Ctrl-C ended.
	Interrupted = 130
)

// Error is why a command failed, for the person who started it.
type Error struct {
	// Problem is what is wrong, Fix what to do about it.
	Problem, Fix string
	// Code is the exit code of the process.
	Code int
	// Err is the cause, or nil. It is not shown.
	Err error
}

// Error returns one line: the problem and the fix.
func (e *Error) Error() string {
	if e.Fix == "" {
		return e.Problem
	}
	return e.Problem + ": " + e.Fix
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
