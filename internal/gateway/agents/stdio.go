package agents

import (
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/partita/partita/internal/agentpipe"
	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
)

// A Pipe serves one agent over a pair of streams, with one session and one token.
type Pipe struct {
	// Token is the bearer token of the caller; "" for an anonymous one.
	Token string
	Log   *slog.Logger

	service *Service
	server  *mcp.Server
	session *session
}

// Use lets a Service carry out the calls from now on. It is first called before Serve, and not concurrently. What the
// session has spent remains spent.
func (p *Pipe) Use(s *Service) {
	before := p.service
	p.service = s
	if before == nil {
		p.session = newSession("stdio", s.sessions.limit)
		p.server = s.server(p.caller)
		return
	}
	for name := range before.callables {
		p.server.RemoveTools(name)
	}
	s.register(p.server, p.caller)
}

// Serve answers the agent until its input or the context ends, neither of which is an error.
func (p *Pipe) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	return agentpipe.Serve(ctx, p.server, in, out)
}

// caller returns who sends a message.
func (p *Pipe) caller(*mcp.CallToolRequest) caller {
	ctx := logging.WithRequest(context.Background(), &logging.Request{ID: rand.Text(), Logger: logging.WithIDs(p.Log)})
	r := (&http.Request{Header: http.Header{}, RemoteAddr: "127.0.0.1:0"}).WithContext(ctx)
	if p.Token != "" {
		r.Header.Set("Authorization", "Bearer "+p.Token)
	}
	return caller{r, func(*operation.Seat) (*session, *response.Error) { return p.session, nil }, nil}
}
