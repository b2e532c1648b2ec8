package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/table"
)

// planCommand is `plan`.
type planCommand struct {
	leadingFolder
	Query     string `arg:"" optional:"" help:"The GraphQL document."`
	Variables string `default:"{}" help:"Its variables, a JSON object."`
	Operation string `help:"The operation to plan, where the document has several."`
	Strong    bool   `help:"Plan strongly consistent reads."`
	Format    string `enum:"text,json" default:"text" help:"Format of the output: text or json."`

	Stored bool           `help:"Plan over the design that the table follows, by its record, with what a migration writes in addition. Without it, no table is needed."`
	Table  local.Settings `embed:""`
}

// Validate returns an error for a command without a document, which is declared as optional because it follows an
// optional argument.
func (c *planCommand) Validate() error {
	if c.Query == "" {
		return errors.New(`expected "<query>"`)
	}
	return nil
}

// operationError is the error for an operation that cannot be planned.
type operationError struct{ error }

// Run prints what the operation would send at worst.
func (c *planCommand) Run(ctx context.Context, a *Application) error {
	if !c.Stored {
		return c.print(a, nil)
	}
	return a.withTable(ctx, c.Table, func(t *table.Table, _ *slog.Logger) error {
		r, err := record.Open(t).Get(ctx)
		if err != nil {
			return recordError(t, err)
		}
		if r.Revision == 0 {
			return &exit.Error{
				Problem: fmt.Sprintf("table %s has no record of its design", t.Name()),
				Fix:     fmt.Sprintf("plan without --stored, or run %q", a.command("migrate run")), Code: exit.Config,
			}
		}
		stored := *a
		follower, _, err := stored.follow(r, t.Schema().Tenants, func() string { return wayToReady(r, a.command) })
		if err != nil {
			return recordError(t, err)
		}
		return c.print(&stored, t.WithFollower(follower))
	})
}

// print prints the plan of an application, whose mutations write what a table writes; nil for nothing in addition.
func (c *planCommand) print(a *Application, t *table.Table) error {
	bound, err := c.bind(a, t)
	if err != nil {
		return err
	}
	explained := price.Explain(bound)
	if c.Format == "json" {
		out := json.NewEncoder(os.Stdout)
		out.SetIndent("", "  ")
		out.SetEscapeHTML(false)
		return out.Encode(explained)
	}
	_, err = explained.WriteTo(os.Stdout)
	return err
}

func (c *planCommand) bind(a *Application, t *table.Table) (*plan.Bound, error) {
	if err := folder.CheckNesting(c.Query); err != nil {
		return nil, &operationError{fmt.Errorf("the query cannot be read: %w", err)}
	}
	plans := plan.NewSchema(a.Design, plan.API(a.Schema.Schema()))
	if t != nil {
		plans.Workload = t.Workload
	}
	bound, err := plan.Given{
		Document: c.Query, Operation: c.Operation, Variables: c.Variables, Strong: c.Strong,
		OperationName: "--operation", VariablesName: "--variables",
	}.Bind(plans)
	if err != nil {
		return nil, &operationError{err}
	}
	bound.Now = time.Now()
	return bound, nil
}
