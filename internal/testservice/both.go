package testservice

import (
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/executors"
	"github.com/partita/partita/internal/fatal"
)

// AskBoth is Ask by both executors: operations without hand-written Go are also executed by gqlgen, and answered from
// the schema's files alone. The responses must be equal, and so must the requests to the table, which no other test may
// use at the same time, and the log. The proxy then has the requests of the first executor.
func (s *Service) AskBoth(tb testing.TB, query string, variables map[string]any) Answer {
	tb.Helper()
	body, err := executors.Body(Encoded(query), variables)
	fatal.If(tb, err)
	header, id := s.Header.Clone(), s.estimates.next()
	header.Set(requestHeader, id)
	r := s.Pair.Ask(s.Pair.Gqlgen, header, body)
	estimate := s.estimates.take(id)
	if !estimate.HandWritten {
		gqlgen := r
		header.Del(requestHeader)
		folder := s.Pair.Ask(s.Pair.Folder, header, body)
		r = s.Pair.Ask(s.Pair.Plan, header, body)
		if diff := executors.Difference(r, gqlgen); diff != "" {
			tb.Errorf("the executors differ for %s\n%s", query, diff)
		}
		if diff := executors.Difference(r, folder); diff != "" {
			tb.Errorf("the folder differs from the generated code for %s\n%s", query, diff)
		}
	}
	if err := executors.CheckMeasured(r); err != nil {
		tb.Errorf("%v for %s", err, query)
	}
	a, err := s.answer(r.Status, r.Body, estimate)
	fatal.If(tb, err)
	return a
}

// requests returns the lines of the proxy's log in a fixed order.
func (s *Service) requests() string {
	log := s.Proxy.Log()
	slices.Sort(log)
	return strings.Join(append(log, ""), "\n")
}
