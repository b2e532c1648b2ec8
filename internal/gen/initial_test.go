package gen_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/partita/partita/internal/gen"
	"github.com/partita/partita/internal/gentest"
)

// TestShopBeginsAsAnyModule compares the initial files with those of the shop, whose gqlgen.yml
// continues after the common part.
func TestShopBeginsAsAnyModule(t *testing.T) {
	for _, f := range gen.InitialFiles() {
		have := gentest.Read(t, filepath.Join(gentest.Root(t), filepath.FromSlash(f.Name)))
		if f.Name == "gqlgen.yml" {
			have = have[:min(len(have), len(f.Text))]
		}
		if have != f.Text {
			t.Errorf("%s of the shop differs from what partitagen -init writes: make the same change in both", f.Name)
		}
		if !strings.HasSuffix(f.Text, "\n") {
			t.Errorf("%s does not end with a newline", f.Name)
		}
	}
}
