package crowdtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"

	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/viewer"
)

// Sender sends the mutations of one writer, one after the other. An attempt without an answer may have been carried
// out, so each is sent again until there is one.
type Sender struct {
	// Name is different for each of the senders that belong together, and Random follows from it and the seed.
	Name   string
	Random *rand.Rand
	// Services get the attempts in turn.
	Services []*Service
	// Serial is how many names Next has returned.
	Serial int

	client *http.Client
	// answered and again count mutations, and attempts beyond one of each.
	answered, again int
}

// NewSenders returns n senders to services.
func NewSenders(n int, services ...*Service) []*Sender {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: n}}
	all := make([]*Sender, n)
	for i := range all {
		all[i] = &Sender{
			Name:     fmt.Sprintf("writer%d", i),
			Random:   rand.New(rand.NewPCG(soak.Seed, uint64(i)+1)),
			Services: services, client: client,
		}
	}
	return all
}

// Summary returns how much senders have done.
func Summary(all []*Sender) string {
	answered, again := 0, 0
	for _, s := range all {
		answered += s.answered
		again += s.again
	}
	return fmt.Sprintf("%d mutations were answered; %d attempts had no answer", answered, again)
}

// Next returns a name that no sender has used.
func (s *Sender) Next(what string) string {
	s.Serial++
	return fmt.Sprintf("%s-%s%d", s.Name, what, s.Serial)
}

// LostError means that there is no answer.
type LostError struct{ error }

// Mutation is a document whose only root field has the alias m, with its variables, and who sends it.
type Mutation struct {
	Document  string
	Variables map[string]any
	As        viewer.Viewer
}

// Mutate sends a mutation until there is an answer, and decodes its payload. If doubt is true, an earlier attempt had
// none and may have been carried out.
func (s *Sender) Mutate(ctx context.Context, m Mutation, payload any) (doubt bool, err error) {
	for {
		err = s.Attempt(ctx, m, payload)
		var lost *LostError
		if !errors.As(err, &lost) {
			s.answered++
			return doubt, err
		}
		doubt = true
		s.again++
	}
}

// Attempt sends a mutation once. The error is a LostError if there is no answer.
func (s *Sender) Attempt(ctx context.Context, m Mutation, payload any) error {
	url, err := s.Services[(s.answered+s.again)%len(s.Services)].attempt(ctx)
	if err != nil {
		return err
	}
	body, err := json.Marshal(map[string]any{"query": m.Document, "variables": m.Variables})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/graphql", bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	if err := processtest.SignIn(request, m.As); err != nil {
		return err
	}
	response, err := s.client.Do(request)
	if err != nil {
		return lost(ctx, err)
	}
	defer func() { _ = response.Body.Close() }()
	var r reply
	if err := json.NewDecoder(response.Body).Decode(&r); err != nil {
		return lost(ctx, err)
	}
	return r.payload(ctx, m, payload)
}

// reply is the answer to a mutation.
type reply struct {
	Data   struct{ M json.RawMessage }
	Errors []struct {
		Message    string
		Extensions struct{ Code string }
	}
}

// payload decodes the payload of a reply.
func (r reply) payload(ctx context.Context, m Mutation, into any) (err error) {
	for _, e := range r.Errors {
		if e.Extensions.Code != "UNAVAILABLE" && e.Extensions.Code != "THROTTLED" {
			return fmt.Errorf("%v: %s: %s", m.Variables, e.Extensions.Code, e.Message)
		}
		err = lost(ctx, errors.New(e.Message))
	}
	if err != nil {
		return err
	}
	if len(r.Data.M) == 0 || string(r.Data.M) == "null" {
		return fmt.Errorf("%v: no payload", m.Variables)
	}
	return json.Unmarshal(r.Data.M, into)
}

func lost(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &LostError{err}
}
