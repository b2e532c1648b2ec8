// Bench compares what an operation of the shop costs: for Partita with each of its executors and wires, for handlers
// that are written by hand, and for gqlgen with dataloader. docs/explanation/performance.md describes the method.
//
// Words: a system is a program that answers operations. A window is a time in which one system answers one operation,
// at one concurrency and delay. A round is one window for each system, concurrency and delay.
//
// Each file uses those below it:
//
//  1. main.go has the commands, and serves the systems that bench itself has.
//  2. run.go compares the systems: runner.go by one operation, with the clients of client.go; runreport.go writes the
//     results (result.go).
//  3. fair.go measures a caller (caller.go) beside a hostile one, whose requests are in attacks.go. attack.go sends
//     them, as a process of its own. fairreport.go has the results.
//  4. live.go measures subscriptions, with the writer and the subscribers of liveclient.go. livereport.go has the
//     results.
//  5. workbench.go is what each measurement begins with, markdown.go how each ends.
//  6. process.go is a system that runs, with what it has used (metrics.go, cpu_linux.go); replay.go answers it for
//     DynamoDB. systems.go and operations.go are what is compared.
//
// The handlers are what a good engineer would write for exactly one answer; a comparison with other GraphQL servers
// alone would show only that they are slow. Answers of DynamoDB are replayed from memory, because the local engine
// would use more CPU than what is compared.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/partita/partita/bench/internal/gqlgen"
	"github.com/partita/partita/bench/internal/rest"
	"github.com/partita/partita/bench/internal/service"
	"github.com/partita/partita/internal/defaults"
)

// commands are the commands of the command line. Run starts the others, as processes of their own.
type commands struct {
	Run    runCommand    `cmd:"" default:"withargs" help:"Compare the systems (default)."`
	Fair   fairCommand   `cmd:"" help:"Measure a well-behaved caller beside a hostile one."`
	Live   liveCommand   `cmd:"" help:"Measure subscriptions while items are changed."`
	Attack attackCommand `cmd:"" hidden:"" help:"Send the same request again and again, for fair."`
	Serve  serveCommand  `cmd:"" hidden:"" help:"Serve one of the systems other than Partita, with settings from the environment."`
	Replay replayCommand `cmd:"" hidden:"" help:"Record and replay DynamoDB's answers."`
}

// Validate returns an error for a number that is out of its range.
func (*commands) Validate(k *kong.Context) error { return defaults.CheckRanges(k.Flags()) }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	parsed := kong.Parse(&commands{}, kong.Name("bench"), kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Description("Compares what an operation of the shop costs."))
	err := parsed.Run()
	stop()
	parsed.FatalIfErrorf(err)
}

type serveCommand struct {
	System string `arg:"" enum:"handlers-sdk,handlers-http,gqlgen-dataloader" help:"Name of the system."`
}

// Run serves until the context ends.
func (c *serveCommand) Run(ctx context.Context) error {
	settings := service.FromEnvironment()
	var handler http.Handler
	var err error
	switch c.System {
	case handlersSDK:
		handler, err = rest.OnSDK(ctx, settings)
	case handlersHTTP:
		handler = rest.OnNetHTTP(settings)
	case gqlgenDataloader:
		handler, err = gqlgen.New(ctx, settings)
	default:
		err = errors.New("there is no such system")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.System, err)
	}
	return service.Serve(ctx, settings, handler)
}
