package platform_test

import (
	"os"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/partita/partita/internal/fatal"
)

// TestOtherSystems checks the types of all code, tests included, for the systems where it is not run. `make cross`
// builds it, for both architectures, which takes minutes: this compiles nothing.
func TestOtherSystems(t *testing.T) {
	for system, arch := range map[string]string{"darwin": "arm64", "windows": "amd64"} {
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
