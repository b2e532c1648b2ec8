package systems

import (
	"fmt"
	"testing"

	"github.com/partita/partita/keys"

	"systems/employees/graph"
	"systems/employees/graph/model"
	"systems/employees/resolvers"
	"systems/employees/typed"
)

func TestEmployees(t *testing.T) {
	ada, bob, eve := keys.NewID("Employee", "ada"), keys.NewID("Employee", "bob"), keys.NewID("Employee", "eve")
	// One more than the list may hold.
	var titles []*model.HeldTitle
	for i := range 41 {
		since := keys.CalendarDate(fmt.Sprintf("%d-05-01", 1970+i))
		titles = append(titles, &model.HeldTitle{EmployeeID: eve, Title: "Captain", Since: since})
	}
	runQueries(t, "employees", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}), typed.Design,
		storedItems(t, typed.StoredEmployee,
			&model.Employee{
				ID: ada, GivenName: "Ada", Surname: "Young", State: "NY", City: "York",
				Title: "Engineer", HiredOn: "2024-05-01",
			},
			&model.Employee{
				ID: bob, GivenName: "Bob", Surname: "Young", State: "NY", City: "Yorktown",
				Title: "Engineer", HiredOn: "2020-01-01",
			},
			&model.Employee{
				ID: eve, GivenName: "Eve", Surname: "Zane", State: "CA", City: "Alameda",
				Title: "Captain", HiredOn: "2024-05-01",
			}),
		storedItems(t, typed.StoredHeldTitle,
			&model.HeldTitle{EmployeeID: ada, Title: "Intern", Since: "2024-05-01"},
			&model.HeldTitle{EmployeeID: ada, Title: "Engineer", Since: "2025-01-01"},
			&model.HeldTitle{EmployeeID: bob, Title: "Engineer", Since: "2020-01-01"}),
		storedItems(t, typed.StoredHeldTitle, titles...),
	)
}
