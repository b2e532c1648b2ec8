package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/table/local"
)

// lambdaCommand is `lambda`: the gateway behind a Lambda function URL, or behind an HTTP API of API Gateway. It does
// not start [Application].Background: Lambda freezes the process between two requests.
type lambdaCommand struct {
	Serve serveCommand `embed:""`
}

// runtimeAPI is the address from which a Lambda function gets its invocations. Only Lambda sets it.
//
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
const runtimeAPI = "AWS_LAMBDA_RUNTIME_API"

// arguments are those of the command line. Lambda starts the binary without any.
func arguments() []string {
	if len(os.Args) == 1 && os.Getenv(runtimeAPI) != "" {
		return []string{"lambda"}
	}
	return os.Args[1:]
}

// Run answers invocations until the process is ended.
func (c *lambdaCommand) Run(ctx context.Context, a *Application) error {
	if os.Getenv(runtimeAPI) == "" {
		return &exit.Error{
			Problem: "this is no Lambda function: " + runtimeAPI + " is not set",
			Fix:     "run " + a.Name + " serve, or deploy the binary as bootstrap",
			Code:    exit.Config,
		}
	}
	log, authenticator, err := c.Serve.open(ctx, a)
	if err != nil {
		return err
	}
	if c.Serve.Table.Local(ctx) {
		return &exit.Error{
			Problem: "a Lambda function has no local engine",
			Fix:     "give the function a role that may read the table, or set DYNAMODB_ENDPOINT",
			Code:    exit.Config,
		}
	}
	if c.Serve.Agents.isSet() {
		return &exit.Error{
			Problem: "a Lambda function has no sessions of agents: each invocation may be answered by another process",
			Fix:     "leave MCP out, and serve /mcp by " + a.Name + " serve",
			Code:    exit.Config,
		}
	}
	t, id, err := a.openTable(ctx, c.Serve.Table, log)
	if err != nil {
		return err
	}
	c.Serve.Cursors.tableID = id
	observed, err := c.Serve.Telemetry.open(ctx, a.Name, t, c.Serve.HTTP.operations, log)
	if err != nil {
		return errors.Join(err, t.Close())
	}
	t = observed.table(t)
	store, err := openStore(ctx, c.Serve.Shared, observed, log)
	if err != nil {
		return errors.Join(err, t.Close())
	}
	d := newDesigned(ctx, a, t, log)
	d.newHandler = func(a *Application, t *local.Table) (http.Handler, error) {
		config := c.Serve.config(a, t, store, observed, authenticator, log)
		c.Serve.setSchema(&config, a, t, t, observed, log)
		config.Subscriptions.Disabled = true
		return gateway.New(config), nil
	}
	if err := d.start(ctx); err != nil {
		return errors.Join(err, t.Close())
	}
	handler := withPort(d)
	lambda.StartWithOptions(invocations(handler, observed, log), lambda.WithContext(ctx)) // does not return
	return nil
}

// errNoRequest is the error of an invocation that is not an HTTP request.
var errNoRequest = errors.New("the event is not an HTTP request of payload format 2.0: " +
	"invoke the function by its URL or by an HTTP API")

// invocations answers each event as the gateway answers its request. What has been traced is exported before the
// answer, after which Lambda freezes the process.
//
// https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html#urls-payloads
func invocations(handler http.Handler, observed *observers, log *slog.Logger) any {
	adapter := httpadapter.NewV2(handler)
	return func(ctx context.Context, event events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		if event.Version != "2.0" || event.RequestContext.HTTP.Method == "" {
			return events.APIGatewayV2HTTPResponse{}, errNoRequest
		}
		response, err := adapter.ProxyWithContext(ctx, event)
		if err != nil {
			return response, fmt.Errorf("the event is no request: %w", err)
		}
		if err := observed.flush(ctx); err != nil {
			log.WarnContext(ctx, "spans are not exported", "error", err.Error())
		}
		return response, nil
	}
}

// withPort adds a port to a request's address, as net/http's server does; the adapter omits it.
func withPort(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if net.ParseIP(r.RemoteAddr) != nil {
			r.RemoteAddr = net.JoinHostPort(r.RemoteAddr, "0")
		}
		next.ServeHTTP(w, r)
	})
}
