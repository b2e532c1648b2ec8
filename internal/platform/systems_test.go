package platform_test

import (
	"os"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/soak"
)

// TestOtherSystems checks the types of all code, tests included, for the systems where it is not run: for Windows,
// which differs most, and in the long form for macOS. `make cross` builds it, for both architectures, which takes
// minutes: this compiles nothing.
func TestOtherSystems(t *testing.T) {
	systems := map[string]string{"windows": "amd64"}
	if soak.Times(1) > 1 {
		systems["darwin"] = "arm64"
	}
	for system, arch := range systems {
		t.Run(system, func(t *testing.T) {
			all, err := packages.Load(&packages.Config{
				Mode: packages.LoadAllSyntax, Tests: true,
				Env: append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0"),
			}, "github.com/partita/partita/...")
			fatal.If(t, err)
			packages.Visit(all, nil, func(p *packages.Package) {
				for _, err := range p.Errors {
					t.Errorf("%s: %v", p.ID, err)
				}
			})
		})
	}
}
