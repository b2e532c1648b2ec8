package exampletest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/internal/plantest"
	"github.com/partita/partita/viewer"
)

// planned returns the writes in the plan of an operation.
func (s *Service) planned(tb testing.TB, v viewer.Viewer, parameters []byte) []price.ExplainedWrite {
	tb.Helper()
	var answer struct{ Plan price.Explanation }
	fatal.If(tb, json.Unmarshal([]byte(s.serveAt(tb, "/plan", v, parameters)), &answer))
	var all []price.ExplainedWrite
	for _, w := range answer.Plan.Waves {
		for _, r := range w.Reads {
			all = append(all, r.Writes...)
		}
	}
	return all
}

// checkWrites reports what was sent on other conditions than those of the plan.
func (s *Service) checkWrites(tb testing.TB, planned []price.ExplainedWrite) {
	tb.Helper()
	sent := s.Engine.Proxy.Writes()
	for i := range sent {
		sent[i].Key = strings.TrimPrefix(sent[i].Key, s.tenant+s.Engine.Table.Schema().Layout().Delimiter)
	}
	plantest.CheckWrites(tb, planned, sent)
}
