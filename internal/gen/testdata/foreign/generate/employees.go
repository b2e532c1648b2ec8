package main

import "time"

// employees: three items for each employee, so that one index serves three orders. The ID is only in keys, after
// a literal that is no segment of its own: E-1001. Segments are joined by |. Days are dates, the grade is a text.
//
// Indexes: gsi-1 (gsi1_hash, gsi1_range), all attributes.
func employees() []item {
	states := []struct{ state, city string }{
		{"NY", "York"}, {"NY", "Yorktown"}, {"CA", "Alameda"}, {"CA", "Berkeley"}, {"WA", "Seattle"},
	}
	titles := []string{"Engineer", "Manager", "Analyst"}
	surnames := []string{"Young", "Zane", "de la Cruz", "Ito"}
	var items []item
	for n := range 30 {
		id, place, title := 1001+n, states[n%len(states)], titles[n%len(titles)]
		hired := time.Date(2018+n%4, time.May, 1, 0, 0, 0, 0, time.UTC)
		surname, given := surnames[n*n%len(surnames)], names[n%len(names)]
		employee := item{
			"hash": textf("E-%d", id), "_et": text("EMP"), "first": text(given), "last": text(surname),
			"state": text(place.state), "city": text(place.city), "title": text(title),
			"hired": text(hired.Format(time.DateOnly)), "grade": digits(n % 12),
		}
		items = append(items,
			employee.with(item{
				"range": text("PROFILE"), "gsi1_hash": textf("STATE|%s", place.state),
				"gsi1_range": textf("%s|%d", place.city, id),
			}),
			employee.with(item{
				"range": text("BY_TITLE"), "gsi1_hash": textf("TITLE|%s", title),
				"gsi1_range": textf("%s|%d", hired.Format(time.DateOnly), id),
			}),
			employee.with(item{
				"range": text("BY_NAME"), "gsi1_hash": textf("NAME|%s", surname), "gsi1_range": textf("%s|%d", given, id),
			}))
		for held := range 1 + n%3 {
			since := hired.AddDate(held, held, 0).Format(time.DateOnly)
			heldTitle := titles[(n+held)%len(titles)]
			items = append(items, item{
				"hash": textf("E-%d", id), "range": textf("HELD|%s", since), "_et": text("HELD"), "title": text(heldTitle),
				"gsi1_hash": textf("HELD|%s", heldTitle), "gsi1_range": textf("%s|%d", since, id),
			})
		}
	}
	return items
}
