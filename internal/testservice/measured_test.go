package testservice_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/partita/partita/internal/executors"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/loaders"
)

// TestMeasuredReads: random operations send requests only for Reads of their plan, and those that such a Read sends.
func TestMeasuredReads(t *testing.T) {
	t.Parallel()
	c := testservice.Schema().Compare(loaders.Options{})
	random := rand.New(rand.NewPCG(20261122, 13))
	measured, shared := 0, 0
	for range 400 {
		s := c.Scenario(random)
		header := http.Header{}
		gatewaytest.SetViewer(header, s.Viewer)
		body, err := executors.Body(s.Document, s.Variables)
		fatal.If(t, err)
		explained, isWhole := explain(t, c.Plan, header, body)
		var answer struct {
			Extensions struct{ Plan loaders.Measured }
		}
		response := c.Ask(c.Plan, header, body).Body
		fatal.If(t, json.Unmarshal([]byte(response), &answer))
		for _, request := range answer.Extensions.Plan.Requests {
			if len(request.Reads) > 1 {
				shared++
			}
			for _, read := range request.Reads {
				measured++
				if x, found := explained[read.ID]; isWhole && (!found || !sends(x.Kind, request.Action)) {
					t.Fatalf("%+v is %+v for %s", *request, x, body)
				}
			}
		}
	}
	if measured < 400 || shared < 20 {
		t.Errorf("%d Reads are measured, %d requests are shared: too few", measured, shared)
	}
}

// explain returns the Reads of an operation's plan by their ids, and reports whether it has all.
func explain(t *testing.T, gateway http.Handler, header http.Header, body []byte) (map[int]price.ExplainedRead, bool) {
	t.Helper()
	request := httptest.NewRequest(http.MethodPost, "/plan", bytes.NewReader(body))
	request.Header = header.Clone()
	request.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	gateway.ServeHTTP(recorder, request)
	var answer struct{ Plan price.Explanation }
	fatal.If(t, json.Unmarshal(recorder.Body.Bytes(), &answer))
	byID := map[int]price.ExplainedRead{}
	for _, w := range answer.Plan.Waves {
		for _, r := range w.Reads {
			byID[r.ID] = r
		}
	}
	return byID, !answer.Plan.Cut
}

// sends reports whether Reads of a kind send requests of an action. A Get may join a Query.
func sends(kind string, action loaders.Action) bool {
	actions := map[string][]loaders.Action{
		"Get":   {loaders.ActionGetItem, loaders.ActionBatchGetItem, loaders.ActionQuery},
		"Query": {loaders.ActionQuery},
	}[kind]
	return slices.Contains(actions, action)
}
