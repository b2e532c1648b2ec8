package systems

import (
	"testing"
	"time"

	"github.com/partita/partita/keys"

	"systems/teams/graph"
	"systems/teams/graph/model"
	"systems/teams/resolvers"
	"systems/teams/typed"
)

func TestTeams(t *testing.T) {
	red, blue := keys.NewID("Team", "red"), keys.NewID("Team", "blue")
	ada, bob := keys.NewID("Person", "ada"), keys.NewID("Person", "bob")
	joined := time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC)
	runQueries(t, "teams", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}), typed.Design,
		storedItems(t, typed.StoredTeam,
			&model.Team{ID: red, Name: "Red", MemberCount: 2},
			&model.Team{ID: blue, Name: "Blue", MemberCount: 1}),
		storedItems(t, typed.StoredPerson, &model.Person{ID: ada, Name: "Ada"}, &model.Person{ID: bob, Name: "Bob"}),
		storedItems(t, typed.StoredMembership,
			&model.Membership{TeamID: red, PersonID: ada, JoinedAt: joined},
			&model.Membership{TeamID: red, PersonID: bob, JoinedAt: joined.AddDate(0, 1, 0)},
			&model.Membership{TeamID: blue, PersonID: ada, JoinedAt: joined.AddDate(0, 2, 0)}),
	)
}
