package agents

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/partita/partita/internal/gateway/httpserver"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/share"
	"github.com/partita/partita/viewer"
)

// SessionsPath is where operators see the sessions.
const SessionsPath = Path + "/sessions"

// The headers of the protocol, and its first version without sessions.
const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "Mcp-Protocol-Version"

	withoutSessions = "2026-07-28"
)

// RequestHeaders are those that pages of other origins may send.
var RequestHeaders = []string{sessionHeader, versionHeader, "Mcp-Method", "Mcp-Name"}

// Forgery returns an error for a request that a page of a foreign origin makes a browser send.
type Forgery func(*http.Request) *response.Error

// Handler answers requests to Path. Each has a seat.
func (s *Service) Handler(forged Forgery) http.Handler {
	server := s.server(s.byRequest)
	options := mcp.StreamableHTTPOptions{
		// Progress needs a response with several messages. Otherwise a call has one answer.
		JSONResponse: !s.isFollowing(),
		// The gateway has its own rules for hosts, which may be those of a proxy on this machine.
		DisableLocalhostProtection: true,
		// The variables of a document and the document, in a message.
		MaxRequestBodyBytes:          2 * int64(s.free.MaxVariablesBytes),
		PropagateRequestCancellation: true,
	}
	get := func(*http.Request) *mcp.Server { return server }
	stateless := options
	stateless.Stateless = true
	options.SessionTimeout = idle
	h := &handler{Service: s, forged: forged}
	h.sessionless = h.authenticated(mcp.NewStreamableHTTPHandler(get, &stateless))
	h.sessional = h.authenticated(mcp.NewStreamableHTTPHandler(get, &options))
	return h
}

// handler is Path. Clients of versions with sessions begin one, and cancel calls by a message within it; later ones
// have none, and cancel a call by closing its connection.
type handler struct {
	*Service
	forged                 Forgery
	sessional, sessionless http.Handler
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", response.CacheNothing)
	w.Header().Set("X-Accel-Buffering", "no") // nginx would keep progress back
	r = r.WithContext(context.WithValue(r.Context(), controlKey{}, http.NewResponseController(w)))
	if err := h.serve(w, r); err != nil {
		response.WriteError(w, r, h.challenge(r, err))
	}
}

// serve has written nothing if it returns an error.
func (h *handler) serve(w http.ResponseWriter, r *http.Request) *response.Error {
	if httpserver.IsStopping(r.Context()) {
		return response.Later(response.Errorf(http.StatusServiceUnavailable, response.CodeUnavailable,
			"The gateway is stopping. Send the message again."))
	}
	if err := h.forged(r); err != nil {
		return err
	}
	if r.Method != http.MethodPost && r.Method != http.MethodDelete {
		return response.MethodNotAllowed("DELETE, POST", "Send messages of the Model Context Protocol by POST.")
	}
	r, err := h.free.Authenticate(r)
	if err != nil {
		return err
	}
	v := viewer.FromContext(r.Context())
	if v.IsAnonymous() && len(h.Issuers) > 0 {
		err := response.Errorf(http.StatusUnauthorized, response.CodeUnauthenticated,
			"Agents need a token. Get one from an identity provider of this gateway, and send it in Authorization.")
		err.Challenge = `Bearer realm="graphql"`
		return err
	}
	if err := h.free.Callers.Check(r.Context()); err != nil {
		return err
	}
	if r.Header.Get(versionHeader) >= withoutSessions {
		h.sessionless.ServeHTTP(w, r)
		return nil
	}
	return h.inSession(w, r)
}

// inSession answers a request of a session, or that begins one.
func (h *handler) inSession(w http.ResponseWriter, r *http.Request) *response.Error {
	if r.Header.Get(sessionHeader) != "" || r.Method != http.MethodPost {
		h.sessional.ServeHTTP(w, r)
		return nil
	}
	who := operation.SeatOf(r.Context()).Turn.Caller
	if err := h.sessions.reserve(who); err != nil {
		return err
	}
	h.sessional.ServeHTTP(w, r)
	h.sessions.settle(w.Header().Get(sessionHeader), who)
	return nil
}

// controlKey is where the context of a request has the controller of its response.
type controlKey struct{}

// requestKey is where a token's facts, as the SDK has them, have the request.
const requestKey = "request"

// authenticated lets the SDK know who sends a message, so that nobody else goes on with a session, and passes the
// request on to the calls. The token has been verified before; callers without one are somebody, too.
func (h *handler) authenticated(next http.Handler) http.Handler {
	type original struct{}
	facts := func(_ context.Context, _ string, r *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{
			UserID: keyOf(operation.SeatOf(r.Context()).Turn.Caller),
			Extra:  map[string]any{requestKey: r.Context().Value(original{})},
		}, nil
	}
	verified := auth.RequireBearerToken(facts, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		known := r.Clone(context.WithValue(r.Context(), original{}, r))
		known.Header.Set("Authorization", "Bearer verified")
		verified.ServeHTTP(w, known)
	})
}

// byRequest returns who sends a message over HTTP.
func (s *Service) byRequest(req *mcp.CallToolRequest) caller {
	r, _ := req.Extra.TokenInfo.Extra[requestKey].(*http.Request)
	session := func(seat *operation.Seat) (*session, *response.Error) {
		// A caller whose protocol has no sessions has one at a time.
		who := seat.Turn.Caller
		return s.sessions.of(cmp.Or(req.Session.ID(), "the session of "+keyOf(who)), who)
	}
	control, _ := r.Context().Value(controlKey{}).(*http.ResponseController)
	return caller{r, session, func(d time.Duration) {
		// An error means that the connection has no deadlines, or is closed.
		_ = control.SetReadDeadline(time.Time{})
		_ = control.SetWriteDeadline(time.Now().Add(d + writing))
	}}
}

// writing is how long a client may take to read the last messages of an answer.
const writing = 20 * time.Second

// keyOf returns a text for a caller: whose share a request is part of.
func keyOf(c share.Caller) string {
	return fmt.Sprintf("%q %q %s", c.Tenant, c.Viewer, c.Network)
}
