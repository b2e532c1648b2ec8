package designtools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/partita/partita/internal/agentpipe"
	"github.com/partita/partita/internal/gen/directives/sdl"
)

// Config is for whom the tools are.
type Config struct {
	// Dir is the folder that is read, and nothing else.
	Dir string
	// Name and Version are those of the program.
	Name, Version string
	// Log has what went wrong within a tool.
	Log *slog.Logger
}

// Names of the tools.
const (
	checkTool   = "check_schema"
	proposeTool = "propose_keys"
	planTool    = "plan_operation"
	compareTool = "compare_designs"
)

const instructions = "You help to design one DynamoDB table for a GraphQL schema: directives say where objects are " +
	"stored and which key condition serves each field. Begin with " + proposeTool + " if there are types but no " +
	"directives, otherwise with " + checkTool + ". Try a change by giving its text in files before you write it; " +
	"these tools write nothing. " +
	directivesURI + " has all directives."

// directivesURI is the resource with the declarations of the directives.
const directivesURI = "partita://directives.graphqls"

// maxTime is how long a call may take. The largest schema that is read takes seconds.
const maxTime = 30 * time.Second

type tools struct {
	Config
	files files
	// turn lets one call compute at a time, also one that has been given up.
	turn chan struct{}
}

// New returns a server of the protocol with the tools. The error is that of the folder. close releases the folder.
func New(c Config) (server *mcp.Server, closed func(), err error) {
	root, err := os.OpenRoot(c.Dir)
	if err != nil {
		return nil, nil, err
	}
	t := &tools{Config: c, files: files{root}, turn: make(chan struct{}, 1)}
	server = mcp.NewServer(&mcp.Implementation{Name: c.Name, Version: c.Version}, &mcp.ServerOptions{
		Instructions: instructions,
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}},
	})
	t.addCheck(server)
	t.addPropose(server)
	t.addPlan(server)
	t.addCompare(server)
	addDirectives(server)
	return server, func() { _ = root.Close() }, nil // was only read
}

// Serve answers an agent over a pair of streams until its input or the context ends. The error is that of the folder,
// or of the streams.
func Serve(ctx context.Context, c Config, in io.ReadCloser, out io.WriteCloser) error {
	server, closed, err := New(c)
	if err != nil {
		return err
	}
	defer closed()
	return agentpipe.Serve(ctx, server, in, out)
}

// addDirectives offers the declarations of the directives as a resource.
func addDirectives(server *mcp.Server) {
	const mediaType = "text/plain"
	server.AddResource(&mcp.Resource{
		URI: directivesURI, Name: "directives.graphqls", MIMEType: mediaType,
		Description: "The directives with their arguments, and the types that are built in.",
	}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
			{URI: directivesURI, MIMEType: mediaType, Text: sdl.Texts()},
		}}, nil
	})
}

// result is what a tool returns: a text for the agent, and the same as data.
type result[Out any] struct {
	data Out
	text string
	err  error
}

// add adds a tool that reads and computes.
func add[In, Out any](
	t *tools, server *mcp.Server, name, description string, call func(context.Context, In) result[Out],
) {
	closed := false
	mcp.AddTool(server, &mcp.Tool{
		Name: name, Description: description,
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed},
	}, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		r := run(ctx, t, func(ctx context.Context) result[Out] { return call(ctx, in) })
		if r.err != nil {
			return nil, r.data, r.err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.TrimSpace(r.text)}}}, r.data, nil
	})
}

// run waits for its turn and for the call, at most maxTime. A call cannot be interrupted: one that takes longer keeps
// its turn until it ends.
func run[Out any](ctx context.Context, t *tools, call func(context.Context) result[Out]) result[Out] {
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	tooLong := result[Out]{err: fmt.Errorf("the call has taken more than %s: give a smaller schema, or fewer operations "+
		"or patterns", maxTime)}
	select {
	case t.turn <- struct{}{}:
	case <-ctx.Done():
		cancel()
		return tooLong
	}
	done := make(chan result[Out], 1)
	go func() {
		defer func() {
			if fault := recover(); fault != nil {
				t.Log.Error("a tool failed", "error", fault, "stack", string(debug.Stack()))
				done <- result[Out]{err: errors.New("the tool cannot read this input, which is a bug: " +
					"leave out what is unusual in it, and report what the log has")}
			}
			<-t.turn
		}()
		done <- call(ctx)
	}()
	defer cancel()
	select {
	case r := <-done:
		return r
	case <-ctx.Done():
		return tooLong
	}
}
