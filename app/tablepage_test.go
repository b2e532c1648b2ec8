package app_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/viewer"
)

// askTable sends a question of the page /table, as a viewer or with the zero Viewer without a token.
func askTable(t *testing.T, p *processtest.Process, name, body string, v viewer.Viewer) (status int, answer string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.URL+"/table/"+name, strings.NewReader(body))
	fatal.If(t, err)
	r.Header.Set("Content-Type", "application/json")
	if !v.IsAnonymous() {
		fatal.If(t, processtest.SignIn(r, v))
	}
	response, err := http.DefaultClient.Do(r)
	fatal.If(t, err)
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	fatal.If(t, err)
	return response.StatusCode, string(text)
}

// TestTablePage: with the local engine, visitors of this machine see what is stored. With any other table there is no
// page, unless the operator wants one for administrators.
func TestTablePage(t *testing.T) {
	t.Parallel()
	admin := viewer.Viewer{ID: "a", Roles: []string{"ADMIN"}}
	find := `{"text": "` + testservice.Reader(1).Encode() + `"}`
	local := processtest.Start(t)
	status, body := askTable(t, local, "find", find, viewer.Viewer{})
	if status != http.StatusOK || !strings.Contains(body, `"type":"Reader"`) {
		t.Errorf("on the local engine: %d %s", status, body)
	}
	if status, body := askTable(t, local, "partitions", `{}`, viewer.Viewer{}); status != http.StatusOK ||
		!strings.Contains(body, `"field":"Reader.id"`) || strings.Contains(body, `"denied"`) {
		t.Errorf("the list of partitions: %d %.300s", status, body)
	}
	scans := `partita_dynamodb_requests_total{action="Scan",outcome="ok"} 1`
	if _, metrics := local.Get(t, "/metrics"); !strings.Contains(metrics, scans) {
		t.Error("the Scan is not in the metrics")
	}
	const change = `{"was": null, "item": {"PK": {"S": "NOTE#1"}, "SK": {"S": "NOTE#1"}}, "despite": true}`
	status, body = askTable(t, local, "change", change, viewer.Viewer{})
	written := `"written":true,"breaks":[{"pk":"NOTE#1","sk":"NOTE#1","kind":"ITEM_UNKNOWN"`
	if status != http.StatusOK || !strings.Contains(body, written) {
		t.Errorf("a change on the local engine: %d %s", status, body)
	}
	endpoint := "DYNAMODB_ENDPOINT=http://" + local.EngineAddress
	if status, body := askTable(t, processtest.Start(t, endpoint), "find", find, admin); status != http.StatusNotFound {
		t.Errorf("with another table: %d %s", status, body)
	}
	enabled := processtest.Start(t, endpoint, "TABLE_PAGE=on")
	for _, test := range []struct {
		caller viewer.Viewer
		want   int
	}{
		{viewer.Viewer{}, http.StatusUnauthorized},
		{viewer.Viewer{ID: "a", Roles: []string{"STAFF"}}, http.StatusForbidden},
		{admin, http.StatusOK},
	} {
		if status, body := askTable(t, enabled, "find", find, test.caller); status != test.want {
			t.Errorf("with another table and the page on, as %+v: %d %s, want %d", test.caller, status, body, test.want)
		}
	}
	if status, body := askTable(t, enabled, "change", change, admin); status != http.StatusForbidden {
		t.Errorf("a change of another table: %d %s", status, body)
	}
	if _, body := askTable(t, enabled, "design", `{}`, admin); strings.Contains(body, "editable") {
		t.Errorf("another table can be edited: %s", body)
	}
	off := processtest.Start(t, "TABLE_PAGE=off")
	if status, body := askTable(t, off, "find", find, admin); status != http.StatusNotFound {
		t.Errorf("switched off: %d %s", status, body)
	}
}
