// Command partitagen generates a GraphQL server over a single DynamoDB table from a schema with
// directives: gqlgen's code, typed keys, read resolvers and the list of access patterns. If the
// schema has faults, it prints a paragraph for each and ends with exit code 1.
//
// In an empty module, partitagen -init writes gqlgen's configuration.
package main

import "github.com/partita/partita/internal/gen/command"

func main() { command.Main() }
