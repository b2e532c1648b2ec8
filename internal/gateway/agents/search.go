package agents

import (
	"context"
	"net/http"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxSearched is the length of the longest text that is searched for.
const maxSearched = 200

// addSearch adds the search in the schema.
func (s *Service) addSearch(server *mcp.Server, by callers, reads *mcp.ToolAnnotations) {
	all := elementsOf(s.Tools.api)
	input := closedObject()
	input.Required = []string{"words"}
	longest := maxSearched
	input.Properties["words"] = &jsonschema.Schema{
		Type: "string", MaxLength: &longest, Description: "Words to look for, such as: order total.",
	}
	t := &mcp.Tool{
		Name: searchTool, InputSchema: input, Annotations: reads,
		Description: "Searches the names and descriptions of the GraphQL schema by words, for a query of your own. " +
			"Costs nothing.",
	}
	server.AddTool(t, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var asked struct{ Words string }
		malformed := read(req.Params.Arguments, &asked)
		return s.run(ctx, by(req), searchTool, func(c *call) *output {
			if malformed != nil {
				return c.failed(malformed)
			}
			words := strings.Fields(strings.ToLower(asked.Words[:min(len(asked.Words), maxSearched)]))
			found, total := search(all, words)
			c.line.Status, c.line.Executed = http.StatusOK, true
			return &output{Found: &matches{Elements: found, Others: total - len(found)}, Session: c.session.left()}
		}).result(searchTool), nil
	})
}
