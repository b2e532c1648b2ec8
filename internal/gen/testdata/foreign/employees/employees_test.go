package systems

import (
	"strings"
	"testing"

	"github.com/partita/partita/systems/foreign/employees/graph"
	"github.com/partita/partita/systems/foreign/employees/graph/model"
	"github.com/partita/partita/systems/foreign/employees/resolvers"
	"github.com/partita/partita/systems/foreign/employees/typed"
)

func TestForeignEmployees(t *testing.T) {
	f := startForeign(t, "employees", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}),
		typed.Design, employeesObject)
	byIndex := func(query, pk, sk string) connection {
		return connection{
			query: "{ " + query + " SELECTION }", holds: begins("gsi1_hash", pk, "gsi1_range", sk),
			sortKey: attribute("gsi1_range"), node: employee,
		}
	}
	holders := connection{
		query: `{ titleHolders(title: "Manager", PAGE) SELECTION }`,
		holds: begins("gsi1_hash", "HELD|Manager"), sortKey: attribute("gsi1_range"),
		edge: func(r raw) object { return object{"since": day(strings.Split(r.text("gsi1_range"), "|")[0])} },
		node: func(r raw) object {
			for _, other := range f.items {
				if other.text("hash") == r.text("hash") && other.text("range") == "PROFILE" {
					return employee(other)
				}
			}
			return nil
		},
	}
	recent := holders
	recent.query = `{ titleHolders(title: "Manager", since: {from: "2020-01-01T00:00:00Z"}, PAGE) SELECTION }`
	recent.holds = func(r raw) bool { return holders.holds(r) && r.text("gsi1_range") >= "2020" }
	hired := byIndex(`employeesByTitle(title: "Analyst", hiredOn: {to: "2020-05-01T11:00:00Z"}, PAGE)`, "TITLE|Analyst", "")
	isAnalyst := hired.holds
	hired.holds = func(r raw) bool { return isAnalyst(r) && r.text("hired") <= "2020-05-01" }
	f.check(t,
		byIndex(`employeesByState(state: "NY", PAGE)`, "STATE|NY", ""),
		byIndex(`employeesByState(state: "NY", city: "York", PAGE)`, "STATE|NY", "York|"),
		byIndex(`employeesByState(state: "N", PAGE)`, "STATE|N|", ""),
		byIndex(`employeesByTitle(title: "Engineer", PAGE)`, "TITLE|Engineer", ""),
		hired,
		byIndex(`employeesByName(surname: "de la Cruz", PAGE)`, "NAME|de la Cruz", ""),
		byIndex(`employeesByName(surname: "Young", givenName: "cleo", PAGE)`, "NAME|Young", "cleo|"),
		holders, recent)
	f.checkWrites(t,
		writes("Employee", model.NewEmployee, typed.StoredEmployee),
		writes("HeldTitle", model.NewHeldTitle, typed.StoredHeldTitle))
}

// employeesObject returns the object of a base item.
func employeesObject(r raw) object {
	employeeID := cut(r.text("hash"), "E-")
	if since, isHeld := strings.CutPrefix(r.text("range"), "HELD|"); isHeld {
		return object{
			"__typename": "HeldTitle", "id": id("HeldTitle", employeeID, utc(since)),
			"employeeId": id("Employee", employeeID), "title": r.text("title"), "since": day(since),
		}
	}
	if r.text("range") != "PROFILE" {
		return nil
	}
	return employee(r)
}

// employee returns the employee of a base item or a copy.
func employee(r raw) object {
	return object{
		"__typename": "Employee", "id": id("Employee", cut(r.text("hash"), "E-")), "givenName": r.text("first"),
		"surname": r.text("last"), "state": r.text("state"), "city": r.text("city"), "title": r.text("title"),
		"hiredOn": day(r.text("hired")), "grade": r.number("grade"),
	}
}
