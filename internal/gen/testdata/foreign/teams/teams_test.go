package systems

import (
	"strings"
	"testing"

	"github.com/partita/partita/systems/foreign/teams/graph"
	"github.com/partita/partita/systems/foreign/teams/graph/model"
	"github.com/partita/partita/systems/foreign/teams/resolvers"
	"github.com/partita/partita/systems/foreign/teams/typed"
)

func TestForeignTeams(t *testing.T) {
	f := startForeign(t, "teams", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}),
		typed.Design, teamsObject)
	joined := func(r raw) object { return object{"joinedAt": epoch(r.number("joined"))} }
	owner := func(attribute string) func(raw) object {
		return func(r raw) object {
			for _, other := range f.items {
				if other.text("pk") == r.text(attribute) && other.text("sk") == r.text(attribute) {
					return teamsObject(other)
				}
			}
			return nil
		}
	}
	members := func(team string) connection {
		return connection{
			query: "{ team(id: <Team:" + team + ">) { members(PAGE) SELECTION } }",
			holds: begins("pk", "TEAM#"+team, "sk", "USER#-"), sortKey: attribute("sk"), edge: joined, node: owner("sk"),
		}
	}
	teams := func(person string) connection {
		return connection{
			query: "{ person(id: <Person:" + person + ">) { teams(PAGE) SELECTION } }",
			holds: begins("sk", "USER#-"+person, "pk", "TEAM#"), sortKey: attribute("pk"), edge: joined, node: owner("pk"),
		}
	}
	f.check(t, members("t0"), members("t1"), members("t5"), members("t6"), teams("u00"), teams("u11"), teams("u17"))
	f.checkWrites(t,
		writes("Team", model.NewTeam, typed.StoredTeam),
		writes("Person", model.NewPerson, typed.StoredPerson),
		writes("Membership", model.NewMembership, typed.StoredMembership))
}

// teamsObject returns the object of an item.
func teamsObject(r raw) object {
	if person, isPerson := strings.CutPrefix(r.text("pk"), "USER#-"); isPerson {
		return object{"__typename": "Person", "id": id("Person", person), "name": r.text("name")}
	}
	team := cut(r.text("pk"), "TEAM#")
	if r.text("pk") == r.text("sk") {
		return object{
			"__typename": "Team", "id": id("Team", team), "name": r.text("label"), "memberCount": r.number("size"),
		}
	}
	person := cut(r.text("sk"), "USER#-")
	return object{
		"__typename": "Membership", "id": id("Membership", team, person), "teamId": id("Team", team),
		"personId": id("Person", person), "joinedAt": epoch(r.number("joined")),
	}
}
