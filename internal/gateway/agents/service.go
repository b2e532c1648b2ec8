package agents

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/gateway/subscribe"
)

// Path is where agents are served. MetadataPath has the issuers of the tokens for it (RFC 9728, section 3.1).
const (
	Path         = "/mcp"
	MetadataPath = "/.well-known/oauth-protected-resource"
)

// Config is what agents are offered; nothing without Tools.
type Config struct {
	Tools *Tools
	// Issuers are the identity providers whose tokens callers need; none if callers may be anonymous.
	Issuers []string
	// Name and Version are those of the program.
	Name, Version string
}

// Service carries out calls of tools by an executor.
type Service struct {
	Config
	// free executes what an agent writes itself, and listed the operations of the tools.
	free, listed *operation.Executor
	// streams has the subscriptions that agents follow.
	streams   *subscribe.Server
	sessions  *sessions
	callables map[string]callable
}

// callable is a tool that executes an operation.
type callable struct {
	executor *operation.Executor
	// operation returns the document and the variables of a call.
	operation func(arguments json.RawMessage) (document string, variables json.RawMessage, err *response.Error)
	// reads is set if only queries are executed.
	reads bool
}

// New returns a Service that executes operations as the streams do. What a session may consume is at most what a caller
// may. Without live data, subscriptions are no tools.
func New(config Config, streams *subscribe.Server) *Service {
	e := streams.Executor
	limit := config.Tools.Session
	limit.Units = e.Budgets.Most(limit.Units)
	s := &Service{
		Config: config, free: e, listed: e.WithManifest(config.Tools.manifest), sessions: newSessions(limit),
		streams: streams, callables: map[string]callable{},
	}
	for _, t := range s.offered() {
		s.callables[t.name] = callable{s.listed, func(arguments json.RawMessage) (string, json.RawMessage, *response.Error) {
			variables, _, err := t.read(arguments)
			return t.body, variables, err
		}, false}
	}
	return s
}

// offered returns the operations that are tools here.
func (s *Service) offered() []*tool {
	return slices.DeleteFunc(slices.Clone(s.Tools.tools), func(t *tool) bool {
		return t.isSubscription() && !s.streams.IsLive()
	})
}

// isFollowing reports whether a tool is a subscription.
func (s *Service) isFollowing() bool { return slices.ContainsFunc(s.offered(), (*tool).isSubscription) }

// A caller is who calls tools. Its request has the headers and the address of the caller; what it is about is another
// matter. The session is found once the caller is known.
type caller struct {
	request *http.Request
	session func(*operation.Seat) (*session, *response.Error)
	// lasts lets the answer take longer than others do; nil if it may anyway.
	lasts func(time.Duration)
}

// callers returns who sends a message.
type callers func(*mcp.CallToolRequest) caller
