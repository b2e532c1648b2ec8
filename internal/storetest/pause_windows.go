package storetest

import "testing"

// Pause ends the test: Windows cannot stop a process.
func (*Server) Pause(tb testing.TB) { tb.Fatal("the test needs SIGSTOP, which Windows lacks") }

// Resume does nothing: nothing has been paused.
func (*Server) Resume(testing.TB) {}
