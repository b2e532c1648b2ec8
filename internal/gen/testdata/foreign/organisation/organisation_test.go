package systems

import (
	"strings"
	"testing"

	"github.com/partita/partita/systems/foreign/organisation/graph"
	"github.com/partita/partita/systems/foreign/organisation/graph/model"
	"github.com/partita/partita/systems/foreign/organisation/resolvers"
	"github.com/partita/partita/systems/foreign/organisation/typed"
)

func TestForeignOrganisation(t *testing.T) {
	f := startForeign(t, "organisation", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}),
		typed.Design, organisationObject)
	people := func(org, code string) connection {
		return connection{
			query: `{ department(orgId: <Organisation:` + org + `>, code: "` + code + `") { people(PAGE) SELECTION } }`,
			holds: begins("pk", "ORG/"+org, "sk", "DEPT/"+code+"/USER/"), sortKey: attribute("sk"),
		}
	}
	contents := func(org, code string) connection {
		key := "DEPT/" + code
		return connection{
			query: `{ departmentContents(orgId: <Organisation:` + org + `>, code: "` + code + `", PAGE) SELECTION }`,
			holds: func(r raw) bool {
				sk := r.text("sk")
				return r.text("pk") == "ORG/"+org && (sk == key || strings.HasPrefix(sk, key+"/"))
			},
			sortKey: attribute("sk"),
		}
	}
	reports := func(manager string) connection {
		return connection{
			query: `{ person(userId: "` + manager + `") { reports(PAGE) SELECTION } }`,
			holds: begins("manager_id", manager), sortKey: attribute("family"),
		}
	}
	f.check(t,
		people("acme", "eng"), people("acme", "eng-ops"), people("acme", "law"), people("globex", "eng"),
		contents("acme", "eng"), contents("acme", "eng-ops"), contents("acme", "law"), contents("globex", "sales"),
		reports("aaa"), reports("aab"), reports("abb"), reports("gaa"))
	f.checkWrites(t,
		writes("Organisation", model.NewOrganisation, typed.StoredOrganisation),
		writes("Department", model.NewDepartment, typed.StoredDepartment),
		writes("Person", model.NewPerson, typed.StoredPerson))
}

// organisationObject returns the object of an item.
func organisationObject(r raw) object {
	org := cut(r.text("pk"), "ORG/")
	switch path := strings.Split(r.text("sk"), "/"); len(path) {
	case 4:
		return object{
			"__typename": "Person", "id": id("Person", org, path[1], path[3]), "userId": path[3],
			"givenName": r.text("given"), "surname": r.text("family"), "room": r.orNull("room"),
			"orgId": id("Organisation", org), "departmentCode": path[1], "managerId": r.orNull("manager_id"),
		}
	default:
		if path[0] == "ORG" {
			return object{"__typename": "Organisation", "id": id("Organisation", org), "name": r.text("display_name")}
		}
		return object{
			"__typename": "Department", "id": id("Department", org, path[1]), "orgId": id("Organisation", org),
			"code": path[1], "name": r.text("display_name"), "headcount": r.number("headcount"),
		}
	}
}
