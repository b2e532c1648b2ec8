// Command partitagen generates a GraphQL server over a single DynamoDB table
// from an annotated schema: gqlgen's code, typed keys, read resolvers and the
// list of access patterns. What is wrong with the schema is printed one finding
// per paragraph, and the exit code is then 1.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/partita/partita/keys/gen"
	"github.com/partita/partita/keys/gen/directives"
)

func main() {
	config := flag.String("config", "gqlgen.yml", "gqlgen's configuration `file`")
	typed := flag.String("typed", "graph/typed", "`directory` of the typed keys")
	docs := flag.String("docs", "docs/access-patterns.md", "`file` for the list of access patterns, empty for none")
	flag.Parse()
	// gqlgen logs what it leaves out; the faults of a schema are errors.
	log.SetOutput(io.Discard)
	err := gen.Generate(*config, gen.Options{Typed: *typed, Docs: *docs})
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
