// Package command is the command partitagen.
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/editors"
	"github.com/partita/partita/internal/gen"
	"github.com/partita/partita/internal/gen/directives"
)

const usage = `Usage: partitagen [-init] [-config file] [-typed directory] [-docs file]

Generates a GraphQL server over a single DynamoDB table from the schema that
gqlgen.yml names, in the current module. Run it again after each change of the
schema; what you have written in resolvers stays.

With -init it writes gqlgen.yml, which a new module needs, and generates nothing.
A file that exists is kept.

Flags:
`

const nextSteps = `
Next:
  1. Declare a type with @item, and a field of Query with @get or @query, in
     graph/schema/note.graphqls or another file of that folder:

       extend type Query {
         note(id: ID!): Note @get(pk: "NOTE#{id}", sk: "NOTE#{id}")
       }

       type Note implements Node @item(pk: "NOTE#{id}", sk: "NOTE#{id}") {
         id: ID!
         text: String!
       }

  2. Run partitagen.
  3. Run go mod tidy.
`

// Main runs the command with the arguments of the process.
func Main() {
	flag.Usage = func() {
		fmt.Fprint(os.Stderr, usage)
		flag.PrintDefaults()
	}
	initialize := flag.Bool("init", false, "write what a new module needs")
	config := flag.String("config", "gqlgen.yml", "gqlgen's configuration `file`")
	typed := flag.String("typed", "graph/typed", "`directory` of the typed keys; its base is the package's name")
	docs := flag.String("docs", "docs/access-patterns.md", "`file` for the list of access patterns, empty for none")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "partitagen: unexpected argument %q: see partitagen -help\n", flag.Arg(0))
		os.Exit(2)
	}
	var err error
	if *initialize {
		err = writeInitialFiles(os.Stdout)
	} else {
		// gqlgen logs what it leaves out. The faults of a schema are errors.
		log.SetOutput(io.Discard)
		err = gen.Generate(context.Background(), *config, gen.Options{
			Typed: *typed, Docs: *docs,
			Generated: func(schema *ast.Schema, files ...*ast.Source) error {
				return editors.Write(".", "go tool partitagen", schema, files...)
			},
		})
	}
	var findings directives.Findings
	switch {
	case errors.As(err, &findings):
		for i, f := range findings {
			if i > 0 {
				fmt.Fprintln(os.Stderr)
			}
			fmt.Fprintln(os.Stderr, f.Error())
		}
		os.Exit(1)
	case err != nil:
		fmt.Fprintln(os.Stderr, "partitagen:", err)
		os.Exit(1)
	}
}

// writeInitialFiles writes the initial files into the current directory and reports what it did.
func writeInitialFiles(report io.Writer) error {
	for _, f := range gen.InitialFiles() {
		created, err := f.Write(".")
		if err != nil {
			return err
		}
		done := "kept "
		if created {
			done = "wrote"
		}
		if _, err := fmt.Fprintln(report, done, f.Name); err != nil {
			return err
		}
	}
	_, err := io.WriteString(report, nextSteps)
	return err
}
