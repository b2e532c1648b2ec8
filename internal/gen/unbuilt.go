package gen

import (
	"fmt"
	"go/build"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
)

// unbuilt returns the findings for schema files whose resolvers gqlgen would write into a file that Go does not build:
// one with the name of a test, of another platform, or of a file that Go ignores.
func unbuilt(r *resolvers) directives.Findings {
	var findings directives.Findings
	check := func(at *ast.Position) {
		name, file := at.Src.Name, filepath.Base(r.file(at.Src.Name))
		isFound := func(f directives.Finding) bool { return f.File == name }
		if isBuilt(file) || slices.ContainsFunc(findings, isFound) {
			return
		}
		base := filepath.Base(name)
		findings = append(findings, directives.Finding{
			File: name, Line: 1, Column: 1, Coordinate: "schema",
			What: fmt.Sprintf("the resolvers would be in %s, which Go does not build on all platforms because of its name",
				file),
			Fix: fmt.Sprintf("rename the file %s to %s", base, strings.ReplaceAll(strings.TrimLeft(base, "_."), "_", "-")),
		})
	}
	for _, o := range r.data.Objects {
		if !o.HasResolvers() || slices.Contains(r.Objects, o) {
			continue
		}
		check(o.Position)
		for _, f := range o.Fields {
			if f.IsResolver && !r.has(f) {
				check(f.Position)
			}
		}
	}
	return findings
}

// isBuilt reports whether a Go file of this name is part of its package on all platforms: no name is that of both of
// these.
func isBuilt(name string) bool {
	for _, platform := range [...]build.Context{{GOOS: "linux", GOARCH: "amd64"}, {GOOS: "windows", GOARCH: "arm64"}} {
		platform.OpenFile = func(string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("package resolvers\n")), nil
		}
		if is, err := platform.MatchFile("", name); err != nil || !is {
			return false
		}
	}
	return !strings.HasSuffix(name, "_test.go")
}
