package agents

import (
	"context"
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addPrice adds the tool with the price of a call.
func (s *Service) addPrice(server *mcp.Server, by callers, reads *mcp.ToolAnnotations) {
	input := closedObject()
	input.Required = []string{"tool"}
	input.Properties["tool"] = &jsonschema.Schema{Type: "string", Description: "The name of the tool."}
	input.Properties["arguments"] = &jsonschema.Schema{Type: "object", Description: "The arguments of the call."}
	t := &mcp.Tool{
		Name: priceTool, InputSchema: input, Annotations: reads,
		Description: "What a call of another tool costs at most with given arguments. " +
			"The call is not carried out and nothing is charged.",
	}
	server.AddTool(t, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var asked struct {
			Tool      string
			Arguments json.RawMessage
		}
		malformed := read(req.Params.Arguments, &asked)
		return s.run(ctx, by(req), asked.Tool, func(c *call) *output {
			if malformed != nil {
				return c.failed(malformed)
			}
			return c.price(asked.Arguments)
		}).result(asked.Tool), nil
	})
}
