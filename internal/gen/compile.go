package gen

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/codegen/config"

	"github.com/partita/partita/internal/gen/directives"
)

// compileError is an error of the Go compiler.
type compileError struct {
	at   token.Position
	what string
	// more are the lines that continue it.
	more []string
}

var (
	compileErrorLine = regexp.MustCompile(`^(\S.*\.go):(\d+):(\d+): (.+)$`)
	otherPlace       = regexp.MustCompile(`^\s+(\S.*\.go):(\d+):(\d+): other declaration of`)
	wrongMethod      = regexp.MustCompile(`\*(\w+) does not implement .*wrong type for method (\w+)\)`)
	wantedMethod     = regexp.MustCompile(`^\s+want (.+)$`)
	generatedFile    = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
)

// compile builds what has been generated together with the Go code that a person has written beside it, and returns
// what is wrong with a person's code.
func compile(ctx context.Context, r receivers) (directives.Findings, error) {
	arguments := []string{"build", "-o", os.DevNull}
	for _, folder := range generatedFolders(r.data.Config, r.typed) {
		arguments = append(arguments, "./"+filepath.ToSlash(relative(folder))+"/...")
	}
	output, err := exec.CommandContext(ctx, "go", arguments...).CombinedOutput()
	if err == nil {
		return nil, nil
	}
	var findings directives.Findings
	for _, e := range compileErrors(string(output)) {
		if f, ok := handWrittenError(r, e); ok && !slices.Contains(findings, f) {
			findings = append(findings, f)
		}
	}
	if len(findings) == 0 {
		return nil, fmt.Errorf("what would be generated does not compile: please report this, with the schema:\n%s", output)
	}
	return findings, nil
}

func compileErrors(output string) []compileError {
	var list []compileError
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, "\n")
		if m := compileErrorLine.FindStringSubmatch(line); m != nil {
			list = append(list, compileError{at: position(m), what: m[4]})
		} else if len(list) > 0 && strings.HasPrefix(line, "\t") {
			list[len(list)-1].more = append(list[len(list)-1].more, line)
		}
	}
	return list
}

// position returns the place that a match has in its first three groups.
func position(match []string) token.Position {
	// The groups are digits.
	line, _ := strconv.Atoi(match[2])
	column, _ := strconv.Atoi(match[3])
	return token.Position{Filename: filepath.Clean(match[1]), Line: line, Column: column}
}

// handWrittenError returns the finding for an error that is due to code that a person has written.
func handWrittenError(r receivers, e compileError) (f directives.Finding, ok bool) {
	if m := wrongMethod.FindStringSubmatch(e.what); m != nil {
		return wrongSignature(r, e, m[1], m[2])
	}
	if root := r.Root(); e.what == "undefined: "+root && isResolver(r.data.Config, e.at.Filename) {
		// gqlgen writes it once, for a person to add what resolvers need.
		file := relative(r.data.Config.Resolver.Filename)
		return goFinding(token.Position{Filename: file, Line: 1, Column: 1}, r.data.Config.Resolver.Package,
			"there is no type "+root+", whose methods return all resolvers",
			fmt.Sprintf("add type %s struct{} to %s", root, file)), true
	}
	if isGeneratedFile(e.at.Filename) {
		for _, line := range e.more {
			if m := otherPlace.FindStringSubmatch(line); m != nil && !isGeneratedFile(filepath.Clean(m[1])) {
				e.at = position(m)
				return goFinding(e.at, place(r, e.at), e.what+": the schema's Go code has that name", "rename or remove it"), true
			}
		}
		return f, false
	}
	place := place(r, e.at)
	fix := "correct it; what the schema generates has been written"
	if parent, name, isField := strings.Cut(place, "."); isField && r.Field(parent, name) != nil {
		fix = "correct it, or remove the method: the field's directive then resolves it"
	}
	return goFinding(e.at, place, "this Go code does not fit the schema: "+e.what, fix), true
}

// wrongSignature returns the finding for a resolver with other parameters or results than those of its field.
func wrongSignature(r receivers, e compileError, receiver, name string) (f directives.Finding, ok bool) {
	files, err := readGoFiles(r.data.Config.Resolver.Dir(), r.readsFile())
	if err != nil {
		return f, false
	}
	for _, file := range files {
		m := file.method(receiver, name)
		if m == nil || generatedFile.Match(file.text) {
			continue
		}
		fix := "give it the parameters and results of the field"
		for _, line := range e.more {
			if want := wantedMethod.FindStringSubmatch(line); want != nil {
				fix = fmt.Sprintf("write func (r *%s) %s", receiver, want[1])
			}
		}
		at := file.lines.Position(m.Name.Pos())
		at.Filename = relative(at.Filename)
		const what = "the parameters or results of the resolver do not fit the field"
		return file.find(m.Name.Pos(), place(r, at), what, fix), true
	}
	return f, false
}

// place returns the coordinate of the field whose resolver is at a position of a Go file, else the name of the
// function or the package.
func place(r receivers, at token.Position) string {
	set := token.NewFileSet()
	syntax, err := parser.ParseFile(set, at.Filename, nil, parser.SkipObjectResolution)
	if syntax == nil {
		return filepath.Base(at.Filename)
	}
	if err != nil {
		return syntax.Name.Name
	}
	for _, d := range syntax.Decls {
		m, is := d.(*ast.FuncDecl)
		if !is || at.Line < set.Position(m.Pos()).Line || at.Line > set.Position(m.End()).Line {
			continue
		}
		if o := r.resolved(receiverOf(m)); o != nil {
			if f := resolverNamed(o, m.Name.Name); f != nil {
				return o.Name + "." + f.Name
			}
		}
		return m.Name.Name
	}
	return syntax.Name.Name
}

// isResolver reports whether a file is in the package of the resolvers.
func isResolver(cfg *config.Config, name string) bool {
	return filepath.Dir(name) == filepath.Clean(relative(cfg.Resolver.Dir()))
}

func isGeneratedFile(name string) bool {
	text, err := os.ReadFile(name)
	return err == nil && generatedFile.Match(text)
}
