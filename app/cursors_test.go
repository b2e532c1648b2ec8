package app_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/internal/testservice/graph/typed"
)

var anyCursor = regexp.MustCompile(`"endCursor":"([^"]+)"`)

// page returns the response to a query for a page, to an anonymous caller.
func page(t *testing.T, p *processtest.Process, arguments string) string {
	t.Helper()
	query := fmt.Sprintf(`{ book(id: %q) { recommendedBy(%s) { pageInfo { endCursor } } } }`,
		testservice.Book(1).Encode(), arguments)
	status, body := p.Get(t, "/graphql?query="+url.QueryEscape(query))
	if status != http.StatusOK {
		t.Fatalf("%s: %d %s", arguments, status, body)
	}
	return body
}

// The gateways of one table agree on cursors without a setting. Nobody else can read them.
func TestCursorsOfReplicas(t *testing.T) {
	t.Parallel()
	first := processtest.Start(t)
	endpoint := "DYNAMODB_ENDPOINT=http://" + first.EngineAddress
	second := processtest.Start(t, endpoint)
	found := anyCursor.FindStringSubmatch(page(t, first, "first: 1"))
	if found == nil {
		t.Fatal("the page has no cursor")
	}
	public, err := typed.BookRecommendedBy(testservice.Book(1)).Condition()
	fatal.If(t, err)
	if position, err := public.ParseCursor("after", found[1]); err == nil {
		t.Errorf("the cursor is readable without a secret: %+v", position)
	}
	for name, p := range map[string]*processtest.Process{"the same gateway": first, "another one": second} {
		if next := page(t, p, fmt.Sprintf("first: 1, after: %q", found[1])); anyCursor.FindString(next) == "" {
			t.Errorf("%s: got %s", name, next)
		}
	}
	other := processtest.Start(t, endpoint, "CURSOR_SECRET=another secret of at least 32 bytes")
	if next := page(t, other, fmt.Sprintf("first: 1, after: %q", found[1])); !strings.Contains(next, "is not a cursor") {
		t.Errorf("with another secret: got %s", next)
	}
	processtest.Launch(t, "serve", endpoint, "CURSOR_SECRET=short").WantExit(t, "exit status 78", "CURSOR_SECRET")
}
