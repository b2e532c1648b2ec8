package directives

import (
	"bytes"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
)

// SDL returns a schema that Load has returned as one text, with all that has been completed. Definitions are sorted by
// name. Loaded again, the text is the same schema.
func SDL(schema *ast.Schema) string {
	var b bytes.Buffer
	formatter.NewFormatter(&b, formatter.WithIndent("  ")).FormatSchema(schema)
	return b.String()
}
