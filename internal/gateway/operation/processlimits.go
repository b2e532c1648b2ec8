package operation

import (
	"cmp"
	"math"
	"runtime"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// Resources are what the process has.
type Resources struct {
	// CPUs is the number of CPUs.
	CPUs int
	// Memory is in bytes.
	Memory int64
}

// AvailableResources returns what the process has, the limits of its container included: the Go runtime derives
// GOMAXPROCS from that of the CPUs, and the memory limit of the runtime, GOMEMLIMIT, counts as the memory if it is set.
func AvailableResources() Resources {
	r := Resources{CPUs: runtime.GOMAXPROCS(0), Memory: debug.SetMemoryLimit(-1)}
	if physical, err := memlimit.FromSystem(); err == nil && physical < uint64(r.Memory) {
		r.Memory = int64(physical)
	}
	if r.Memory == math.MaxInt64 { // neither is known
		r.Memory = unknownMemory
	}
	return r
}

// unknownMemory is the memory in bytes that is assumed if it is not known.
const unknownMemory = 2 << 30

// What limits are derived from.
const (
	// The last of 256 operations of 4 ms on one CPU waits for a second. An operation needs up to 2 MiB for what it reads.
	operationsPerCPU   = 256
	memoryPerOperation = 2 << 20
	fewestOperations   = 16
	// servicesSend is how many operations one service sends at a time, which may be the only caller.
	servicesSend = 64
	// One caller has a quarter, so that several callers must come together before others have to wait.
	partOfCaller = 4

	// Bodies and answers have an eighth of the memory. More than 1 GiB of them is not of any use.
	partOfBuffers = 8
	leastBuffered = 16 << 20
	mostBuffered  = 1 << 30
	// An answer has half of its caller's bytes at most, because the body of its request counts as well.
	mostAnswer   = 8 << 20
	partOfAnswer = 2
)

// Derive returns the limits with those of the process that are not set derived from what it has.
func (l Limits) Derive(r Resources) Limits {
	l.MaxOperations = cmp.Or(l.MaxOperations,
		max(fewestOperations, min(operationsPerCPU*r.CPUs, int(r.Memory/memoryPerOperation))))
	l.MaxOperationsPerCaller = cmp.Or(l.MaxOperationsPerCaller,
		min(l.MaxOperations, max(servicesSend, l.MaxOperations/partOfCaller)))
	l.MaxBufferedBytes = cmp.Or(l.MaxBufferedBytes, max(leastBuffered, min(mostBuffered, r.Memory/partOfBuffers)))
	l.MaxBufferedBytesPerCaller = cmp.Or(l.MaxBufferedBytesPerCaller, max(1, l.MaxBufferedBytes/partOfCaller))
	l.MaxAnswerBytes = cmp.Or(l.MaxAnswerBytes, max(1, min(mostAnswer, l.MaxBufferedBytesPerCaller/partOfAnswer)))
	return l
}
