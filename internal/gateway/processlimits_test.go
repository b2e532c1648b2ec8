package gateway_test

import (
	"math"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/subscribe"
)

// TestDerivedLimits: the limits of the process follow from its CPUs and memory, and a setting replaces one of them.
func TestDerivedLimits(t *testing.T) {
	type limits struct {
		operations, perCaller            int
		buffered, bufferedByOne, largest int64
	}
	const mib, gib = 1 << 20, 1 << 30
	for name, tt := range map[string]struct {
		set       operation.Limits
		resources operation.Resources
		want      limits
	}{
		"a small container": {
			resources: operation.Resources{CPUs: 1, Memory: 256 * mib},
			want:      limits{128, 64, 32 * mib, 8 * mib, 4 * mib},
		},
		"hardly any memory": {
			resources: operation.Resources{CPUs: 2, Memory: 16 * mib},
			want:      limits{16, 16, 16 * mib, 4 * mib, 2 * mib},
		},
		"two CPUs": {
			resources: operation.Resources{CPUs: 2, Memory: 4 * gib},
			want:      limits{512, 128, 512 * mib, 128 * mib, 8 * mib},
		},
		"a large machine": {
			resources: operation.Resources{CPUs: 16, Memory: 64 * gib},
			want:      limits{4096, 1024, gib, 256 * mib, 8 * mib},
		},
		"settings": {
			set:       operation.Limits{MaxOperations: 10, MaxBufferedBytes: 4 * mib},
			resources: operation.Resources{CPUs: 2, Memory: 4 * gib},
			want:      limits{10, 10, 4 * mib, mib, mib / 2},
		},
		"all of them": {
			set: operation.Limits{
				MaxOperations: 1, MaxOperationsPerCaller: 2, MaxBufferedBytes: 3, MaxBufferedBytesPerCaller: 4, MaxAnswerBytes: 5,
			},
			resources: operation.Resources{CPUs: 2, Memory: 4 * gib},
			want:      limits{1, 2, 3, 4, 5},
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := tt.set.Derive(tt.resources)
			got := limits{
				l.MaxOperations, l.MaxOperationsPerCaller, l.MaxBufferedBytes, l.MaxBufferedBytesPerCaller, l.MaxAnswerBytes,
			}
			if got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

// TestAvailableResources: the memory is the limit of the Go runtime, which follows from the container's, if the machine
// has more. The CPUs are those of the Go runtime.
func TestAvailableResources(t *testing.T) {
	if os.Getenv("PRINT_RESOURCES") != "" {
		r := operation.AvailableResources()
		if r.CPUs != 3 || r.Memory != 1<<29 {
			t.Errorf("got %+v", r)
		}
		return
	}
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		if r := operation.AvailableResources(); r.Memory < 1 || r.Memory > 1<<50 {
			t.Errorf("the memory of the machine is %d bytes", r.Memory)
		}
	}
	limited := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAvailableResources$")
	limited.Env = append(os.Environ(), "PRINT_RESOURCES=1", "GOMAXPROCS=3", "GOMEMLIMIT=512MiB")
	if output, err := limited.CombinedOutput(); err != nil || !strings.Contains(string(output), "PASS") {
		t.Errorf("with limits of the runtime: %v, %s", err, output)
	}
}

// TestDerivedStreamLimits: those of connections follow from the memory.
func TestDerivedStreamLimits(t *testing.T) {
	const mib, gib = 1 << 20, 1 << 30
	for memory, want := range map[int64]subscribe.Limits{
		16 * mib: {
			MaxConnections: 256, MaxConnectionsPerCaller: 64, MaxSubscriptions: 1024, MaxSubscriptionsPerCaller: 128,
		},
		2 * gib: {
			MaxConnections: 8192, MaxConnectionsPerCaller: 512, MaxSubscriptions: 74_898, MaxSubscriptionsPerCaller: 4681,
		},
		3e9: {
			MaxConnections: 11_444, MaxConnectionsPerCaller: 715, MaxSubscriptions: 100_000, MaxSubscriptionsPerCaller: 6250,
		},
		64 * gib: {
			MaxConnections: 20_000, MaxConnectionsPerCaller: 1250, MaxSubscriptions: 100_000, MaxSubscriptionsPerCaller: 6250,
		},
	} {
		if got := (subscribe.Limits{}).Derive(operation.Resources{CPUs: 2, Memory: memory}); got != want {
			t.Errorf("%d bytes: got %+v, want %+v", memory, got, want)
		}
	}
	set := subscribe.Limits{
		MaxConnections: 1, MaxConnectionsPerCaller: 2, MaxSubscriptions: 3, MaxSubscriptionsPerCaller: 4,
	}
	if got := set.Derive(operation.Resources{CPUs: 2, Memory: 4 * gib}); got != set {
		t.Errorf("settings: got %+v", got)
	}
}
