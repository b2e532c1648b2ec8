package docstest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// ordersPage is a page of 10 orders with their items and the user's followers.
const ordersPage = `{ user(id: "%s") {
	name
	orders(first: 10) { totalCount nodes { id status createdAt items(first: 10) { nodes { sku name quantity } } } }
	followers(first: 10) { totalCount edges { followedAt node { name } } }
} }`

// tableOfCosts are the operations that a table of docs/explanation/costs.md has in short.
var tableOfCosts = []string{
	`{ user(id: "%s") { following(first: 20) { nodes { following(first: 10) { nodes { name } } } } } }`,
	`{ user(id: "%s") { followers(first: 10) { nodes { name } } following(first: 10) { nodes { name } }
		orders(first: 10) { nodes { id } } } }`,
	`{ ordersByStatus(status: PENDING, first: 25) { nodes { id customer { name } } } }`,
	`{ nodes(ids: [` + strings.Repeat(`"%[1]s",`, 100) + `]) { id ... on User { name } } }`,
}

// TestDefaultsAllowLegitimateUse: with default settings and a table that is not the local engine's, the limits and
// budgets allow each operation in README and docs, and a page of orders 20 times a second.
func TestDefaultsAllowLegitimateUse(t *testing.T) {
	t.Parallel()
	p := processtest.Start(t, "DYNAMODB_ENDPOINT="+tabletest.StartSeeded(t, demoData).Proxy.URL())
	ada := "01999ec9-0c00-73b3-aeb5-f75e016aeba5"
	id := keys.NewID("User", ada).Encode()
	viewers := map[string]viewer.Viewer{
		"anonymous": {}, "the user": {ID: ada}, "staff": {ID: "staff", Roles: []string{"ADMIN"}},
	}
	page := fmt.Sprintf(ordersPage, id)
	operations := append(documented(t), page)
	for _, operation := range tableOfCosts {
		operations = append(operations, strings.ReplaceAll(strings.ReplaceAll(operation, "%[1]s", id), "%s", id))
	}
	if len(operations) < 11 {
		t.Errorf("only %d operations were found", len(operations))
	}
	for name, v := range viewers {
		t.Run(name, func(t *testing.T) {
			for _, operation := range operations {
				if a := send(t, p, v, operation); a.isLimited() {
					t.Errorf("%s: %+v", operation, a)
				}
			}
			a := send(t, p, v, page)
			cost := a.Extensions.Cost
			charged := 20 * (cost.EstimatedReadUnits + cost.EstimatedObjects/operation.ObjectsPerUnit)
			if cost.ThrottleStatus == nil || charged > cost.ThrottleStatus.RestoreRate {
				t.Errorf("20 pages cost up to %v units, with %+v", charged, cost.ThrottleStatus)
			}
			var group sync.WaitGroup
			for range 20 {
				group.Go(func() {
					if a := send(t, p, v, page); a.isLimited() {
						t.Errorf("one of 20 pages at the same time: %+v", a)
					}
				})
			}
			group.Wait()
		})
	}
}

var (
	queryInBody  = regexp.MustCompile(`\{"query": ("(?:[^"\\]|\\.)*")`)
	queryInBlock = regexp.MustCompile(`^(?:\{|query\b)`)
)

// documented returns the queries of the shop in README and docs.
func documented(t *testing.T) []string {
	t.Helper()
	pages, err := fs.Glob(os.DirFS(checkout), "docs/*/*.md")
	fatal.If(t, err)
	var queries []string
	for _, path := range append(pages, "README.md") {
		if path == "docs/tutorials/your-own-service.md" { // its schema is another one
			continue
		}
		for _, b := range readPage(t, path) {
			if b.language == "graphql" && queryInBlock.MatchString(b.text) {
				queries = append(queries, b.text)
			}
		}
		text, err := os.ReadFile(filepath.Join(checkout, path))
		fatal.If(t, err)
		for _, body := range queryInBody.FindAllSubmatch(text, -1) {
			var query string
			if err := json.Unmarshal(body[1], &query); err != nil {
				t.Fatalf("%s: %s: %v", path, body[1], err)
			}
			queries = append(queries, query)
		}
	}
	return queries
}

// sent is the answer to an operation.
type sent struct {
	Status int
	Errors []struct {
		Message    string
		Extensions struct{ Code string }
	}
	Extensions struct{ Cost response.Cost }
}

// isLimited reports whether a limit or a budget has prevented the operation.
func (s sent) isLimited() bool {
	limits := []string{"COST_LIMIT", "RATE_LIMITED", "UNAVAILABLE", "TIMEOUT", "OPERATION_TOO_LARGE"}
	for _, e := range s.Errors {
		if slices.Contains(limits, e.Extensions.Code) {
			return true
		}
	}
	return s.Status == http.StatusTooManyRequests || s.Status >= http.StatusInternalServerError
}

func send(t *testing.T, p *processtest.Process, v viewer.Viewer, query string) sent {
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		t.Error(err)
		return sent{}
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.URL+"/graphql", bytes.NewReader(body))
	if err != nil {
		t.Error(err)
		return sent{}
	}
	r.Header.Set("Content-Type", "application/json")
	if !v.IsAnonymous() {
		err = processtest.SignIn(r, v)
	}
	response, failed := http.DefaultClient.Do(r)
	if err != nil || failed != nil {
		t.Error(err, failed)
		return sent{}
	}
	defer func() { _ = response.Body.Close() }()
	a := sent{Status: response.StatusCode}
	if err := json.NewDecoder(response.Body).Decode(&a); err != nil {
		t.Error(err)
	}
	return a
}
