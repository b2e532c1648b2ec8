package main

import "fmt"

// films: a Number and a String are the key, and no attribute has the type. Years are of one to four digits, one is
// negative. Some films have no rating or no director, and some ratings of a year are equal.
//
// Indexes: RatingIndex (year, rating), local; DirectorIndex (director, year), KEYS_ONLY.
func films() []item {
	directors := []string{"Ron Howard", "Alfonso Cuarón", "D. B. #2", "Ron Howard"}
	years := []int{2013, 2013, 2010, 987, 2013, -44, 7}
	var items []item
	for n := range 60 {
		film := item{
			"year": number(years[n%len(years)]), "title": textf("%s %d (%d)", names[n%len(names)], n/2, n),
			"running_time": number(60 + n), "plot": text(fmt.Sprint("What happens in film ", n, ".")),
		}
		if n%5 > 0 {
			film["rating"] = number(0.5 * float64(n%11))
		}
		if n%9 != 8 {
			film["director"] = text(directors[n%len(directors)])
		}
		items = append(items, film)
	}
	return items
}
