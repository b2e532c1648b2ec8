package deploy_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/partita/partita/internal/fatal"
)

// TestTerraform: the files can be parsed, are formatted, and refer only to what they declare. Each variable is used,
// and has a description. Terraform's own checks need the provider, which no registry of packages has.
func TestTerraform(t *testing.T) {
	for _, module := range []string{"alarms", "ecs", "lambda"} {
		t.Run(module, func(t *testing.T) {
			declared, used := map[string]bool{}, map[string]bool{}
			for _, body := range parse(t, module) {
				declare(t, body, declared)
				checkCalls(t, module, body)
				for _, traversal := range variables(body) {
					used[address(traversal)] = true
				}
			}
			if len(declared) < 10 {
				t.Errorf("only %d things are declared", len(declared))
			}
			for name := range used {
				if !declared[name] && !strings.HasPrefix(name, "each.") {
					t.Errorf("%s is not declared", name)
				}
			}
			for name := range declared {
				if isVariable := strings.HasPrefix(name, "var."); isVariable && !used[name] {
					t.Errorf("%s is not used", name)
				}
			}
		})
	}
}

func parse(t *testing.T, module string) (bodies []*hclsyntax.Body) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("terraform", module, "*.tf"))
	fatal.If(t, err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		fatal.If(t, err)
		file, problems := hclsyntax.ParseConfig(text, path, hcl.InitialPos)
		if problems.HasErrors() {
			t.Fatal(problems)
		}
		if string(hclwrite.Format(text)) != string(text) {
			t.Errorf("%s is not formatted as terraform fmt does", path)
		}
		bodies = append(bodies, file.Body.(*hclsyntax.Body))
	}
	return bodies
}

// declare adds the addresses of what the blocks of a file declare.
func declare(t *testing.T, body *hclsyntax.Body, declared map[string]bool) {
	t.Helper()
	for _, block := range body.Blocks {
		switch block.Type {
		case "resource":
			declared[strings.Join(block.Labels, ".")] = true
		case "data":
			declared["data."+strings.Join(block.Labels, ".")] = true
		case "variable":
			declared["var."+block.Labels[0]] = true
			if block.Body.Attributes["description"] == nil {
				t.Errorf("the variable %s has no description", block.Labels[0])
			}
		case "locals":
			for name := range block.Body.Attributes {
				declared["local."+name] = true
			}
		case "module":
			declared["module."+block.Labels[0]] = true
		case "output", "terraform":
		default:
			t.Errorf("unknown block %s", block.Type)
		}
	}
}

// checkCalls compares the arguments of the modules that a file uses with their variables. None has a default.
func checkCalls(t *testing.T, module string, body *hclsyntax.Body) {
	t.Helper()
	for _, block := range body.Blocks {
		if block.Type != "module" {
			continue
		}
		source, problems := block.Body.Attributes["source"].Expr.Value(nil)
		if problems.HasErrors() {
			t.Fatal(problems)
		}
		wanted, given := map[string]bool{}, map[string]bool{}
		for _, called := range parse(t, filepath.Join(module, source.AsString())) {
			declare(t, called, wanted)
		}
		maps.DeleteFunc(wanted, func(name string, _ bool) bool { return !strings.HasPrefix(name, "var.") })
		for name := range block.Body.Attributes {
			given["var."+name] = true
		}
		delete(given, "var.source")
		if diff := cmp.Diff(wanted, given); diff != "" {
			t.Errorf("%s calls %s (-variables +arguments):\n%s", module, source.AsString(), diff)
		}
	}
}

// variables returns what the expressions of a body refer to, without the variables of a for.
func variables(body *hclsyntax.Body) (all []hcl.Traversal) {
	for _, attribute := range body.Attributes {
		all = append(all, attribute.Expr.Variables()...)
	}
	for _, block := range body.Blocks {
		if block.Type == "terraform" {
			continue
		}
		found := variables(block.Body)
		if block.Type == "variable" { // a type is written as a variable
			found = slices.DeleteFunc(found, func(v hcl.Traversal) bool { return len(v) == 1 })
		}
		all = append(all, found...)
	}
	return all
}

// address returns the part of a reference that names something declared: two names, and three for data.
func address(traversal hcl.Traversal) string {
	names := []string{traversal.RootName()}
	for _, step := range traversal[1:] {
		if step, is := step.(hcl.TraverseAttr); is {
			names = append(names, step.Name)
		}
	}
	n := 2
	if names[0] == "data" {
		n = 3
	}
	return strings.Join(names[:min(n, len(names))], ".")
}
