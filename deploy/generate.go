//go:build ignore

// Command generate writes table.yaml.
package main

import (
	"log"
	"os"

	"github.com/partita/partita/graph"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/stack"
)

func main() {
	design := stack.Template{
		Schema: table.Schema{Indexes: typed.Design.IndexNames()},
		Writes: graph.NewExecutableSchema(graph.Config{}).Schema().Mutation != nil,
	}
	template, err := design.CloudFormation()
	if err == nil {
		err = os.WriteFile("table.yaml", template, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}
