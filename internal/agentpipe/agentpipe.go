// Package agentpipe serves the Model Context Protocol over a pair of streams, and answers all that it has read before
// it ends. The SDK's transport drops the answers that are not written yet when the input ends: an agent that sends its
// calls and closes the input would miss some.
package agentpipe

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Serve answers an agent until its input or the context ends, neither of which is an error.
func Serve(ctx context.Context, server *mcp.Server, in io.ReadCloser, out io.WriteCloser) error {
	err := server.Run(ctx, transport{&mcp.IOTransport{Reader: in, Writer: out}})
	if ctx.Err() == nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

type transport struct{ mcp.Transport }

// Connect implements mcp.Transport.
func (t transport) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{Connection: c, calls: map[jsonrpc.ID]bool{}, answered: make(chan struct{}, 1),
		closed: make(chan struct{})}, nil
}

// connection knows which calls have no answer yet.
type connection struct {
	mcp.Connection

	mu       sync.Mutex
	calls    map[jsonrpc.ID]bool
	answered chan struct{} // has an element after each answer
	closed   chan struct{}
	once     sync.Once
}

// Read returns the next message. The end of the input is returned when all calls have been answered, as the SDK also
// does with those that are cancelled.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	if request, is := message.(*jsonrpc.Request); is && err == nil && request.IsCall() {
		c.mu.Lock()
		c.calls[request.ID] = true
		c.mu.Unlock()
	}
	if !errors.Is(err, io.EOF) {
		return message, err
	}
	for c.isWaiting() {
		select {
		case <-c.answered:
		case <-c.closed:
			return nil, err
		case <-ctx.Done():
			return nil, err
		}
	}
	return nil, err
}

func (c *connection) isWaiting() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.calls) > 0
}

// Write writes a message, and counts an answer.
func (c *connection) Write(ctx context.Context, message jsonrpc.Message) error {
	err := c.Connection.Write(ctx, message)
	if answer, is := message.(*jsonrpc.Response); is {
		c.mu.Lock()
		delete(c.calls, answer.ID)
		c.mu.Unlock()
		select {
		case c.answered <- struct{}{}:
		default:
		}
	}
	return err
}

// Close closes the connection, and ends a Read.
func (c *connection) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Connection.Close()
}
