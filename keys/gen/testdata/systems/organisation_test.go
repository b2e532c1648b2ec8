package systems

import (
	"slices"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"

	"systems/organisation/graph"
	"systems/organisation/graph/model"
	"systems/organisation/resolvers"
	"systems/organisation/typed"
)

func TestOrganisation(t *testing.T) {
	globex := keys.NewID("Organisation", "globex")
	// Between department 1 and its people sort "1 A" and others, which have no '#' after the 1.
	var staff [][]item.Item
	for _, code := range []string{"1", "1 A", "1!", "1$", "10"} {
		staff = append(staff, storedItems(t, typed.StoredDepartment, &model.Department{OrgID: globex, Code: code, Name: "No. " + code}))
		for _, name := range []string{"Cy", "Di", "Eve"} {
			staff = append(staff, storedItems(t, typed.StoredPerson, &model.Person{
				ID: keys.NewID("Person", name+"-"+code), GivenName: name, Surname: "Z", OrgID: globex, DepartmentCode: code,
			}))
		}
	}
	acme, ada, bob := keys.NewID("Organisation", "acme"), keys.NewID("Person", "ada"), keys.NewID("Person", "bob")
	runQueries(t, "organisation", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}), typed.Design,
		storedItems(t, typed.StoredOrganisation, &model.Organisation{ID: acme, Name: "Acme"}),
		storedItems(t, typed.StoredDepartment,
			&model.Department{OrgID: acme, Code: "it", Name: "Computers", Headcount: 2},
			&model.Department{OrgID: acme, Code: "hr", Name: "People"}),
		storedItems(t, typed.StoredPerson,
			&model.Person{ID: ada, GivenName: "Ada", Surname: "Young", OrgID: acme, DepartmentCode: "it"},
			&model.Person{ID: bob, GivenName: "Bob", Surname: "Youngman", OrgID: acme, DepartmentCode: "it", ManagerID: &ada}),
		slices.Concat(staff...),
	)
}
