package directives

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"github.com/partita/partita/internal/gen/directives/complete"
	"github.com/partita/partita/internal/gen/directives/document"
	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/sdl"
)

// Load parses, completes and validates the files of a schema. The error is Findings: all names that are declared
// nowhere, all values of directives that are not allowed, or else the first of other faults.
func Load(sources ...*ast.Source) (*ast.Schema, error) {
	var findings finding.Findings
	all := &ast.SchemaDocument{}
	for _, source := range append([]*ast.Source{validator.Prelude}, sources...) {
		document, err := parser.ParseSchema(source)
		if err != nil {
			findings = append(findings, syntaxFinding(source, err))
			continue
		}
		all.Merge(document)
	}
	if len(findings) == 0 {
		own := sdl.Declarations(all)
		findings = append(complete.Document(all), document.Check(all, own)...)
	}
	if len(findings) > 0 {
		findings.Sort()
		return nil, findings
	}
	schema, err := validator.ValidateSchemaDocument(all)
	if err != nil {
		return nil, finding.Findings{validationFinding(err)}
	}
	if schema.Query == nil {
		return nil, finding.Findings{noQuery(sources)}
	}
	sortPossibleTypes(schema)
	return schema, nil
}

// noQuery returns the finding for a schema that no operation can read, such as one of empty files.
func noQuery(sources []*ast.Source) finding.Finding {
	f := finding.Finding{
		Line: 1, Column: 1, Coordinate: "schema", What: "there is no type Query, whose fields are the access patterns",
		Fix: "add type Query { node(id: ID!): Node }",
	}
	if len(sources) > 0 {
		f.File = sources[0].Name
	}
	return f
}

// sortPossibleTypes sorts the types of each interface by their names, as introspection shows them: generated code has
// the schema as SDL writes it, with sorted definitions, and a folder must show the same.
func sortPossibleTypes(schema *ast.Schema) {
	for name, possible := range schema.PossibleTypes {
		if schema.Types[name].Kind == ast.Interface {
			slices.SortFunc(possible, func(a, b *ast.Definition) int { return strings.Compare(a.Name, b.Name) })
		}
	}
}

func syntaxFinding(source *ast.Source, err error) finding.Finding {
	f := finding.Finding{
		File: source.Name, Line: 1, Column: 1, Coordinate: "schema",
		What: "the text is not GraphQL: " + err.Error(), Fix: "correct the text",
	}
	var fault *gqlerror.Error
	if !errors.As(err, &fault) {
		return f
	}
	f.What = "the text is not GraphQL: " + fault.Message
	if len(fault.Locations) > 0 {
		f.Line, f.Column = fault.Locations[0].Line, fault.Locations[0].Column
	}
	if m := unexpectedName.FindStringSubmatch(fault.Message); m != nil {
		if likely := finding.Likely(m[1], keywords); likely != "" {
			f.What = finding.IsLikely(likely, fmt.Sprintf("the text is not GraphQL: unexpected %q", m[1]))
			f.Fix = fmt.Sprintf("replace %s with %s", m[1], likely)
		}
	}
	return f
}

var (
	unexpectedName = regexp.MustCompile(`^Unexpected Name "(\w+)"$`)
	keywords       = []string{
		"directive", "enum", "extend", "implements", "input", "interface", "repeatable", "scalar", "schema", "type", "union",
	}
)

// validationFinding returns the finding for a rule of GraphQL that checkDocument does not check.
func validationFinding(err error) finding.Finding {
	f := finding.Finding{Coordinate: "schema", What: err.Error(), Fix: "correct the definition"}
	var fault *gqlerror.Error
	if !errors.As(err, &fault) {
		return f
	}
	f.What = strings.TrimSuffix(fault.Message, ".")
	f.File, _ = fault.Extensions["file"].(string)
	if len(fault.Locations) > 0 {
		f.Line, f.Column = fault.Locations[0].Line, fault.Locations[0].Column
	}
	return f
}

// SDL returns a schema that Load has returned as one text, with all that has been completed. Definitions are sorted by
// name. Loaded again, the text is the same schema.
func SDL(schema *ast.Schema) string {
	var b bytes.Buffer
	formatter.NewFormatter(&b, formatter.WithIndent("  ")).FormatSchema(schema)
	return b.String()
}
