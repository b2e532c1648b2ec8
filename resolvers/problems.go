package resolvers

import (
	"context"

	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
	"github.com/partita/partita/write"
)

// problems collects user errors. Its methods check a value by a rule of the shop and add an error under the name of
// the field.
type problems struct{ write.UserErrors }

// viewer returns the id of the user who acts, and the user's key.
func (p *problems) viewer(ctx context.Context) (keys.ID, keys.Key) {
	id := keys.NewID("User", viewer.FromContext(ctx).ID)
	key, err := typed.UserKey(id)
	if err != nil {
		p.noViewer()
	}
	return id, key
}

// noViewer adds the error for a viewer who does not exist.
func (p *problems) noViewer() {
	p.Add(write.CodeNotFound, "", "there is no User with the id that you are signed in with")
}
