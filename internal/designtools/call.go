package designtools

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
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

// maxTime is how long a call may take. The largest schema that is read takes seconds.
const maxTime = 30 * time.Second

type tools struct {
	Config
	files files
	// turn lets one call compute at a time, also one that has been given up.
	turn chan struct{}
}

// result is what a tool returns: a text for the agent, and the same as data.
type result[Out any] struct {
	data Out
	text string
	err  error
}

// shown returns the result of data that have a text.
func shown[Out interface{ text() string }](data Out, err error) result[Out] {
	if err != nil {
		return result[Out]{err: err}
	}
	return result[Out]{data: data, text: data.text()}
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
