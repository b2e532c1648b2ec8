package testservice

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/viewer"
)

// Run tests the operations in a file for package datadriven. Each has its requests and its answer:
//
//	ask viewer=ada
//	{ reader(id: "Reader:r001") { name } }
//	----
//	GetItem READER#r001 READER#r001
//	1 request in 1 wave, 0.5 read units; estimated 1 in 1, 0.5
//	{"reader":{"name":"Ada"}}
//
// Global ids are written as text, in operations as in Ask, and in answers. The viewer is ada, other or anonymous;
// by default it is the Librarian. With strong, reads are strongly consistent. With requests, the answer is left out,
// and with measured there is what each Read of the plan has consumed. Run checks that both executors give the same
// answer with the same requests, that the cost in each answer is what the proxy has counted, and that no more was
// consumed than estimated.
func (s *Service) Run(t *testing.T, path string) {
	t.Helper()
	datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
		if d.Cmd != "ask" {
			d.Fatalf(t, "there is no command %s", d.Cmd)
		}
		return s.run(t, d)
	})
}

var viewers = map[string]viewer.Viewer{"": Librarian, "ada": Ada, "other": Other, "anonymous": Anonymous}

func (s *Service) run(t *testing.T, d *datadriven.TestData) string {
	t.Helper()
	var name string
	d.MaybeScanArgs(t, "viewer", &name)
	v, known := viewers[name]
	if !known {
		d.Fatalf(t, "there is no viewer %s", name)
	}
	as := s.As(v)
	if d.HasArg("strong") {
		as.Header.Set(loaders.ConsistencyHeader, "strong")
	}
	s.Proxy.Reset()
	a := as.AskBoth(t, d.Input, nil)
	counts, cost := s.Proxy.Counts(), a.Extensions.Cost
	// The proxy has no units of cancelled transactions.
	written := counts.Writes == counts.WriteRequests()
	if cost.Requests != counts.Total() || cost.ReadUnits != counts.ReadUnits || cost.WriteUnits < counts.WriteUnits ||
		written != (cost.WriteUnits == counts.WriteUnits) {
		t.Errorf("%s: extensions.cost is %+v, the proxy has counted %+v", d.Pos, cost, counts)
	}
	if e := a.Estimate; !s.BeyondDesign && e.Requests < cost.Requests {
		t.Errorf("%s: %d requests were sent, %d were estimated", d.Pos, cost.Requests, e.Requests)
	}
	var b strings.Builder
	b.WriteString(s.requests())
	requestCount, waveCount := count(cost.Requests, "request"), count(cost.Waves, "wave")
	fmt.Fprintf(&b, "%s in %s, %v read units", requestCount, waveCount, cost.ReadUnits)
	if cost.WriteUnits > 0 {
		fmt.Fprintf(&b, ", %v write units", cost.WriteUnits)
	}
	fmt.Fprintf(&b, "; estimated %d in %d, %v", a.Estimate.Requests, a.Estimate.Waves, a.Estimate.ReadUnits)
	if a.Estimate.WriteUnits > 0 {
		fmt.Fprintf(&b, ", %v", a.Estimate.WriteUnits)
	}
	fmt.Fprintf(&b, "; %d of %v objects", cost.Objects, cost.EstimatedObjects)
	b.WriteString("\n")
	if d.HasArg("measured") {
		b.WriteString(measured(a.Extensions.Plan))
	}
	if !d.HasArg("requests") {
		data, err := json.Marshal(a.Data)
		fatal.If(t, err)
		b.WriteString(Decoded(string(data)) + "\n")
	}
	var errors []string
	for _, e := range a.Errors {
		errors = append(errors, fmt.Sprintf("%s at %v: %s\n", e.Extensions.Code, e.Path, Decoded(e.Message)))
	}
	slices.Sort(errors)
	return b.String() + strings.Join(errors, "")
}

// measured returns a line for the requests of a wave that serve the same Reads of the plan.
func measured(m *loaders.Measured) string {
	var b strings.Builder
	for _, r := range m.Requests {
		fmt.Fprintf(&b, "wave %d, %d %s:", r.Wave, r.Requests, r.Action)
		for _, part := range r.Reads {
			fmt.Fprintf(&b, " [%d] %d times, %s, %v units", part.ID, part.Times, count(part.Items, "item"),
				part.ReadUnits+part.WriteUnits)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprint(n, " ", what)
}
