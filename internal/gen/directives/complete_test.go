package directives_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/keys/design"
)

// TestMutations prints what is added to schemas with @mutable, and the mutations of the design.
func TestMutations(t *testing.T) {
	common := &ast.Source{Name: "common.graphqls", Input: readFile(t, "testdata/common.graphqls")}
	datadriven.RunTest(t, "testdata/mutations", func(t *testing.T, d *datadriven.TestData) string {
		const file = "mutations.graphqls"
		schema := load(t, &ast.Source{Name: file, Input: d.Input}, common)
		return printFrom(schema, file, d.Input) + "\n" + printMutations(readDesign(t, schema))
	})
}

// printFrom returns the definitions whose positions are in a file, without those of types that a text has.
func printFrom(schema *ast.Schema, file, text string) string {
	added := &ast.SchemaDocument{}
	for _, def := range schema.Types {
		isOf := def.Position != nil && def.Position.Src != nil && def.Position.Src.Name == file
		isBuiltIn := text != "" && (def.Kind == ast.Scalar || def.Name == "PageInfo")
		if !isOf || isBuiltIn || strings.Contains(text, " "+def.Name+" ") && def != schema.Mutation {
			continue
		}
		added.Definitions = append(added.Definitions, def)
	}
	slices.SortFunc(added.Definitions, func(a, b *ast.Definition) int { return strings.Compare(a.Name, b.Name) })
	var out bytes.Buffer
	formatter.NewFormatter(&out, formatter.WithIndent("  ")).FormatSchemaDocument(added)
	return out.String()
}

// printMutations returns the mutations, versions, unique values and counters of a design, a line for each.
func printMutations(d *directives.Schema) string {
	var b strings.Builder
	for _, m := range d.Mutations {
		fmt.Fprintf(&b, "%s: %s of %s, object %q, deleted %q", m.Name, m.Kind, m.Type, m.Object, m.Deleted)
		for _, part := range []struct {
			name  string
			names []string
		}{
			{"inputs", m.Inputs}, {"keys", m.Keys}, {"now", m.Now},
			{"owner", []string{m.Owner}}, {"viewer", []string{m.Viewer}},
		} {
			if text := strings.Join(part.names, " "); text != "" {
				fmt.Fprintf(&b, ", %s %s", part.name, text)
			}
		}
		if m.HasID {
			b.WriteString(", id")
		}
		if m.GeneratesID(d.Type(m.Type)) {
			b.WriteString(", new id")
		}
		if m.HasIdempotencyKey {
			b.WriteString(", idempotency key")
		}
		fmt.Fprintf(&b, ", for %s\n", printRule(d.Rule(d.AST.Mutation.Name, m.Name)))
	}
	for _, t := range d.Types {
		if t.Version != "" {
			fmt.Fprintf(&b, "version %s.%s\n", t.Name, t.Version)
		}
		for _, u := range t.Uniques {
			fmt.Fprintf(&b, "unique %s.%s: key %s, ignore case %t, %s by %s\n",
				t.Name, u.Attribute, u.Key, u.IgnoreCase, u.Claim, u.Holder)
		}
	}
	for _, c := range d.Counters {
		fmt.Fprintf(&b, "counter %s.%s of %s: %s by %s, at most %d\n",
			c.Parent, c.Attribute, c.Field, c.Type, strings.Join(c.Identity, " "), c.AtMost)
	}
	for _, f := range d.Fields {
		if strings.HasSuffix(f.Parent, "Payload") {
			fmt.Fprintf(&b, "%s: %s of %s, pk %s, sk %s\n", f.Coordinate(), result(f), strings.Join(f.Types, " "), f.PK, f.SK)
		}
	}
	_, table, _ := strings.Cut(string(d.AccessPatterns()), "| --- | --- | --- | --- | --- |\n| `"+d.Mutations[0].Name)
	b.WriteString("| `" + d.Mutations[0].Name + table)
	return b.String()
}

func printRule(r *design.Rule) string {
	var words []string
	if r.Public {
		words = append(words, "everybody")
	}
	if r.SignedIn {
		words = append(words, "viewers")
	}
	if r.Owner != "" {
		words = append(words, "the owner "+r.Owner)
	}
	return strings.Join(append(words, r.Roles...), " or ")
}

// TestExample reads the example of docs/reference/schema.md: an entity with two access patterns and its mutations.
func TestExample(t *testing.T) {
	_, section, _ := strings.Cut(readFile(t, "../../../docs/reference/schema.md"), "\n## Mutations\n")
	_, section, _ = strings.Cut(section, "```graphql\n")
	text, _, _ := strings.Cut(section, "```")
	if lines := strings.Count(text, "\n"); lines > 15 {
		t.Errorf("the example has %d lines", lines)
	}
	design := readDesign(t, load(t, &ast.Source{Name: "schema.graphqls", Input: text}))
	if len(design.Mutations) != 3 || design.Field("Query", "tasks") == nil {
		t.Errorf("got %d mutations in\n%s", len(design.Mutations), text)
	}
}

// TestCompleted prints completed schemas without the directives.
func TestCompleted(t *testing.T) {
	datadriven.RunTest(t, "testdata/completed", func(t *testing.T, d *datadriven.TestData) string {
		const file = "completed.graphqls"
		schema := load(t, &ast.Source{Name: file, Input: d.Input})
		readDesign(t, schema)
		return printFrom(schema, file, "")
	})
}

// TestSDL loads the text of a completed schema again.
func TestSDL(t *testing.T) {
	for name, schema := range systems(t) {
		text := directives.SDL(schema)
		if again := load(t, &ast.Source{Name: name, Input: text}); directives.SDL(again) != text {
			t.Errorf("%s: the text of the schema that has been loaded from a text is another one", name)
		}
	}
}

// load returns a schema, completed.
func load(t *testing.T, sources ...*ast.Source) *ast.Schema {
	t.Helper()
	schema, err := directives.Load(sources...)
	if err != nil {
		t.Fatalf("%v in\n%s", err, sources[0].Input)
	}
	return schema
}

// readDesign returns the design of a schema without findings.
func readDesign(t *testing.T, schema *ast.Schema) *directives.Schema {
	t.Helper()
	design, err := directives.Read(schema)
	if err != nil {
		t.Fatal(err)
	}
	return design
}

// systems returns the example schemas by name.
func systems(t *testing.T) map[string]*ast.Schema {
	t.Helper()
	files, err := filepath.Glob("../../../examples/*/schema.graphqls")
	if err != nil || len(files) == 0 {
		t.Fatal("no example schemas", err)
	}
	schemas := map[string]*ast.Schema{}
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		schemas[name] = load(t, &ast.Source{Name: name + ".graphqls", Input: readFile(t, file)})
	}
	return schemas
}
