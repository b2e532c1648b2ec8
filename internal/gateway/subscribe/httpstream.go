package subscribe

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
)

// A streamFormat is how answers are written one after the other into a response.
type streamFormat interface {
	// contentType is the header of the response.
	contentType() string
	// begin is what comes before the first answer.
	begin() string
	// next returns what comes before and after the JSON of an answer. The position is that of a subscription after the
	// answer, or empty.
	next(position string) (before, after string)
	// data returns the JSON of the data as it is written.
	data(json []byte) []byte
	// heartbeat is what shows that the connection is alive.
	heartbeat() string
	// fail returns the errors with which a subscription ends, from the JSON of an answer.
	fail(json string) string
	// complete is what shows the client that there are no more answers.
	complete() string
	// resumes reports whether clients subscribe again by themselves if a response ends without complete.
	resumes() bool
}

func formatOf(media string) streamFormat {
	if media == response.MediaMultipart {
		return multipartFormat{}
	}
	return eventFormat{}
}

// An eventStream is a response with several answers. Its methods may be called concurrently.
type eventStream struct {
	format  streamFormat
	w       http.ResponseWriter
	control *http.ResponseController
	request *http.Request
	limits  Limits

	mu     sync.Mutex
	beat   *time.Timer
	failed error // of the first write that failed
	closed bool
}

// openStream sends the headers of a response with several answers. The timeouts of the server, which are those of other
// responses, do not apply to it: each write has one of its own.
func (s *Server) openStream(w http.ResponseWriter, r *http.Request, media string) *eventStream {
	e := &eventStream{
		format: formatOf(media), w: w, control: http.NewResponseController(w), request: r, limits: s.limits,
	}
	e.failed = e.control.SetReadDeadline(time.Time{})
	header := w.Header()
	header.Set("Content-Type", e.format.contentType())
	header.Set("Cache-Control", response.CacheNothing)
	header.Set("X-Accel-Buffering", "no") // of nginx
	header.Set(gzhttp.HeaderNoCompression, "1")
	w.WriteHeader(http.StatusOK)
	e.mu.Lock()
	defer e.mu.Unlock()
	_ = e.write([]byte(e.format.begin())) // the next write has the error as well
	e.beat = time.AfterFunc(s.limits.PingInterval, e.heartbeat)
	return e
}

// write sends the parts of a text at once. s.mu is locked.
func (s *eventStream) write(parts ...[]byte) error {
	if s.failed == nil {
		s.failed = s.control.SetWriteDeadline(time.Now().Add(s.limits.MessageTimeout))
	}
	for _, part := range parts {
		if s.failed == nil && len(part) > 0 {
			_, s.failed = s.w.Write(part)
		}
	}
	if s.failed == nil {
		s.failed = s.control.Flush()
	}
	return s.failed
}

// heartbeat sends a heartbeat. If that fails, net/http ends the context of the request, and with it the subscription.
func (s *eventStream) heartbeat() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed && s.write([]byte(s.format.heartbeat())) == nil {
		s.beat.Reset(s.limits.PingInterval)
	}
}

// send sends an answer. The error is the cause for which the stream ends.
func (s *eventStream) send(answer response.Result) error {
	body := response.NewBuffer()
	defer response.Release(body)
	before, after := s.format.next(answer.Position)
	answer.Data = s.format.data(answer.Data)
	parts := answer.Wrapped(s.request.Context(), body, before, after)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.beat.Reset(s.limits.PingInterval)
	return sendError(s.write(parts[:]...))
}

// close ends the response, after an error if there is one. A client that subscribes again by itself gets none if the
// gateway is stopping.
func (s *eventStream) close(err *response.Error, cause error) {
	body := response.NewBuffer()
	defer response.Release(body)
	text := ""
	switch {
	case errors.Is(cause, errStopping) && s.format.resumes():
	case err != nil:
		json := err.Result().Wrapped(s.request.Context(), body, "", "")[0]
		text = s.format.fail(string(json)) + s.format.complete()
	default:
		text = s.format.complete()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.write([]byte(text)) // an error means that the client has left
}

// stop ends the heartbeats, before the handler returns.
func (s *eventStream) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.beat.Stop()
}

// Answer answers a subscription with its events, until it ends.
func (s *Server) Answer(
	w http.ResponseWriter, r *http.Request, req operation.Request, line *operation.Line,
) *response.Error {
	media := response.NegotiateStream(r.Header.Values("Accept"))
	switch {
	case s.settings.Disabled:
		return withoutStreams()
	case media == "":
		return streamsOnly()
	}
	if r.Method == http.MethodHead { // its response would have no end
		return response.MethodNotAllowed("GET, OPTIONS, POST", "Send subscriptions by POST or GET.")
	}
	var e *eventStream
	defer func() {
		if e != nil {
			e.stop()
		}
	}()
	return s.Follow(r, req, line, Follower{
		Transport: media, Position: r.Header.Get(response.HeaderLastEventID),
		Begun: func() (send func(response.Result) error, ended func(*response.Error, error)) {
			e = s.openStream(w, r, media)
			return e.send, e.close
		},
	})
}

// WriteEvents writes one answer, or a request error, as a stream.
func (s *Server) WriteEvents(w http.ResponseWriter, r *http.Request, answer response.Result) (status int) {
	e := s.openStream(w, r, response.MediaEvents)
	defer e.stop()
	cause := e.send(answer)
	e.close(endError(cause), cause)
	return http.StatusOK
}

// eventFormat is the one of server-sent events: the distinct connections mode of graphql-sse.
//
// https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md#distinct-connections-mode
// https://html.spec.whatwg.org/multipage/server-sent-events.html
type eventFormat struct{}

// A client subscribes again after a random time in this range, so that those of a gateway that stops do not come at the
// same moment to the others.
const (
	reconnectAfter  = time.Second
	reconnectWithin = 4 * time.Second
)

func (eventFormat) contentType() string { return response.MediaEvents + "; charset=utf-8" }

func (eventFormat) begin() string {
	return fmt.Sprintf("retry: %d\n:\n\n", (reconnectAfter + rand.N(reconnectWithin)).Milliseconds())
}

func (eventFormat) next(position string) (before, after string) {
	id := ""
	if position != "" {
		id = "id: " + position + "\n"
	}
	return "event: next\n" + id + "data: ", "\n\n"
}

// data begins each line with the name of the field. JSON has line breaks between its tokens if a hand-written scalar
// does.
func (eventFormat) data(json []byte) []byte {
	if bytes.IndexByte(json, '\n') < 0 {
		return json
	}
	return bytes.ReplaceAll(json, []byte("\n"), []byte("\ndata: "))
}

func (eventFormat) heartbeat() string { return ":\n\n" }

func (f eventFormat) fail(json string) string {
	before, after := f.next("")
	return before + json + after
}

func (eventFormat) complete() string { return "event: complete\ndata:\n\n" }

func (eventFormat) resumes() bool { return true }

// multipartFormat is Apollo's protocol. Each part is sent with the boundary after it, which shows the client that the
// part is complete.
//
// https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol
type multipartFormat struct{}

const (
	partBegin = "\r\nContent-Type: application/json\r\n\r\n"
	partEnd   = "\r\n--graphql"
)

func (multipartFormat) contentType() string {
	return response.MediaMultipart + `;boundary="graphql";subscriptionSpec="` + response.SubscriptionSpec + `"`
}

func (multipartFormat) begin() string { return partEnd }

func (multipartFormat) next(string) (before, after string) {
	return partBegin + `{"payload":`, "}" + partEnd
}

func (multipartFormat) data(json []byte) []byte { return json }

func (multipartFormat) heartbeat() string { return partBegin + "{}" + partEnd }

// fail has a null as the payload, and the errors beside it.
func (multipartFormat) fail(json string) string {
	return partBegin + `{"payload":null,` + strings.TrimPrefix(json, "{") + partEnd
}

func (multipartFormat) complete() string { return "--\r\n" }

func (multipartFormat) resumes() bool { return false }

// streamsOnly returns the error for a subscription whose client cannot read events.
func streamsOnly() *response.Error {
	return response.Errorf(http.StatusNotAcceptable, response.CodeBadRequest,
		"The response to a subscription is a stream. Send it on a WebSocket of the subprotocol %s, "+
			"or with the header Accept: %s, or Accept: %s;subscriptionSpec=%s.",
		subprotocol, response.MediaEvents, response.MediaMultipart, response.SubscriptionSpec)
}
