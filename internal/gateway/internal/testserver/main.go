// Command testserver serves the gateway's test schema, to try the page and the audits manually.
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/httpserver"
	"github.com/partita/partita/internal/gateway/internal/testschema"
	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/gateway/playground"
)

const defaultQuery = `# The test schema: one field per behaviour of the gateway.
query Hello {
  echo(text: "hello")
  things(count: 3) {
    name
  }
}
`

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "address to listen on")
	flag.Parse()
	if err := run(*addr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(addr string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	logger, err := logging.New(os.Stderr, "text")
	if err != nil {
		return err
	}
	handler := gateway.New(gateway.Config{
		Schema:     testschema.NewExecutableSchema(testschema.Config{Resolvers: &testschema.Resolver{}}),
		Monitoring: gateway.Monitoring{Logger: logger},
		Playground: gateway.Playground{Tabs: playground.Tabs(defaultQuery)},
	})
	return httpserver.Serve(ctx, listener, handler, httpserver.Settings{Grace: 10 * time.Second})
}
