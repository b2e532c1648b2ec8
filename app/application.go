package app

import (
	"context"
	"iter"
	"log/slog"
	"runtime/debug"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/viewer"
	"github.com/partita/partita/write"
)

// Application is the service that a program runs. Only Schema and Design are required.
type Application struct {
	// Name is the program's name in its help, its messages and its traces; "partita" by default.
	Name string
	// Description is a sentence for --help.
	Description string
	// Schema is the generated executor over the service's resolvers.
	Schema graphql.ExecutableSchema
	// Design is the generated typed.Design, with the Go code of its rules: see [design.Design.WithAllow].
	Design *design.Design
	// Decode returns an error for an item that cannot be decoded into an object of its type, for `table check`; see
	// [Decode]. It is called for types that are a Node. If it is nil, the check decodes no items.
	Decode func(item.Item) error
	// Rules are invariants between items that do not follow from the design, for `table check`.
	Rules []check.Rule
	// Hooks are Go code in mutations that need none.
	Hooks write.Hooks
	// Demo is the service's demo data.
	Demo Demo
	// Background is work that `serve` does beside the gateway; nil for none.
	Background Background
	// Stream is how the stream of the table is read. Its zero fields have defaults, which are for production: tests let
	// replicas take over sooner.
	Stream stream.Settings
	// TableCommands are further commands of `table`: a pointer to a struct of commands with the tags of kong. Their Run
	// methods may have parameters of the types context.Context and *Application.
	TableCommands any

	// folder is the folder whose schema replaces the program's own; nil for none.
	folder *folder.Folder
	// tenancy is how the table is served; the zero value for one that is as the settings say.
	tenancy tenancy
	// about are the arguments of the command line that name the schema and the table, each after a space.
	about string
}

// Demo is the demo data of a service.
type Demo struct {
	// Items are loaded into a new table of the local engine, and by `table load --demo`.
	Items iter.Seq[item.Item]
	// Viewer is the viewer of the playground on the local engine, and of the token that `token demo` prints. The zero
	// Viewer is anonymous.
	Viewer viewer.Viewer
	// Identities are those among which a visitor of the playground can choose on the local engine. By default, they are
	// Viewer and an anonymous one.
	Identities []Identity
	// Query is the document in the playground's editor at the first visit. If it has several named operations, each
	// becomes a tab.
	Query string
}

// Identity is a viewer of the demo data.
type Identity struct {
	Name, Description string
	// Viewer is who sends the requests; the zero Viewer is anonymous.
	Viewer viewer.Viewer
}

// Background is work beside the gateway. It is a pointer to a struct; kong reads its exported fields as settings of
// `serve` and calls its Validate method, if it has one. A number can have a tag with its range, see
// [defaults.CheckRanges].
type Background interface {
	// Start starts the work and returns. The work ends when stop is called, which returns once nothing is in progress.
	Start(ctx context.Context, t *table.Table, log *slog.Logger) (stop func())
}

// Decode returns the [Application].Decode that uses the generated function model.NewNode.
func Decode[T any](newNode func(item.Item) (T, error)) func(item.Item) error {
	return func(it item.Item) error {
		_, err := newNode(it)
		return err
	}
}

func (a *Application) tableSchema() table.Schema { return table.SchemaOf(a.Design) }

const defaultName = "partita"

// version returns the version of the main module, or that of the commit that the binary was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "of unknown version"
	}
	return info.Main.Version
}

// usageError is the error for a command line that is not valid.
type usageError struct {
	error
	program string
}

func (e *usageError) Error() string { return e.error.Error() + `: see "` + e.program + ` --help"` }

// command returns the line that runs a command of the table, such as "table check", about the same schema and the same
// table: with the folder and the flags that this process has been started with. Settings of the environment are not in
// it.
func (a *Application) command(name string) string { return a.Name + " " + name + a.about }
