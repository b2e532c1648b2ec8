package complete

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"text/template"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/partita/partita/internal/gen/directives/sdl"
)

//go:embed *.gotpl
var files embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"article": sdl.Article, "directive": directive, "plural": sdl.Plural, "quote": quote, "upperFirst": sdl.UpperFirst,
}).ParseFS(files, "*.gotpl"))

// field is a field that a template adds, like one that the schema has.
type field struct {
	Description, Name string
	Type              *ast.Type
	Directives        ast.DirectiveList
}

// definitions returns the definitions in the text of a template. Their place is that of what needs them.
func definitions(at *ast.Position, name string, data any) *ast.SchemaDocument {
	var text bytes.Buffer
	if err := templates.ExecuteTemplate(&text, name, data); err != nil {
		panic(fmt.Sprintf("directives: bug: %v", err))
	}
	document, err := parser.ParseSchema(&ast.Source{Name: name, Input: text.String()})
	if err != nil {
		panic(fmt.Sprintf("directives: bug: %v in\n%s", err, &text))
	}
	for _, def := range append(document.Definitions, document.Extensions...) {
		place(def, at)
	}
	return document
}

// place sets the position of a definition and of all in it.
func place(def *ast.Definition, at *ast.Position) {
	def.Position = at
	placeDirectives(def.Directives, at)
	for _, v := range def.EnumValues {
		v.Position = at
	}
	for _, f := range def.Fields {
		f.Position = at
		placeType(f.Type, at)
		placeDirectives(f.Directives, at)
		for _, a := range f.Arguments {
			a.Position = at
			placeType(a.Type, at)
		}
	}
}

func placeType(t *ast.Type, at *ast.Position) {
	for ; t != nil; t = t.Elem {
		t.Position = at
	}
}

func placeDirectives(list ast.DirectiveList, at *ast.Position) {
	for _, d := range list {
		d.Position = at
		for _, a := range d.Arguments {
			a.Position, a.Value.Position = at, at
		}
	}
}

// directive returns a directive as the text of a template has it.
func directive(d *ast.Directive) string {
	var arguments []string
	for _, a := range d.Arguments {
		arguments = append(arguments, a.Name+": "+literal(a.Value))
	}
	if len(arguments) == 0 {
		return "@" + d.Name
	}
	return "@" + d.Name + "(" + strings.Join(arguments, ", ") + ")"
}

// literal returns a value as GraphQL. Value.String writes control characters as Go does.
func literal(v *ast.Value) string {
	switch v.Kind {
	case ast.StringValue, ast.BlockValue:
		return quote(v.Raw)
	case ast.ListValue:
		var elements []string
		for _, child := range v.Children {
			elements = append(elements, literal(child.Value))
		}
		return "[" + strings.Join(elements, ", ") + "]"
	}
	return v.String()
}

// quote returns a text as a GraphQL string, whose escapes are those of JSON.
func quote(text string) string {
	quoted, _ := json.Marshal(text) // no text is without JSON
	return string(quoted)
}
