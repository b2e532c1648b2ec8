package contract_test

import (
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/contract"
	"github.com/partita/partita/internal/plan"
)

// TestChanges compares pairs of schemas, with ==== between them. The command api loads them as clients see them, design
// as files that declare a design, and clients such files as clients see them.
func TestChanges(t *testing.T) {
	datadriven.Walk(t, "testdata/changes", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			before, after, is := strings.Cut(d.Input, "\n====\n")
			if !is {
				d.Fatalf(t, "there is no ==== between two schemas")
			}
			load := map[string]func(*ast.Source) (contract.Version, error){
				"api":    contract.LoadFile,
				"design": func(s *ast.Source) (contract.Version, error) { return contract.Load(s) },
				"clients": func(s *ast.Source) (v contract.Version, err error) {
					if v, err = contract.Load(s); err == nil {
						v.API = plan.API(v.API)
					}
					return v, err
				},
			}[d.Cmd]
			base, err := load(&ast.Source{Name: "base.graphqls", Input: before})
			if err != nil {
				d.Fatalf(t, "the base: %v", err)
			}
			head, err := load(&ast.Source{Name: "head.graphqls", Input: after})
			if err != nil {
				d.Fatalf(t, "the new version: %v", err)
			}
			if reverse := contract.Compare(base, base); len(reverse) > 0 {
				d.Fatalf(t, "a schema differs from itself: %v", reverse)
			}
			return contract.Compare(base, head).String()
		})
	})
}
