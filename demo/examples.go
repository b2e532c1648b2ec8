package demo

import (
	_ "embed"
	"strings"

	"github.com/partita/partita/app"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// Viewer returns the viewer of the playground: Ada, with access to everything.
func Viewer() viewer.Viewer { return viewer.Viewer{ID: Ada().Value(), Roles: []string{"ADMIN"}} }

// Identities returns those among which a visitor of the playground can choose.
func Identities() []app.Identity {
	s := newShop()
	ada, other, staff := s.user(0), s.user(1), s.user(2)
	return []app.Identity{
		{
			Name: "Ada, ADMIN", Description: "Ada Lovelace, who may also see what is for staff: every example works.",
			Viewer: Viewer(),
		},
		{
			Name: "owner", Description: "Ada Lovelace as a customer: sees her own orders and e-mail address.",
			Viewer: viewer.Viewer{ID: ada.ID.Value()},
		},
		{
			Name: "other user", Description: other.Name + ", another customer: sees only what is public of Ada.",
			Viewer: viewer.Viewer{ID: other.ID.Value()},
		},
		{
			Name: "staff", Description: staff.Name + ", who packs and ships with the role ADMIN.",
			Viewer: viewer.Viewer{ID: staff.ID.Value(), Roles: []string{"ADMIN"}},
		},
		{Name: "anonymous", Description: "Not signed in: sees what is public."},
	}
}

// Query returns the examples in the playground, each of which is a tab: every access pattern of the shop, mutations, a
// conflict, live fields, and a query that is too expensive.
func Query() string {
	s := newShop()
	s.fill()
	var order, line string
	for i, o := range s.orders {
		if o.UserID == s.users[0].ID && o.ItemCount > 2 {
			order = s.orders[i].ID.Encode()
			line = keys.NewID("Item", o.ID.Value(), "1").Encode()
			break
		}
	}
	followee := s.follows[0].FolloweeID
	return strings.NewReplacer(
		"{ada}", s.users[0].ID.Encode(), "{order}", order, "{line}", line, "{followee}", followee.Encode(),
		"{follow}", s.follows[0].ID.Encode(), "{stranger}", s.users[Shoppers].ID.Encode(),
	).Replace(examples)
}

//go:embed examples.graphql
var examples string
