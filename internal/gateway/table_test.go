package gateway_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/request"
	"github.com/partita/partita/viewer"
)

// tableReader answers each question with its name, the tenant and its text, and has read 3 units.
type tableReader struct {
	err error
	// result is what it has read instead.
	result request.Result
}

func (r tableReader) Answer(ctx context.Context, name string, question []byte) ([]byte, request.Result, error) {
	answer := `{"got":"` + name + " " + request.TenantOf(ctx) + `","question":` + string(question) + `}`
	if r.result.ReadUnits == 0 {
		r.result.ReadUnits = 3
	}
	return []byte(answer), r.result, r.err
}

// withTable is a gateway with a table page, for visitors of this machine or only for the role.
func withTable(t *testing.T, forThisMachine bool) (gateway.Config, *log) {
	t.Helper()
	c, lines := config(t)
	c.Callers.Authenticate = viewerOf
	c.Table = gateway.TablePage{Reader: tableReader{}, ForThisMachine: forThisMachine}
	return c, lines
}

// askTable sends a question as a viewer.
func askTable(t *testing.T, server string, v viewer.Viewer, body string, header ...string) answer {
	t.Helper()
	return askTableOf(t, server, "items", v, body, header...)
}

// askTableOf sends a question with a name as a viewer.
func askTableOf(t *testing.T, server, name string, v viewer.Viewer, body string, header ...string) answer {
	t.Helper()
	header = append([]string{
		"Content-Type", "application/json", "Authorization", strings.Join([]string{v.ID, strings.Join(v.Roles, " "),
			v.Tenant}, ";"),
	}, header...)
	return do(t, server, http.MethodPost, "/table/"+name, body, header...)
}

// viewerOf reads the viewer that askTable has sent.
func viewerOf(r *http.Request) (viewer.Viewer, error) {
	parts := strings.Split(r.Header.Get("Authorization")+";;", ";")
	return viewer.Viewer{ID: parts[0], Roles: strings.Fields(parts[1]), Tenant: parts[2]}, nil
}

func TestTablePage(t *testing.T) {
	admin, user := viewer.Viewer{ID: "a", Roles: []string{"ADMIN"}}, viewer.Viewer{ID: "u", Roles: []string{"STAFF"}}
	local, lines := withTable(t, true)
	real, _ := withTable(t, false)
	off, _ := config(t)
	elsewhere, proxied := []string{"X-Forwarded-For", "192.0.2.1"}, []string{"Forwarded", "for=192.0.2.1"}
	foreign := []string{"Sec-Fetch-Site", "cross-site"}
	const body = `{"pk": "SECRET#1"}`
	for _, test := range []struct {
		name   string
		config gateway.Config
		viewer viewer.Viewer
		header []string
		status int
		code   string
	}{
		{"this machine", local, viewer.Viewer{}, nil, http.StatusOK, ""},
		{"this machine, without the role", local, user, nil, http.StatusOK, ""},
		{"another machine", local, viewer.Viewer{}, elsewhere, http.StatusUnauthorized, "UNAUTHENTICATED"},
		{"behind a proxy", local, viewer.Viewer{}, proxied, http.StatusUnauthorized, "UNAUTHENTICATED"},
		{"another machine, without the role", local, user, elsewhere, http.StatusForbidden, "FORBIDDEN"},
		{"another machine, with the role", local, admin, elsewhere, http.StatusOK, ""},
		{"a table of its own", real, viewer.Viewer{}, nil, http.StatusUnauthorized, "UNAUTHENTICATED"},
		{"a table of its own, without the role", real, user, nil, http.StatusForbidden, "FORBIDDEN"},
		{"a table of its own, with the role", real, admin, nil, http.StatusOK, ""},
		{"a page of another origin", local, admin, foreign, http.StatusForbidden, "FORBIDDEN"},
		{"a form", local, admin, []string{"Content-Type", "text/plain"}, http.StatusUnsupportedMediaType, "BAD_REQUEST"},
		{"no page", off, admin, nil, http.StatusNotFound, "BAD_REQUEST"},
	} {
		a := askTable(t, serve(t, test.config), test.viewer, body, test.header...)
		if a.status != test.status || a.code() != test.code {
			t.Errorf("%s: got %d %s", test.name, a.status, a.body)
		}
		if got := a.header.Get("WWW-Authenticate"); (got != "") != (test.status == http.StatusUnauthorized) {
			t.Errorf("%s: WWW-Authenticate is %q", test.name, got)
		}
		if test.status == http.StatusOK && a.body != `{"got":"items ","question":`+body+`}` {
			t.Errorf("%s: got %s", test.name, a.body)
		}
		if got := a.header.Get("Cache-Control"); test.status == http.StatusOK && got != "no-store" {
			t.Errorf("%s: Cache-Control is %q", test.name, got)
		}
	}
	for _, part := range []string{
		`"msg":"table"`, `"operation":"items"`, `"readUnits":3`, `"status":200`, `"viewer":"a"`,
	} {
		if !strings.Contains(lines.String(), part) {
			t.Errorf("the log does not have %s: %s", part, lines)
		}
	}
	if strings.Contains(lines.String(), "SECRET") {
		t.Errorf("the log has a key: %s", lines)
	}
	large := askTable(t, serve(t, local), admin, `{"pk": "`+strings.Repeat("x", 70_000)+`"}`)
	if large.status != http.StatusRequestEntityTooLarge {
		t.Errorf("a large question: got %d %s", large.status, large.body)
	}
}

// TestTableChange: only visitors of the machine of a local engine change items, whatever their roles are, and no page
// of another origin can make them do it. The budget and the log have what was written.
func TestTableChange(t *testing.T) {
	admin := viewer.Viewer{ID: "a", Roles: []string{"ADMIN"}}
	local, lines := withTable(t, true)
	local.Consumption.Budget = operation.Budget{Maximum: 20, Restore: 1e-9}
	local.Table.Reader = tableReader{result: request.Result{ReadUnits: 3, WriteUnits: 1, CompanionReads: 4}}
	real, _ := withTable(t, false)
	for _, test := range []struct {
		name   string
		config gateway.Config
		header []string
		status int
		code   string
	}{
		{"this machine", local, nil, http.StatusOK, ""},
		{"another machine", local, []string{"X-Forwarded-For", "192.0.2.1"}, http.StatusForbidden, "FORBIDDEN"},
		{"behind a proxy", local, []string{"Forwarded", "for=192.0.2.1"}, http.StatusForbidden, "FORBIDDEN"},
		{"a page of another origin", local, []string{"Sec-Fetch-Site", "cross-site"}, http.StatusForbidden, "FORBIDDEN"},
		{"a form", local, []string{"Content-Type", "text/plain"}, http.StatusUnsupportedMediaType, "BAD_REQUEST"},
		{"a table of its own", real, nil, http.StatusForbidden, "FORBIDDEN"},
	} {
		a := askTableOf(t, serve(t, test.config), "change", admin, `{}`, test.header...)
		if a.status != test.status || a.code() != test.code {
			t.Errorf("%s: got %d %s", test.name, a.status, a.body)
		}
	}
	for _, part := range []string{`"operation":"change"`, `"requests":5`, `"readUnits":3`, `"writeUnits":1`} {
		if !strings.Contains(lines.String(), part) {
			t.Errorf("the log does not have %s: %s", part, lines)
		}
	}
	server := serve(t, local)
	large := `{"item":"` + strings.Repeat("x", 70_000) + `"}`
	if a := askTableOf(t, server, "change", admin, large); a.status != http.StatusOK {
		t.Errorf("a large item: got %d %.200s", a.status, a.body)
	}
	a := askTableOf(t, server, "change", admin, `{}`)
	if a.status != http.StatusTooManyRequests || !strings.Contains(a.body, `"currentlyAvailable":12`) { // 20 - (3 + 5 * 1)
		t.Errorf("got %d %s", a.status, a.body)
	}
}

// TestTablePageOfATenant: a viewer sees the tenant of the token, and without one nothing.
func TestTablePageOfATenant(t *testing.T) {
	c, _ := withTable(t, true)
	c.Callers.NeedsTenant = true
	server := serve(t, c)
	v := viewer.Viewer{ID: "a", Roles: []string{"ADMIN"}}
	if a := askTable(t, server, v, `{}`); !a.isError(http.StatusUnauthorized, "UNAUTHENTICATED", "tenant") {
		t.Errorf("without a tenant: got %d %s", a.status, a.body)
	}
	v.Tenant = "acme"
	if a := askTable(t, server, v, `{}`); a.status != http.StatusOK || !strings.Contains(a.body, `"items acme"`) {
		t.Errorf("got %d %s", a.status, a.body)
	}
}

// TestTablePageIsCharged: what the page reads is taken from the caller's budget.
func TestTablePageIsCharged(t *testing.T) {
	c, _ := withTable(t, true)
	c.Consumption.Budget = operation.Budget{Maximum: 5, Restore: 1e-9}
	server := serve(t, c)
	if a := askTable(t, server, viewer.Viewer{}, `{}`); a.status != http.StatusOK {
		t.Errorf("got %d %s", a.status, a.body)
	}
	a := askTable(t, server, viewer.Viewer{}, `{}`)
	if !a.isError(http.StatusTooManyRequests, "RATE_LIMITED", "The page may take up to 5 read units") ||
		a.header.Get("Retry-After") == "" {
		t.Errorf("got %d %s", a.status, a.body)
	}
	other := askTable(t, server, viewer.Viewer{ID: "other"}, `{}`)
	if other.status != http.StatusOK {
		t.Errorf("another caller: got %d %s", other.status, other.body)
	}
}

// TestTablePageCountsBytes: an answer counts as bytes of its caller.
func TestTablePageCountsBytes(t *testing.T) {
	c, _ := withTable(t, true)
	c.MaxBufferedBytesPerCaller = 160
	server := serve(t, c)
	if a := askTable(t, server, viewer.Viewer{}, `{}`); a.status != http.StatusOK {
		t.Errorf("got %d %s", a.status, a.body)
	}
	large := `{"pk":"` + strings.Repeat("x", 100) + `"}` // it is in the answer, too
	if a := askTable(t, server, viewer.Viewer{}, large); !a.isError(http.StatusTooManyRequests, "RATE_LIMITED", "") {
		t.Errorf("a larger answer: got %d %s", a.status, a.body)
	}
}

// TestTablePageErrors: errors of the table are in the gateway's words.
func TestTablePageErrors(t *testing.T) {
	for _, test := range []struct {
		err    error
		status int
		code   string
	}{
		{request.ErrThrottled, http.StatusTooManyRequests, "THROTTLED"},
		{request.ErrUnavailable, http.StatusServiceUnavailable, "UNAVAILABLE"},
		{context.DeadlineExceeded, http.StatusServiceUnavailable, "TIMEOUT"},
		{errors.New("secret cause"), http.StatusInternalServerError, "INTERNAL_SERVER_ERROR"},
	} {
		c, lines := withTable(t, true)
		c.Table.Reader = tableReader{err: test.err}
		a := askTable(t, serve(t, c), viewer.Viewer{}, `{}`)
		if a.status != test.status || a.code() != test.code || strings.Contains(a.body, test.err.Error()) {
			t.Errorf("%v: got %d %s", test.err, a.status, a.body)
		}
		if test.code == "INTERNAL_SERVER_ERROR" && !strings.Contains(lines.String(), "secret cause") {
			t.Errorf("the log lacks the cause: %s", lines)
		}
	}
}

// TestPagesAreServed: each page is there only if the configuration has it.
func TestPagesAreServed(t *testing.T) {
	for _, test := range []struct{ playground, table bool }{{true, true}, {true, false}, {false, true}, {false, false}} {
		c, _ := withTable(t, true)
		if !test.table {
			c.Table = gateway.TablePage{}
		}
		c.Playground.Disabled = !test.playground
		page := &fstest.MapFile{Data: []byte(`<script type="application/json">{{.}}</script>`)}
		c.Playground.Files = fstest.MapFS{"index.html": page, "table.html": page, "assets/a.js": page}
		server := serve(t, c)
		for path, want := range map[string]bool{
			"/": test.playground, "/table": test.table, "/assets/a.js": test.playground || test.table,
		} {
			if a := do(t, server, http.MethodGet, path, ""); (a.status == http.StatusOK) != want {
				t.Errorf("%+v: %s is %d", test, path, a.status)
			}
		}
	}
}

// waitingReader answers when it is told to.
type waitingReader struct {
	asked   chan struct{}
	release chan struct{}
}

func (r waitingReader) Answer(context.Context, string, []byte) ([]byte, request.Result, error) {
	r.asked <- struct{}{}
	<-r.release
	return []byte("{}"), request.Result{}, nil
}

// TestTablePageOneAtATime: the table answers one question of a caller at a time, however many that caller asks, so that
// operations do not wait for all of them.
func TestTablePageOneAtATime(t *testing.T) {
	var reader waitingReader
	inBubble(t, func(c *gateway.Config) {
		reader = waitingReader{make(chan struct{}, 10), make(chan struct{})} // of the bubble
		c.Callers.Authenticate, c.Table = viewerOf, gateway.TablePage{Reader: reader}
	}, func(t *testing.T, b bubble) {
		var asking sync.WaitGroup
		ask := func(id string) {
			asking.Go(func() {
				r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://gateway/table/items",
					strings.NewReader("{}"))
				if err != nil {
					t.Error(err)
					return
				}
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Authorization", id+";ADMIN;")
				response, err := b.client().Do(r)
				if err != nil {
					t.Error(err)
					return
				}
				_ = response.Body.Close()
				if response.StatusCode != http.StatusOK {
					t.Errorf("%s got %d", id, response.StatusCode)
				}
			})
		}
		for range 4 {
			ask("eve")
		}
		synctest.Wait()
		if n := len(reader.asked); n != 1 {
			t.Errorf("%d questions of a caller are answered at a time, want 1", n)
		}
		ask("ada")
		synctest.Wait()
		if n := len(reader.asked); n != 2 {
			t.Errorf("%d questions are answered, want 2: another caller does not wait", n)
		}
		close(reader.release)
		asking.Wait()
	})
}
