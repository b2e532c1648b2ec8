package crowd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"strings"

	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// sender sends the mutations of one writer, one after the other. An attempt without an answer may have been carried
// out, so each is sent again until there is one.
type sender struct {
	*service
	client *http.Client
	name   string
	random *rand.Rand
	serial int

	// answered and again count mutations, and attempts beyond one of each.
	answered, again int
}

func newSenders(s *service, n int) []*sender {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: n}}
	all := make([]*sender, n)
	for i := range all {
		all[i] = &sender{
			service: s, client: client,
			name:   fmt.Sprintf("writer%d", i),
			random: rand.New(rand.NewPCG(soak.Seed, uint64(i)+1)),
		}
	}
	return all
}

// summary returns how much senders have done.
func summary(all []*sender) string {
	answered, again := 0, 0
	for _, s := range all {
		answered += s.answered
		again += s.again
	}
	return fmt.Sprintf("%d mutations were answered; %d attempts had no answer", answered, again)
}

type input map[string]any

// object is an object in a payload.
type object struct {
	ID      string
	Version int
}

// reply is the answer to a mutation.
type reply struct {
	Data struct {
		M *struct {
			User, Order, Member, Note object
			Follow                    *struct{ FollowedAt string }
			UserErrors                []struct{ Code string }
		}
	}
	Errors []struct {
		Message    string
		Extensions struct{ Code string }
	}
}

// codes are those of the user errors, "" for success.
func (r reply) codes() string {
	var codes []string
	for _, e := range r.Data.M.UserErrors {
		codes = append(codes, e.Code)
	}
	return strings.Join(codes, " ")
}

// next returns a name that no writer has used.
func (s *sender) next(what string) string {
	s.serial++
	return fmt.Sprintf("%s-%s%d", s.name, what, s.serial)
}

// mutate sends the mutation until there is an answer. If doubt is true, an earlier attempt had none and may have been
// carried out.
func (s *sender) mutate(ctx context.Context, mutation string, in input) (r reply, doubt bool, err error) {
	for {
		r, err = s.send(ctx, mutation, in)
		var lost *lostError
		if !errors.As(err, &lost) {
			s.answered++
			return r, doubt, err
		}
		doubt = true
		s.again++
	}
}

// actor returns the input without its userId and the viewer who sends it: that user, or an ADMIN if there is none.
func (in input) actor() (input, viewer.Viewer) {
	text, isUser := in["userId"].(string)
	if !isUser {
		return in, viewer.Viewer{ID: "admin", Roles: []string{"ADMIN"}}
	}
	sent := maps.Clone(in)
	delete(sent, "userId")
	id, _ := keys.ParseID(text)
	return sent, viewer.Viewer{ID: id.Value()}
}

// lostError means that there is no answer.
type lostError struct{ error }

func (s *sender) send(ctx context.Context, mutation string, in input) (r reply, err error) {
	in, as := in.actor()
	body, err := json.Marshal(map[string]any{"query": mutation, "variables": map[string]any{"input": in}})
	if err != nil {
		return r, err
	}
	url, err := s.attempt(ctx)
	if err != nil {
		return r, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/graphql", bytes.NewReader(body))
	if err != nil {
		return r, err
	}
	request.Header.Set("Content-Type", "application/json")
	if err := processtest.SignIn(request, as); err != nil {
		return r, err
	}
	response, err := s.client.Do(request)
	if err != nil {
		return r, lost(ctx, err)
	}
	defer func() { _ = response.Body.Close() }()
	if err := json.NewDecoder(response.Body).Decode(&r); err != nil {
		return r, lost(ctx, err)
	}
	for _, e := range r.Errors {
		if e.Extensions.Code != "UNAVAILABLE" {
			return r, fmt.Errorf("%v: %s: %s", in, e.Extensions.Code, e.Message)
		}
		err = lost(ctx, errors.New(e.Message))
	}
	if err == nil && r.Data.M == nil {
		err = fmt.Errorf("%v: no payload", in)
	}
	return r, err
}

func lost(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &lostError{err}
}

// expect checks the answer against what can be: success, or that an attempt
// before was one, when there is doubt about that.
func expect(r reply, doubt bool, already string) error {
	switch codes := r.codes(); {
	case codes == "", doubt && codes == already:
		return nil
	case codes == already:
		return fmt.Errorf("%s, although no attempt was without an answer", codes)
	default:
		return errors.New(codes)
	}
}
