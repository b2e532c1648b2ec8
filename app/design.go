package app

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/gateway/federation"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/table/stack"
	"github.com/partita/partita/table"
)

// designCommand is `design`.
type designCommand struct {
	folderArgument
	Format       string   `default:"markdown" enum:"markdown,html,sdl,federation,cloudformation,policy" help:"markdown: the access patterns; html: the page /design as one file; sdl: the API as clients see it; federation: the schema of the subgraph, to be published; cloudformation: a template of the table and its policies; policy: the gateway's IAM policy as JSON."`
	Base         string   `placeholder:"BASE" help:"For html: an earlier version, and the page shows what has changed since. A git revision such as origin/main, or a folder or a file with a schema. A path that exists is a path."`
	Schema       string   `default:"graph/schema" placeholder:"DIR" help:"For --base without <dir>: the folder of the program's own schema files, for a git revision."`
	TableName    string   `env:"TABLE_NAME" default:"partita" help:"Name of the table, for the policy."`
	WithoutIndex []string `placeholder:"NAME" help:"Leave an index out of the template: an update of a table can add one only, so several new ones need an update each; repeatable."`
	TenantClaim  string   `env:"TENANT_CLAIM" placeholder:"CLAIM" help:"The claim with the tenant, which is the tag of sessions in the policies, and precedes the keys of the page; without it, the table has no tenants."`
	Stream       bool     `name:"table-stream" env:"TABLE_STREAM" help:"The table has a stream also if the schema has no live fields: for the cache of items."`
}

// formatHTML is the format of the page.
const formatHTML = "html"

// Validate returns an error for settings that exclude each other.
func (c *designCommand) Validate() error {
	if c.Base != "" && c.Format != formatHTML {
		return errors.New("--base is for --format=html; `diff` compares two versions as text")
	}
	return nil
}

// Run prints the access patterns, the page, the API, the schema of the subgraph, the CloudFormation template or the
// policy.
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
	if err := c.leaveOut(&needs.Schema); err != nil {
		return nil, err
	}
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
	if c.Format == formatHTML {
		return c.page(a, design)
	}
	return bytes.TrimPrefix(design.AccessPatterns(), []byte(directives.GeneratedComment)), nil
}

// leaveOut removes from what a template declares the indexes of --without-index.
func (c *designCommand) leaveOut(s *table.Schema) error {
	for _, name := range c.WithoutIndex {
		if !slices.Contains(s.Indexes, name) {
			return &exit.Error{
				Problem: fmt.Sprintf("the schema has no index %s", name),
				Fix:     "name one of " + strings.Join(s.Indexes, ", "), Code: exit.Usage,
			}
		}
	}
	s.Indexes = slices.DeleteFunc(slices.Clone(s.Indexes), func(name string) bool {
		return slices.Contains(c.WithoutIndex, name)
	})
	return nil
}
