// Package fatal ends a test at an error that it does not expect.
package fatal

// test is a test, a benchmark, or a test of random cases.
type test interface {
	Helper()
	Fatal(arguments ...any)
}

// If ends the test with err, unless it is nil.
func If(t test, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
