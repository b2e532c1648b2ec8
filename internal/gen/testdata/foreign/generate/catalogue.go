package main

import (
	"fmt"
	"time"
)

// catalogue: an index on two ordinary attributes, one a Number, with equal prices. Time and author of a review are
// only in its key. A product that is not for sale has no category.
//
// Indexes: category-price-index (category, price), KEYS_ONLY.
func catalogue() []item {
	categories := []string{"drinks", "cups", "drinks", "food"}
	var items []item
	for n := range 44 {
		sku, reviews := fmt.Sprintf("p-%03d", n), n*n%7
		product := item{
			"partitionKey": textf("PRODUCT#%s", sku), "sortKey": textf("PRODUCT#%s", sku), "entity": text("PROD"),
			"title": textf("Product %d", n), "price": number(100 * (n % 9)),
			"features": list("light", fmt.Sprint("colour ", n%5)),
			"rev":      number(1 + n%4), "review_count": number(reviews),
		}
		if n%11 != 10 {
			product["category"] = text(categories[n%len(categories)])
		}
		items = append(items, product)
		for r := range reviews {
			at := march.Add(time.Duration(r/2) * time.Hour).UnixMilli()
			items = append(items, item{
				"partitionKey": textf("PRODUCT#%s", sku), "sortKey": textf("REVIEW#%d#%s", at, names[(n+r)%len(names)]),
				"entity": text("REV"), "stars": number(1 + (n+r)%5),
			})
		}
	}
	return items
}
