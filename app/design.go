package app

import (
	"bytes"
	"os"

	"github.com/partita/partita/internal/gateway/federation"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/table/stack"
)

// designCommand is `design`.
type designCommand struct {
	folderArgument
	Format      string `default:"markdown" enum:"markdown,sdl,federation,cloudformation,policy" help:"markdown: the access patterns; sdl: the API as clients see it; federation: the schema of the subgraph, to be published; cloudformation: a template of the table and its policies; policy: the gateway's IAM policy as JSON."`
	TableName   string `env:"TABLE_NAME" default:"partita" help:"Name of the table, for the policy."`
	TenantClaim string `env:"TENANT_CLAIM" placeholder:"CLAIM" help:"The claim with the tenant, which is the tag of sessions in the policies; without it, the table has no tenants."`
	Stream      bool   `name:"table-stream" env:"TABLE_STREAM" help:"The table has a stream also if the schema has no live fields: for the cache of items."`
}

// Run prints the access patterns, the API, the schema of the subgraph, the CloudFormation template or the policy.
func (c *designCommand) Run(a *Application) error {
	text, err := c.text(a)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(text)
	return err
}

func (c *designCommand) text(a *Application) ([]byte, error) {
	schema := a.Schema.Schema()
	needs := stack.Template{Schema: a.tableSchema(), Writes: schema.Mutation != nil, TenantTag: c.TenantClaim}
	needs.Tenants, needs.Stream = c.TenantClaim != "", needs.Stream || c.Stream
	if err := needs.Check(); err != nil {
		return nil, err
	}
	switch c.Format {
	case "sdl":
		return []byte(directives.SDL(plan.API(schema))), nil
	case "cloudformation":
		return needs.CloudFormation()
	case "policy":
		return needs.Policy(c.TableName)
	case "federation":
		if err := checkSubgraph(a); err != nil {
			return nil, err
		}
		return []byte(federation.New(a.Schema, a.Design).SDL), nil
	}
	design, err := directives.Read(schema)
	if err != nil {
		return nil, err
	}
	return bytes.TrimPrefix(design.AccessPatterns(), []byte(directives.GeneratedComment)), nil
}
