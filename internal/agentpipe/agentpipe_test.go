package agentpipe_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/partita/partita/internal/agentpipe"
	"github.com/partita/partita/internal/fatal"
)

// output is what an agent reads.
type output struct{ bytes.Buffer }

func (*output) Close() error { return nil }

// TestAllCallsAreAnswered: an agent that sends its calls and closes the input has all answers, also if it has
// cancelled a call.
func TestAllCallsAreAnswered(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	inputEnds := make(chan struct{})
	mcp.AddTool(server, &mcp.Tool{Name: "wait"}, func(
		context.Context, *mcp.CallToolRequest, struct{},
	) (*mcp.CallToolResult, any, error) {
		<-inputEnds
		return nil, nil, nil
	})
	const calls = 20
	lines := []string{
		`{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
			`"clientInfo":{"name":"test","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	}
	for i := range calls {
		lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"wait"}}`, i))
	}
	lines = append(lines, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`, "")
	in := io.MultiReader(strings.NewReader(strings.Join(lines, "\n")), &end{inputEnds})
	out := &output{}
	fatal.If(t, agentpipe.Serve(context.Background(), server, io.NopCloser(in), out))
	for i := range calls {
		if answer := fmt.Sprintf(`"id":%d,"result"`, i); i != 7 && !strings.Contains(out.String(), answer) {
			t.Errorf("call %d has no answer", i)
		}
	}
}

// end is the end of an input, which it reports.
type end struct{ reached chan struct{} }

func (e *end) Read([]byte) (int, error) {
	select {
	case <-e.reached:
	default:
		close(e.reached)
	}
	return 0, io.EOF
}
