package designtools

import (
	"context"
	"io"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/partita/partita/internal/agentpipe"
	"github.com/partita/partita/internal/gen/directives/sdl"
)

const instructions = "You help to design one DynamoDB table for a GraphQL schema: directives say where objects are " +
	"stored and which key condition serves each field. Begin with " + proposeTool + " if there are types but no " +
	"directives, otherwise with " + checkTool + ". Try a change by giving its text in files before you write it; " +
	"these tools write nothing. " +
	directivesURI + " has all directives."

// directivesURI is the resource with the declarations of the directives.
const directivesURI = "partita://directives.graphqls"

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
