package agents_test

import (
	"encoding/json"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/agents"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/storetest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/viewer"
)

const (
	initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
	list = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
)

// reply is the response to a message.
type reply struct {
	status int
	header http.Header
	body   string
}

// send sends a message.
func (s *service) send(t *testing.T, method, path, body string, header http.Header) reply {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
	fatal.If(t, err)
	if header != nil {
		r.Header = header.Clone()
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	response, err := http.DefaultClient.Do(r)
	fatal.If(t, err)
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	fatal.If(t, err)
	return reply{response.StatusCode, response.Header, string(text)}
}

// by returns the headers of a viewer's requests in a session.
func by(v viewer.Viewer, session string) http.Header {
	h := http.Header{}
	if !v.IsAnonymous() {
		gatewaytest.SetViewer(h, v)
	}
	if session != "" {
		h.Set("Mcp-Session-Id", session)
	}
	return h
}

// TestOthersSession: nobody else goes on with a session, whose id is no secret of the protocol.
func TestOthersSession(t *testing.T) {
	t.Parallel()
	s := start(t, settings)
	begun := s.send(t, http.MethodPost, agents.Path, initialize, by(testservice.Ada, ""))
	id := begun.header.Get("Mcp-Session-Id")
	for _, c := range []struct {
		viewer  viewer.Viewer
		session string
		want    int
	}{
		{testservice.Ada, id, http.StatusOK},
		{testservice.Other, id, http.StatusForbidden},
		{testservice.Anonymous, id, http.StatusForbidden},
		{testservice.Ada, "none", http.StatusNotFound},
	} {
		for _, method := range []string{http.MethodPost, http.MethodDelete} {
			if method == http.MethodDelete && c.want == http.StatusOK {
				continue
			}
			if got := s.send(t, method, agents.Path, list, by(c.viewer, c.session)); got.status != c.want {
				t.Errorf("%s by %q: %d %s", method, c.viewer.ID, got.status, got.body)
			}
		}
	}
}

// TestRolesOfTheRequest: the rights of a call are those of its own token, not of the one that has begun the session.
func TestRolesOfTheRequest(t *testing.T) {
	t.Parallel()
	s := start(t, settings)
	begun := s.send(t, http.MethodPost, agents.Path, initialize, by(testservice.Librarian, ""))
	id := begun.header.Get("Mcp-Session-Id")
	const late = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"Late","arguments":{"first":1}}}`
	s.send(t, http.MethodPost, agents.Path, `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		by(testservice.Librarian, id))
	for role, isAllowed := range map[string]bool{"LIBRARIAN": true, "STAFF": false} {
		caller := viewer.Viewer{ID: testservice.Librarian.ID, Roles: []string{role}}
		got := s.send(t, http.MethodPost, agents.Path, late, by(caller, id))
		if strings.Contains(got.body, "FORBIDDEN") == isAllowed {
			t.Errorf("%s: %s", role, got.body)
		}
	}
}

// TestSessions: an operator on the machine of the gateway sees what each session has spent, and nobody else does.
func TestSessions(t *testing.T) {
	t.Parallel()
	s := start(t, settings)
	got := s.agent(t, testservice.Librarian, withSessions).call("Late", map[string]any{"first": 1})
	s.agent(t, testservice.Ada, withSessions)
	var shown struct {
		Sessions []struct {
			Session, Viewer string
			Calls           int
			Spent, Limit    agents.Amount
		}
	}
	body := s.send(t, http.MethodGet, agents.SessionsPath, "", nil).body
	fatal.If(t, json.Unmarshal([]byte(body), &shown))
	if len(shown.Sessions) != 2 {
		t.Fatalf("%s", body)
	}
	ada, librarian := shown.Sessions[0], shown.Sessions[1]
	left := librarian.Limit.Units - librarian.Spent.Units
	if ada.Viewer != testservice.Ada.ID || ada.Calls != 0 || librarian.Viewer != testservice.Librarian.ID ||
		librarian.Calls != 1 || left != got.Session.Units || !strings.Contains(s.log.String(), "session="+librarian.Session) {
		t.Errorf("%s", body)
	}
	forwarded := s.send(t, http.MethodGet, agents.SessionsPath, "", http.Header{"X-Forwarded-For": {"192.0.2.1"}})
	if forwarded.body != "{}" {
		t.Errorf("%s", forwarded.body)
	}
}

// TestSessionsPage: a browser gets a page, which shows no sessions to visitors of other machines, and no markup of a
// caller.
func TestSessionsPage(t *testing.T) {
	t.Parallel()
	s := start(t, settings)
	s.agent(t, viewer.Viewer{ID: "<b>Zoe</b>"}, withSessions).call("Late", map[string]any{"first": 1})
	for _, c := range []struct {
		forwarded string
		status    int
		want      []string
	}{
		{"", http.StatusOK, []string{
			"<code>&lt;b&gt;Zoe&lt;/b&gt;</code>", "<code>Late</code>", `<td class="number">1</td>`, "0 <small>of 1500</small>",
			`<a href="/mcp/sessions" aria-current="page">Agents</a>`,
		}},
		{"192.0.2.1", http.StatusForbidden, []string{"visitors of the machine of the gateway only"}},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+agents.SessionsPath, nil)
		fatal.If(t, err)
		r.Header.Set("Accept", "text/html,*/*")
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		response, err := http.DefaultClient.Do(r)
		fatal.If(t, err)
		body, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		fatal.If(t, err)
		for _, want := range c.want {
			if !strings.Contains(string(body), want) {
				t.Errorf("the page lacks %s:\n%s", want, body)
			}
		}
		if strings.Contains(string(body), "Zoe") != (c.status == http.StatusOK) || response.StatusCode != c.status ||
			!strings.HasPrefix(response.Header.Get("Content-Security-Policy"), "default-src 'none'; ") {
			t.Errorf("%d %v\n%s", response.StatusCode, response.Header, body)
		}
	}
}

// TestTokens: where tokens are issued, a caller needs one, and learns who issues them.
func TestTokens(t *testing.T) {
	t.Parallel()
	s := start(t, settings, func(c *gateway.Config) { c.Agents.Issuers = []string{"https://id.example"} })
	const metadata = agents.MetadataPath + agents.Path
	got := s.send(t, http.MethodPost, agents.Path, initialize, nil)
	want := `Bearer realm="graphql", resource_metadata="` + s.url + metadata + `"`
	if got.status != http.StatusUnauthorized || got.header.Get("WWW-Authenticate") != want {
		t.Errorf("%d %q", got.status, got.header.Get("WWW-Authenticate"))
	}
	if got := s.send(t, http.MethodPost, agents.Path, initialize, by(testservice.Ada, "")); got.status != http.StatusOK {
		t.Errorf("with a token: %d", got.status)
	}
	for _, path := range []string{metadata, agents.MetadataPath} {
		got := s.send(t, http.MethodGet, path, "", http.Header{"X-Forwarded-Proto": {"https"}})
		var m struct {
			Resource             string
			AuthorizationServers []string `json:"authorization_servers"`
		}
		fatal.If(t, json.Unmarshal([]byte(got.body), &m))
		if got.status != http.StatusOK || m.Resource != strings.Replace(s.url, "http:", "https:", 1)+"/mcp" ||
			len(m.AuthorizationServers) != 1 || m.AuthorizationServers[0] != "https://id.example" {
			t.Errorf("%d %s", got.status, got.body)
		}
	}
	if got := start(t, settings).send(t, http.MethodGet, metadata, "", nil); got.status != http.StatusNotFound {
		t.Errorf("without a provider: %d %s", got.status, got.body)
	}
}

// TestRequests: what is no message of an agent is rejected as at /graphql.
func TestRequests(t *testing.T) {
	t.Parallel()
	s := start(t, settings)
	big := strings.Replace(list, "}", `,"params":{"x":"`+strings.Repeat("x", 300<<10)+`"}}`, 1)
	for _, c := range []struct {
		name, method, body string
		header             http.Header
		want               int
	}{
		{"a page of a foreign origin", http.MethodPost, initialize, http.Header{"Origin": {"https://evil.example"}}, 403},
		{"GET", http.MethodGet, "", nil, 405},
		{"a large body", http.MethodPost, big, http.Header{"Mcp-Protocol-Version": {withoutSessions}}, 413},
		{"no JSON", http.MethodPost, "{", nil, 400},
	} {
		if got := s.send(t, c.method, agents.Path, c.body, c.header); got.status != c.want {
			t.Errorf("%s: %d %.300s", c.name, got.status, got.body)
		}
	}
	without := start(t, settings, func(c *gateway.Config) { c.Agents = agents.Config{} })
	if got := without.send(t, http.MethodPost, agents.Path, initialize, nil); got.status != http.StatusNotFound {
		t.Errorf("without tools: %d", got.status)
	}
}

// TestTenants: without a tenant, nothing of a table with tenants is shown, and the session begins with a token.
func TestTenants(t *testing.T) {
	t.Parallel()
	s := start(t, settings, func(c *gateway.Config) { c.Callers.NeedsTenant = true })
	if got := s.send(t, http.MethodPost, agents.Path, initialize, nil); got.status != http.StatusUnauthorized {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// TestManySessions: a caller has a bounded number of sessions, and others still have theirs.
func TestManySessions(t *testing.T) {
	t.Parallel()
	s := start(t, settings)
	for range 30 {
		if got := s.send(t, http.MethodPost, agents.Path, initialize, by(testservice.Ada, "")); got.status != 200 {
			t.Fatalf("%d %s", got.status, got.body)
		}
	}
	got := s.send(t, http.MethodPost, agents.Path, initialize, by(testservice.Ada, ""))
	if got.status != http.StatusTooManyRequests || !strings.Contains(got.body, "You have begun 30 sessions.") {
		t.Errorf("%d %s", got.status, got.body)
	}
	s.agent(t, testservice.Other, withSessions)
}

// TestSessionsApart: each session has a budget of its own; a caller whose protocol has none has one.
func TestSessionsApart(t *testing.T) {
	t.Parallel()
	s := start(t, settings)
	bothVersions(t, func(t *testing.T, version string) {
		late := map[string]any{"first": 1}
		one := s.agent(t, testservice.Librarian, version).call("Late", late)
		two := s.agent(t, testservice.Librarian, version).call("Late", late)
		if shares := two.Session.Units < one.Session.Units; shares != (version == withoutSessions) {
			t.Errorf("the first session has %v left, and the second %v", one.Session, two.Session)
		}
	})
	if log := s.log.String(); !strings.Contains(log, "method=tools/call") || !strings.Contains(log, " session=") ||
		strings.Contains(log, " session=\"\"") {
		t.Errorf("the log is\n%s", log)
	}
}

// TestSessionsOfACaller: what the sessions of a caller consume together, at all replicas, is charged to the budget of
// the caller, which ends them all.
func TestSessionsOfACaller(t *testing.T) {
	t.Parallel()
	server := storetest.Start(t)
	const most = 12.0
	var replicas []*service
	var sessions []agent
	for range 2 {
		s := start(t, `{"query": true}`, func(c *gateway.Config) {
			c.Consumption.Store = server.Open(t)
			c.Consumption.Budget = operation.Budget{Maximum: most, Restore: 1e-12}
		})
		replicas = append(replicas, s)
		for range 2 {
			sessions = append(sessions, s.agent(t, testservice.Librarian, withSessions))
		}
	}
	charged, ofSession := 0.0, map[int]float64{}
	for i := 0; ; i++ {
		got := sessions[i%len(sessions)].call("Late", map[string]any{"first": 9})
		if got.code() == "RATE_LIMITED" {
			if left := got.Session.Units; i < len(sessions) || left != most-ofSession[i%len(sessions)] {
				t.Errorf("call %d is refused: %q", i, got.texts)
			}
			break
		}
		ofSession[i%len(sessions)] += got.Receipt.ReadUnits
		charged += got.Receipt.ReadUnits + got.Receipt.Objects/operation.ObjectsPerUnit
		for _, s := range replicas {
			left, asked := s.left(t)
			if charged += asked; math.Abs(left-(most-charged)) > 0.051 { // it has one digit
				t.Errorf("call %d: the caller has %v units left, and %v were charged", i, left, charged)
			}
		}
	}
	if charged > most {
		t.Errorf("%v units are charged", charged)
	}
}

// left returns what the librarian has left, by an operation at /graphql, and what that has cost.
func (s *service) left(t *testing.T) (units, cost float64) {
	t.Helper()
	header := by(testservice.Librarian, "")
	body := s.send(t, http.MethodPost, "/graphql", `{"query": "{ __typename }"}`, header).body
	var answer struct {
		Extensions struct {
			Cost struct {
				ReadUnits, Objects float64
				ThrottleStatus     struct{ CurrentlyAvailable float64 }
			}
		}
	}
	fatal.If(t, json.Unmarshal([]byte(body), &answer))
	c := answer.Extensions.Cost
	return c.ThrottleStatus.CurrentlyAvailable, c.ReadUnits + c.Objects/operation.ObjectsPerUnit
}
