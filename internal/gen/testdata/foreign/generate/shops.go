package main

import "fmt"

// shops: place and ID are joined by : in the sort key of an index. The brand's ID is only in the keys of this index.
// A city contains the delimiter, and two countries differ only in case.
//
// Indexes: place-index (brand_key, place), INCLUDE country, region and town.
func shops() []item {
	var items []item
	for _, brand := range []struct{ id, name string }{{"tea", "Tea & Sons"}, {"cup", "Cup"}, {"void", "No shop yet"}} {
		items = append(items, item{
			"pk": textf("BRAND:%s", brand.id), "sk": textf("BRAND:%s", brand.id), "kind": text("B"),
			"brand_name": text(brand.name),
		})
	}
	places := [][3]string{
		{"DE", "BE", "Berlin"}, {"DE", "BY", "Augsburg"}, {"DE", "BY", "Munich"}, {"FR", "BRE", "Saint:Malo"},
		{"US", "NY", "York"}, {"US", "NY", "Yorktown"}, {"US", "CA", "Alameda"}, {"Us", "NY", "York"}, {"DE", "BY", "Munich"},
	}
	for n := range 70 {
		p, brand := places[n*n%len(places)], []string{"tea", "tea", "cup"}[n%3]
		if n >= 60 {
			p = places[n%len(places)]
		}
		id := fmt.Sprintf("s%03d", n)
		items = append(items, item{
			"pk": textf("SHOP:%s", id), "sk": textf("SHOP:%s", id), "kind": text("S"),
			"country": text(p[0]), "region": text(p[1]), "town": text(p[2]),
			"street":    textf("High Street %d", n),
			"brand_key": textf("BRAND:%s", brand), "place": textf("%s:%s:%s:%s", p[0], p[1], p[2], id),
		})
	}
	return items
}
