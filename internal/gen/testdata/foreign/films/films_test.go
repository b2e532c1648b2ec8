package systems

import (
	"testing"

	"github.com/partita/partita/systems/foreign/films/graph"
	"github.com/partita/partita/systems/foreign/films/graph/model"
	"github.com/partita/partita/systems/foreign/films/resolvers"
	"github.com/partita/partita/systems/foreign/films/typed"
)

func TestForeignFilms(t *testing.T) {
	f := startForeign(t, "films", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}),
		typed.Design, filmsObject)
	of := func(field, arguments, attribute string, from, to float64) connection {
		return connection{
			query: "{ " + field + "(" + arguments + ", PAGE) SELECTION }",
			holds: func(r raw) bool {
				return r[attribute] != nil && from <= r.number(attribute) && r.number(attribute) <= to
			},
			sortKey: func(r raw) string { return inOrder(r.number(attribute)) },
		}
	}
	inYear := func(c connection, year string) connection {
		holds := c.holds
		c.holds = func(r raw) bool { return r.text("year") == year && holds(r) }
		return c
	}
	titles := func(year, arguments, from, to string) connection {
		return connection{
			query: "{ films(year: " + year + arguments + ", PAGE) SELECTION }",
			holds: func(r raw) bool {
				return r.text("year") == year && from <= r.text("title") && r.text("title") <= to
			},
			sortKey: attribute("title"),
		}
	}
	best := func(year, arguments string, from, to float64) connection {
		c := inYear(of("bestFilms", "year: "+year+arguments, "rating", from, to), year)
		c.descending = true
		return c
	}
	by := func(director, arguments string, from, to float64) connection {
		c := of("filmsBy", `director: "`+director+`"`+arguments, "year", from, to)
		holds := c.holds
		c.holds = func(r raw) bool { return r.text("director") == director && holds(r) }
		return c
	}
	f.check(t,
		titles("2013", "", "", "~"), titles("-44", "", "", "~"), titles("44", "", "", "~"),
		titles("2013", `, title: {from: "b", to: "d"}`, "b", "d"),
		best("2013", "", 0, 10), best("987", "", 0, 10), best("2013", ", rating: {from: 1.5, to: 4}", 1.5, 4),
		by("Ron Howard", "", -1e9, 1e9), by("D. B. #2", "", -1e9, 1e9),
		by("Ron Howard", ", year: {from: -100, to: 987}", -100, 987))
	f.checkWrites(t, writes("Film", model.NewFilm, typed.StoredFilm))
	f.runMutations(t)
	checkTable(t, f)
}

// filmsObject returns the object of an item.
func filmsObject(r raw) object {
	return object{
		"__typename": "Film", "id": id("Film", r.text("year"), r.text("title")), "year": r.number("year"),
		"title": r.text("title"), "rating": r.numberOrNull("rating"), "director": r.orNull("director"),
		"plot": r.text("plot"), "minutes": r.number("running_time"),
	}
}
