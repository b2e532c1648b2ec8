package app

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/gen/contract"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/run"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/internal/prices"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/table"
)

// diffCommand is `diff`.
type diffCommand struct {
	versions
	Operations  []string `sep:"none" placeholder:"GLOB" help:"Operations of clients, whose prices are compared: a persisted-query manifest of Apollo's (.json), or files with GraphQL documents, also embedded in code with gql or graphql, such as 'src/**/*.tsx'; repeatable."`
	MaxIncrease percent  `default:"10%" placeholder:"PERCENT" help:"By how much the requests, read units or write units of an operation may increase."`
	Accept      []string `placeholder:"NAME" help:"The path of a change that breaks clients or needs data, such as User.email, or the name of an operation that may cost more; repeatable."`
	Data        string   `type:"existingfile" predictor:"file" placeholder:"FILE" help:"Items of the table of the base, as 'table export' writes them: what stored objects need is estimated from them. For the table itself, see 'migrate plan'."`
	Format      string   `default:"text" enum:"text,markdown,json,github" help:"text; markdown for a comment or the summary of a job; json; github for annotations in GitHub Actions."`

	MaxReadUnits  float64 `env:"MAX_READ_UNITS" default:"1000" range:"0..1e9" help:"Most read units that the gateway lets one operation cost at worst; 0 for no limit."`
	MaxWriteUnits float64 `env:"MAX_WRITE_UNITS" default:"1000" range:"0..1e9" help:"The same for write units."`
	MaxObjects    float64 `env:"MAX_OBJECTS" default:"10000" range:"0..1e9" help:"The same for objects of the answer."`
}

// percent is a number such as 10%.
type percent struct{ part float64 }

// UnmarshalText reads a number, with or without the percent sign.
func (p *percent) UnmarshalText(text []byte) error {
	n, err := strconv.ParseFloat(strings.TrimSuffix(string(text), "%"), 64)
	if err != nil || math.IsNaN(n) || n < 0 || n > 1e6 {
		return fmt.Errorf("%q is no percentage from 0%% to 1000000%%", text)
	}
	p.part = n / 100
	return nil
}

// Run prints the changes from the base. The error is a breachError if clients, or what is stored, are not prepared
// for one of them.
func (c *diffCommand) Run(ctx context.Context, a *Application) error {
	head, err := c.head(a)
	if err != nil {
		return err
	}
	base, err := c.base()
	if err != nil {
		return err
	}
	r := report{Changes: contract.Compare(base, head), hasOperations: len(c.Operations) > 0}
	if r.hasOperations {
		if r.Operations, err = c.prices(base, head); err != nil {
			return err
		}
		r.UsedBy = map[string][]string{}
		for _, change := range r.Changes.Of(contract.Breaking) {
			r.UsedBy[change.Path] = prices.Users(r.Operations, base.API, change)
		}
	}
	if c.Data != "" {
		if r.Migration, err = c.migration(ctx, a, base); err != nil {
			return err
		}
	}
	r.accept(c.Accept)
	if err := r.write(os.Stdout, c.Format); err != nil {
		return err
	}
	return r.breach()
}

// migration estimates the migration of a table with the items of --data from the base.
func (c *diffCommand) migration(ctx context.Context, a *Application, base contract.Version) (*run.Estimate, error) {
	if base.Source == nil || base.Design == nil {
		return nil, &exit.Error{
			Problem: "of the base " + c.Base + " only the API is known, not where its objects are stored",
			Fix:     "name a git revision or a folder with --base, or leave out --data", Code: exit.Config,
		}
	}
	schema, err := directives.Read(base.Source)
	if err != nil {
		return nil, err
	}
	to, err := a.version()
	if err != nil {
		return nil, err
	}
	from := migrate.NewVersion(schema)
	e, err := run.PlanOf(ctx, admin.FileItems(c.Data, table.SchemaOf(from.Design)), from, to)
	return &e, err
}

// prices compares the prices of --operations.
func (c *diffCommand) prices(base, head contract.Version) ([]prices.Comparison, error) {
	operations, err := readOperations(c.Operations)
	if err != nil {
		return nil, err
	}
	return prices.Compare(operations, base, head, prices.Limits{
		Increase: c.MaxIncrease.part,
		Prices:   price.Limits{ReadUnits: c.MaxReadUnits, WriteUnits: c.MaxWriteUnits, Objects: c.MaxObjects},
	}, time.Now())
}

// readOperations reads the operations in manifests and documents, sorted by name.
func readOperations(patterns []string) ([]prices.Operation, error) {
	files, err := readFiles(patterns)
	if err != nil {
		return nil, err
	}
	var operations []prices.Operation
	var documents []*ast.Source
	for _, file := range files {
		if filepath.Ext(file.Name) != ".json" {
			documents = append(documents, documentsIn(file)...)
			continue
		}
		listed, err := document.ReadManifest([]byte(file.Input))
		if err != nil {
			return nil, &exit.Error{
				Problem: fmt.Sprintf("the operations manifest %s cannot be used: %v", file.Name, err),
				Fix:     "name the file that @apollo/generate-persisted-query-manifest writes", Code: exit.DataError, Err: err,
			}
		}
		for _, o := range listed {
			operations = append(operations, prices.Listed(o.Name, file.Name, o.Body))
		}
	}
	more, err := prices.Documents(documents)
	if faults, is := errors.AsType[gqlerror.List](err); is {
		return nil, &documentsError{faults}
	}
	if err != nil {
		return nil, err
	}
	operations = append(operations, more...)
	slices.SortStableFunc(operations, func(a, b prices.Operation) int { return strings.Compare(a.Name, b.Name) })
	return operations, nil
}

// readFiles reads the files that the patterns of --operations match, sorted by name. Each pattern matches one at least.
func readFiles(patterns []string) ([]*ast.Source, error) {
	var names []string
	for _, pattern := range patterns {
		found, err := doublestar.FilepathGlob(pattern, doublestar.WithFilesOnly(), doublestar.WithFailOnIOErrors())
		if err != nil {
			return nil, &exit.Error{
				Problem: fmt.Sprintf("--operations=%s cannot be searched (%v)", pattern, err),
				Fix:     "name files, or a pattern such as src/**/*.graphql", Code: exit.NoInput, Err: err,
			}
		}
		if len(found) == 0 {
			return nil, &exit.Error{
				Problem: fmt.Sprintf("no file matches --operations=%s", pattern),
				Fix:     "name files, or a pattern such as src/**/*.graphql", Code: exit.NoInput,
			}
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	var files []*ast.Source
	for _, name := range slices.Compact(names) {
		text, err := folder.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, &ast.Source{Name: name, Input: string(text)})
	}
	return files, nil
}

// documentsError is the error of a command about documents that have faults.
type documentsError struct{ faults gqlerror.List }

// Error returns one line. The faults have lines of their own.
func (e *documentsError) Error() string {
	if n := len(e.faults); n > 1 {
		return fmt.Sprintf("the documents have %d errors", n)
	}
	return "the documents have an error"
}

func (e *documentsError) details() string { return strings.TrimSpace(e.faults.Error()) }
