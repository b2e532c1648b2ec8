package app

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// codeExtensions are those of the files in which documents are embedded.
var codeExtensions = []string{".ts", ".tsx", ".mts", ".js", ".jsx", ".mjs"}

// embeddedDocument is a template literal of gql or graphql, with or without the comment that editors know.
var embeddedDocument = regexp.MustCompile("\\b(?:gql|graphql)\\s*(?:\\(\\s*(?:/\\*.*?\\*/\\s*)?)?`([^`]*)`")

// interpolation is a fragment that a document has from another one: all documents have their fragments together.
var interpolation = regexp.MustCompile(`\$\{[^}]*\}`)

// documentsIn returns the documents in a file, which may be code that embeds them. Their lines are those of the file.
func documentsIn(file *ast.Source) []*ast.Source {
	if !slices.Contains(codeExtensions, filepath.Ext(file.Name)) {
		return []*ast.Source{file}
	}
	var documents []*ast.Source
	for _, at := range embeddedDocument.FindAllStringSubmatchIndex(file.Input, -1) {
		before, text := file.Input[:at[2]], file.Input[at[2]:at[3]]
		documents = append(documents, &ast.Source{
			Name: file.Name, Input: strings.Repeat("\n", strings.Count(before, "\n")) + interpolation.ReplaceAllString(text, ""),
		})
	}
	return documents
}
