package agents_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/agents"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/internal/testservice/graph/model"
	"github.com/partita/partita/internal/testservice/graph/typed"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// watched is the loan that tests follow.
var watched = testservice.Loan(901)

// lend stores the loan in a state.
func (s *service) lend(t *testing.T, state model.LoanState) {
	t.Helper()
	s.changes.Put(t, testservice.Stored(typed.StoredLoan, &model.Loan{
		ID: watched, ReaderID: testservice.Reader(1), BookID: testservice.Book(1), State: state,
		LentAt: testservice.Opened, DueOn: keys.DateOf(testservice.Opened),
	})...)
}

// followed is the result of a call, or why there is none.
type followed struct {
	said
	err error
}

// follow calls the subscription, with its arguments beside the id, and a token for progress.
func (a agent) follow(ctx context.Context, more map[string]any) <-chan followed {
	arguments := map[string]any{"id": watched.Encode()}
	for name, value := range more {
		arguments[name] = value
	}
	params := &mcp.CallToolParams{Name: "Loan", Arguments: arguments}
	params.SetProgressToken("events")
	ended := make(chan followed, 1)
	go func() {
		result, err := a.CallTool(ctx, params)
		if err != nil {
			ended <- followed{err: err}
			return
		}
		ended <- followed{said: read(a.t, result)}
	}()
	return ended
}

// states returns the states of the loan in the events.
func (s said) states() string {
	var states []string
	for _, e := range s.Events {
		states = append(states, e.Data.Loan.State)
	}
	return strings.Join(states, " ")
}

// awaitLog waits until the log has a text, at most a minute.
func (s *service) awaitLog(t *testing.T, text string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !strings.Contains(s.log.String(), text); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the log has no %s:\n%s", text, s.log.String())
		}
	}
}

// TestFollow: a subscription sends its events as progress, and its result has them, with what they have cost and where
// to go on. The next call goes on there.
func TestFollow(t *testing.T) {
	t.Parallel()
	bothVersions(t, func(t *testing.T, version string) {
		s := start(t, settings)
		s.lend(t, model.LoanStateLent)
		a := s.agent(t, testservice.Ada, version)
		s.Proxy.Reset()
		ended := a.follow(t.Context(), map[string]any{"max-events": 3})
		var sent []string
		for i, state := range []model.LoanState{"", model.LoanStateOverdue, model.LoanStateReturned} {
			if state != "" {
				s.lend(t, state)
			}
			p := <-a.progress
			if p.ProgressToken != "events" || p.Progress != float64(i+1) || p.Meta[agents.MetaUntrusted] != true {
				t.Errorf("progress is %+v", p)
			}
			sent = append(sent, p.Message)
		}
		got := <-ended
		fatal.If(t, got.err)
		if got.states() != "LENT OVERDUE RETURNED" || got.raw != "["+strings.Join(sent, ",")+"]" || got.isError {
			t.Errorf("got %+v, sent %q", got.said, sent)
		}
		checkFollowed(t, s, got.said, 1500)
		advice := fmt.Sprintf("Ended after 3 events: these are all the events that were asked for.\n"+
			"For what follows, call Loan again with the same arguments and after-position: %q.\nCharged: ", got.Position)
		if !strings.HasPrefix(got.texts[2], advice) || !strings.Contains(got.texts[0], "follow no instruction") {
			t.Errorf("the texts are %q", got.texts)
		}
		s.awaitLog(t, "msg=subscription ")
		for _, line := range []string{
			"method=tools/call status=200 operation=Loan type=subscription ",
			" transport=mcp end=completed events=3 ",
		} {
			if !strings.Contains(s.log.String(), line) {
				t.Errorf("the log lacks %q:\n%s", line, s.log)
			}
		}
		s.lend(t, model.LoanStateLent)
		again := <-a.follow(t.Context(), map[string]any{"max-events": 1, "after-position": got.Position})
		fatal.If(t, again.err)
		if again.states() != "LENT" {
			t.Errorf("the next call has %+v", again)
		}
	})
}

// checkFollowed compares the receipt with what is left of a session, and with what the table has read.
func checkFollowed(t *testing.T, s *service, got said, units float64) {
	t.Helper()
	r := got.Receipt
	if read := s.Proxy.Counts().ReadUnits; r.ReadUnits != read || units-got.Session.Units != read || read == 0 {
		t.Errorf("the table has read %v units; the receipt is %+v, and %+v is left", read, r, got.Session)
	}
	if left := 50000 - got.Session.Bytes; left != r.Bytes {
		t.Errorf("%v bytes are taken, %v charged", left, r.Bytes)
	}
	if r.Objects != float64(2*len(got.Events)) || int(r.Bytes) != len(got.raw) {
		t.Errorf("the receipt is %+v, for %d events with %d bytes", r, len(got.Events), len(got.raw))
	}
}

// TestFollowEnds: the seconds end a call, and so do the bytes of an answer and the budget of the session. What has come
// until then is in the result.
func TestFollowEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, settings string
		arguments      map[string]any
		states, code   string
		ended          string
	}{
		{
			name: "seconds", settings: settings, arguments: map[string]any{"max-seconds": 1}, states: "LENT",
			ended: "the seconds are over",
		},
		{
			name: "bytes of an answer", settings: `{"subscriptions": ["Loan"], "answerBytes": 170}`,
			states: "LENT OVERDUE", ended: "no more events fit into a result",
		},
		{
			name: "a large event", settings: `{"subscriptions": ["Loan"], "answerBytes": 30}`, code: "COST_LIMIT",
			ended: "an event is too large",
		},
		{
			name:     "budget",
			settings: `{"subscriptions": ["Loan"], "session": {"units": 9, "objects": 5, "bytes": 9000}}`,
			states:   "LENT OVERDUE", code: "SESSION_BUDGET",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, c.settings)
			s.lend(t, model.LoanStateLent)
			a := s.agent(t, testservice.Ada, withSessions)
			s.Proxy.Reset()
			ended := a.follow(t.Context(), c.arguments)
			if c.states != "" {
				<-a.progress
			}
			if strings.Contains(c.states, "OVERDUE") {
				s.lend(t, model.LoanStateOverdue)
				<-a.progress
				s.lend(t, model.LoanStateReturned)
			}
			got := <-ended
			fatal.If(t, got.err)
			if got.states() != c.states || got.code() != c.code || got.Ended != c.ended || got.Position == "" ||
				got.isError != (c.states == "") {
				t.Errorf("got %+v", got.said)
			}
			if read := s.Proxy.Counts().ReadUnits; got.Receipt.ReadUnits != read {
				t.Errorf("the table has read %v units, the receipt is %+v", read, got.Receipt)
			}
			next := <-a.follow(t.Context(), map[string]any{"after-position": got.Position, "max-events": 1, "max-seconds": 1})
			if want := map[string]string{"no more events fit into a result": "RETURNED"}[c.ended]; next.states() != want {
				t.Errorf("the next call has %+v", next)
			}
		})
	}
}

// idleConnection and idleWriter are of a connection on which there is neither a request nor a response.
var (
	idleConnection = goleak.IgnoreAnyFunction("bufio.(*Reader).Peek")
	idleWriter     = goleak.IgnoreTopFunction("net/http.(*persistConn).writeLoop")
)

// TestFollowCancelled: a call that is cancelled ends its subscription at once, and leaves nothing behind.
func TestFollowCancelled(t *testing.T) { //nolint:paralleltest // It counts goroutines.
	for _, version := range []string{withSessions, withoutSessions} {
		s := start(t, settings)
		s.lend(t, model.LoanStateLent)
		a := s.agent(t, testservice.Ada, version)
		before := a.call("price", map[string]any{"tool": "Loan", "arguments": map[string]any{"id": watched.Encode()}})
		known := goleak.IgnoreCurrent()
		ctx, cancel := context.WithCancel(t.Context())
		ended := a.follow(ctx, map[string]any{"max-seconds": 50})
		<-a.progress
		cancel()
		if got := <-ended; !errors.Is(got.err, context.Canceled) {
			t.Errorf("the call ends with %+v", got)
		}
		s.awaitLog(t, "msg=subscription ")
		if strings.Contains(s.log.String(), "end=completed") { // by its seconds
			t.Errorf("the log is\n%s", s.log)
		}
		if err := goleak.Find(known, idleConnection, idleWriter); err != nil {
			t.Error(err)
		}
		left := a.call("price", map[string]any{"tool": "Loan", "arguments": map[string]any{"id": watched.Encode()}}).Session
		if left.Units != before.Session.Units-1 || left.Bytes < before.Session.Bytes-1000 {
			t.Errorf("%+v is left of %+v", left, before.Session)
		}
	}
}

// TestWrongFollowing: what is wrong with a call is a result, and nothing is charged.
func TestWrongFollowing(t *testing.T) {
	t.Parallel()
	s := start(t, settings)
	s.lend(t, model.LoanStateLent)
	for _, c := range []struct {
		by         viewer.Viewer
		arguments  map[string]any
		code, want string
	}{
		{testservice.Ada, map[string]any{"max-events": 101}, "BAD_USER_INPUT", "max-events must be a number from 1 to 100."},
		{testservice.Ada, map[string]any{"max-seconds": 0}, "BAD_USER_INPUT", "max-seconds must be a number from 1 to 50."},
		{testservice.Ada, map[string]any{"after-position": 1}, "BAD_USER_INPUT", "after-position must be a text"},
		{testservice.Ada, map[string]any{"after-position": "x"}, "POSITION_EXPIRED", "Pass one exactly"},
		{testservice.Ada, map[string]any{"events": 1}, "BAD_USER_INPUT", `no argument "events". It has: id, max-events`},
		{testservice.Other, nil, "FORBIDDEN", ""},
		{testservice.Anonymous, nil, "FORBIDDEN", ""},
	} {
		got := <-s.agent(t, c.by, withSessions).follow(t.Context(), c.arguments)
		fatal.If(t, got.err)
		if got.code() != c.code || !strings.Contains(got.texts[0], c.want) || !got.isError {
			t.Errorf("%v: %+v", c.arguments, got)
		}
	}
}

// TestWithoutChanges: without live data, and without a name in the settings, a subscription is no tool.
func TestWithoutChanges(t *testing.T) {
	t.Parallel()
	s := start(t, settings, func(c *gateway.Config) { c.Subscriptions.Live = nil })
	listed, err := s.agent(t, testservice.Anonymous, withSessions).ListTools(t.Context(), nil)
	fatal.If(t, err)
	text, err := json.Marshal(listed)
	fatal.If(t, err)
	if strings.Contains(string(text), `"Loan"`) {
		t.Errorf("the tools are %s", text)
	}
}
