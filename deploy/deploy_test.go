package deploy_test

import (
	"os"
	"testing"

	"github.com/partita/partita/graph"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/stack"
	"github.com/partita/partita/table"
)

// TestTemplateIsFresh: table.yaml is the template of the shop's schema. Package stack tests what a template says.
func TestTemplateIsFresh(t *testing.T) {
	template := stack.Template{
		Schema: table.SchemaOf(typed.Design),
		Writes: graph.NewExecutableSchema(graph.Config{}).Schema().Mutation != nil,
	}
	want, err := template.CloudFormation()
	fatal.If(t, err)
	got, err := os.ReadFile("table.yaml")
	fatal.If(t, err)
	if string(got) != string(want) {
		t.Error("table.yaml does not fit the schema: run make generate")
	}
}
