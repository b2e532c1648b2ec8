package crowd

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/partita/partita/internal/crowdtest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

type input map[string]any

// object is an object in a payload.
type object struct {
	ID      string
	Version int
}

// payload is that of any mutation.
type payload struct {
	User, Order, Member, Note object
	Follow                    *struct{ FollowedAt string }
	UserErrors                []struct{ Code string }
}

// codes are those of the user errors, "" for success.
func (p payload) codes() string {
	var codes []string
	for _, e := range p.UserErrors {
		codes = append(codes, e.Code)
	}
	return strings.Join(codes, " ")
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

// mutation returns a mutation with its input.
func mutation(document string, in input) crowdtest.Mutation {
	in, as := in.actor()
	return crowdtest.Mutation{Document: document, Variables: map[string]any{"input": in}, As: as}
}

// mutate sends a mutation until there is an answer.
func mutate(ctx context.Context, s *crowdtest.Sender, document string, in input) (p payload, doubt bool, err error) {
	doubt, err = s.Mutate(ctx, mutation(document, in), &p)
	return p, doubt, err
}

// expect checks the answer against what can be: success, or that an attempt
// before was one, when there is doubt about that.
func expect(p payload, doubt bool, already string) error {
	switch codes := p.codes(); {
	case codes == "", doubt && codes == already:
		return nil
	case codes == already:
		return fmt.Errorf("%s, although no attempt was without an answer", codes)
	default:
		return errors.New(codes)
	}
}
