package systems

import (
	"testing"

	"github.com/partita/partita/keys"

	"systems/organisation/graph"
	"systems/organisation/graph/model"
	"systems/organisation/resolvers"
	"systems/organisation/typed"
)

func TestOrganisation(t *testing.T) {
	acme, ada, bob := keys.NewID("Organisation", "acme"), keys.NewID("Person", "ada"), keys.NewID("Person", "bob")
	runQueries(t, "organisation", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}), typed.Design,
		storedItems(t, typed.StoredOrganisation, &model.Organisation{ID: acme, Name: "Acme"}),
		storedItems(t, typed.StoredDepartment,
			&model.Department{OrgID: acme, Code: "it", Name: "Computers", Headcount: 2},
			&model.Department{OrgID: acme, Code: "hr", Name: "People"}),
		storedItems(t, typed.StoredPerson,
			&model.Person{ID: ada, GivenName: "Ada", Surname: "Young", OrgID: acme, DepartmentCode: "it"},
			&model.Person{ID: bob, GivenName: "Bob", Surname: "Youngman", OrgID: acme, DepartmentCode: "it", ManagerID: &ada}),
	)
}
