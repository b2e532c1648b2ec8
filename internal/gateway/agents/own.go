package agents

import (
	"encoding/json"
	"strconv"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/partita/partita/internal/gateway/response"
)

// addQuery adds the tool for a query of the agent's own. It may select what any operation at /graphql may, and cost as
// much as a session has.
func (s *Service) addQuery(server *mcp.Server, by callers, reads *mcp.ToolAnnotations) {
	s.callables[queryTool] = callable{s.free, func(arguments json.RawMessage) (string, json.RawMessage, *response.Error) {
		var a struct {
			Document  string
			Variables json.RawMessage
		}
		err := read(arguments, &a)
		return a.Document, a.Variables, err
	}, true}
	input := closedObject()
	input.Required = []string{"document"}
	input.Properties["document"] = &jsonschema.Schema{Type: "string", Description: "A GraphQL document with one query."}
	input.Properties["variables"] = &jsonschema.Schema{Type: "object", Description: "The values of its variables."}
	limit := s.sessions.limit
	s.add(server, by, &mcp.Tool{
		Name: queryTool, InputSchema: input, Annotations: reads,
		Description: "A query of your own in GraphQL, where no other tool answers the question. Select few fields " +
			"and small pages.\nCosts at most what a session has: " + amount(limit.Units) + " read units and " +
			amount(limit.Objects) + " objects; an answer has at most " + strconv.Itoa(s.Tools.AnswerBytes) + " bytes.",
	})
}
