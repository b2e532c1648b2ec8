package deploy_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/response"
)

// templates are the texts of the services, without table.yaml, by path.
func templates(t *testing.T) map[string]string {
	t.Helper()
	paths := []string{"ecs.yaml", "lambda.yaml"}
	for _, pattern := range []string{"terraform/*/main.tf", "terraform/*/alarms.tf"} {
		found, err := filepath.Glob(pattern)
		fatal.If(t, err)
		paths = append(paths, found...)
	}
	texts := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		fatal.If(t, err)
		texts[path] = string(text)
	}
	if len(texts) != 7 {
		t.Fatalf("there are %d templates", len(texts))
	}
	return texts
}

var (
	// variableOf is where a template sets a variable of the program: in a list of ECS, or by name.
	variableOf = regexp.MustCompile(`(?m)^\s+- \{ Name: ([A-Z_]+),|^\s+([A-Z_]{4,})\s*[:=] `)
	// settingRow is the row of a setting in the generated page, with its variables.
	settingRow = regexp.MustCompile("(?m)^\\| `--[a-z-]+` \\| `([A-Z_`, ]+)` \\|")
)

// TestSettings: the program knows each variable that a template sets.
func TestSettings(t *testing.T) {
	page, err := os.ReadFile("../docs/reference/settings.md")
	fatal.If(t, err)
	known := []string{"AWS_REGION"} // of the AWS SDK
	for _, row := range settingRow.FindAllStringSubmatch(string(page), -1) {
		known = append(known, strings.Split(row[1], "`, `")...)
	}
	if len(known) < 40 {
		t.Fatalf("the page has the settings %q", known)
	}
	for path, text := range templates(t) {
		found := variableOf.FindAllStringSubmatch(text, -1)
		if isService := !strings.Contains(path, "alarms"); isService && len(found) < 4 {
			t.Errorf("%s sets %d variables", path, len(found))
		}
		for _, match := range found {
			if name := match[1] + match[2]; !slices.Contains(known, name) {
				t.Errorf("%s sets %s, which is no setting", path, name)
			}
		}
	}
}

// filterTerm is a value of a filter of the log; in HCL the quotes are escaped.
var filterTerm = regexp.MustCompile(`\$\.(codes|msg|level) = \\?"\*?([^"*\\]+)\*?\\?"`)

// TestFilters: the filters of the log ask for what the gateway writes. Those for the stream find each warning about it.
func TestFilters(t *testing.T) {
	warnings := warningsOf(t, "../internal/live/stream")
	if len(warnings) < 8 {
		t.Fatalf("the stream has the warnings %q", warnings)
	}
	filtered := 0
	for path, text := range templates(t) {
		terms := map[string][]string{}
		for _, term := range filterTerm.FindAllStringSubmatch(text, -1) {
			terms[term[1]] = append(terms[term[1]], term[2])
		}
		if len(terms) == 0 {
			if reads := strings.Contains(text, "reads_stream    = true"); reads != (path == "terraform/ecs/alarms.tf") {
				t.Errorf("%s: that the service reads the stream is %v", path, reads)
			}
			continue
		}
		filtered++
		readsStream := path != "lambda.yaml"
		if codes := terms["codes"]; !slices.Equal(codes, []string{response.CodeRateLimited}) {
			t.Errorf("%s asks for the codes %q", path, codes)
		}
		if levels := terms["level"]; !slices.Contains(levels, "ERROR") || slices.Contains(levels, "WARN") != readsStream {
			t.Errorf("%s asks for the levels %q", path, levels)
		}
		for _, warning := range warnings {
			isFound := slices.ContainsFunc(terms["msg"], func(part string) bool { return strings.Contains(warning, part) })
			if isFound != readsStream {
				t.Errorf("%s: that the warning is found is %v: %s", path, isFound, warning)
			}
		}
	}
	if filtered != 3 {
		t.Errorf("%d templates have filters", filtered)
	}
}

// warningsOf returns the constant texts in the warnings that the files of a folder log.
func warningsOf(t *testing.T, dir string) (texts []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	fatal.If(t, err)
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		fatal.If(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if call, is := n.(*ast.CallExpr); is && isWarning(call) {
				texts = append(texts, constant(call.Args[1]))
			}
			return true
		})
	}
	return texts
}

func isWarning(call *ast.CallExpr) bool {
	called, is := call.Fun.(*ast.SelectorExpr)
	return is && called.Sel.Name == "WarnContext"
}

// constant returns the constant parts of a text that is composed by +.
func constant(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		return text
	case *ast.BinaryExpr:
		return constant(e.X) + constant(e.Y)
	}
	return ""
}
