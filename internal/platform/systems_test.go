package platform_test

import (
	"os"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/soak"
)

// TestOtherSystems checks the types of this package, which has what differs, for the systems where it is not run, and
// in the long form those of all code, tests included. `make cross` builds it, which takes minutes: this compiles
// nothing.
func TestOtherSystems(t *testing.T) {
	systems := map[string]string{"windows": "amd64", "darwin": "arm64"}
	pattern := "github.com/partita/partita/internal/platform"
	if soak.Times(1) > 1 {
		pattern = "github.com/partita/partita/..."
	}
	for system, arch := range systems {
		t.Run(system, func(t *testing.T) {
			all, err := packages.Load(&packages.Config{
				Mode: packages.LoadAllSyntax, Tests: true,
				Env: append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0"),
			}, pattern)
			fatal.If(t, err)
			packages.Visit(all, nil, func(p *packages.Package) {
				for _, err := range p.Errors {
					t.Errorf("%s: %v", p.ID, err)
				}
			})
		})
	}
}
