package executors

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/loaders"
)

// CheckMutations compares the executors for random mutations, each on the same items: their responses, their requests,
// and what is stored afterwards. Some of them are the same in each run, as in Check.
func (s Schema) CheckMutations(t *testing.T) {
	t.Helper()
	c := s.Compare(loaders.Options{})
	random, codes, changed := rand.New(rand.NewPCG(20261122, 3)), map[string]int{}, 0
	for n := range 200 {
		scenario := c.mutations(random)
		r, isChanged, err := c.write(scenario)
		if err != nil {
			t.Fatalf("operation %d: %v", n, err)
		}
		if isChanged {
			changed++
		}
		for _, code := range append(r.Codes(), userErrorCodes(r.Data())...) {
			codes[code]++
		}
	}
	if changed < 30 {
		t.Fatalf("only %d of 200 operations change something: %v", changed, codes)
	}
	for _, code := range []string{"INVALID", "NOT_FOUND", "CONFLICT", "TAKEN", "ALREADY", "FORBIDDEN", "BAD_USER_INPUT"} {
		if codes[code] == 0 {
			t.Fatalf("no operation has an error with the code %s: %v", code, codes)
		}
	}
	scenarios := rapid.Custom(func(t *rapid.T) Scenario { return c.mutations(drawn{t}) })
	rapid.Check(t, func(t *rapid.T) {
		if _, _, err := c.write(scenarios.Draw(t, "scenario")); err != nil {
			t.Fatal(err)
		}
	})
}

// mutations returns a Scenario with random mutations.
func (c *Comparison) mutations(random Random) Scenario {
	s := Scenario{Operation: c.generator.Mutation(random), Viewer: c.viewers[random.IntN(len(c.viewers))]}
	if random.IntN(5) == 4 {
		s.Faults = 1 + uint64(random.IntN(1000))
	}
	return s
}

// write compares the executors for a scenario with mutations. It reports whether items have changed. The error is how
// the executors differ.
func (c *Comparison) write(s Scenario) (r Response, isChanged bool, err error) {
	header := http.Header{}
	gatewaytest.SetViewer(header, s.Viewer)
	body, err := Body(s.Document, s.Variables)
	if err != nil {
		return Response{}, false, err
	}
	var responses [2]Response
	var tables [2]string
	for i, gateway := range []http.Handler{c.Gqlgen, c.Plan} {
		c.Memory.Restore()
		c.Memory.Fail(s.Faults)
		r := c.Ask(gateway, header, body)
		changes := c.Memory.Changes()
		isChanged = len(changes) > 0
		r.Body, tables[i] = withoutNewIDs(r.Body), withoutNewIDs(strings.Join(changes, "\n"))
		for _, lines := range [][]string{r.Requests, r.Failures} {
			for k := range lines {
				lines[k] = withoutNewIDs(lines[k])
			}
			slices.Sort(lines)
		}
		responses[i] = r
	}
	if diff := Difference(responses[1], responses[0]); diff != "" {
		return responses[1], isChanged, fmt.Errorf("%+v: the executors differ for %s\n%s", s.Viewer, body, diff)
	}
	if diff := cmp.Diff(tables[0], tables[1]); diff != "" {
		return responses[1], isChanged, fmt.Errorf("%+v: the items differ after %s\n-gqlgen +plan\n%s", s.Viewer, body, diff)
	}
	return responses[1], isChanged, nil
}

// userErrorCodes returns the codes of the user errors in data.
func userErrorCodes(data any) []string {
	texts := map[string][]string{}
	collect(data, "", texts)
	var codes []string
	for _, all := range texts {
		for _, text := range all {
			if text != "" && strings.ToUpper(text) == text && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" {
				codes = append(codes, text)
			}
		}
	}
	return codes
}
