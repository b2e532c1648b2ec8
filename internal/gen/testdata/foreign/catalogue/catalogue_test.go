package systems

import (
	"strings"
	"testing"

	"github.com/partita/partita/systems/foreign/catalogue/graph"
	"github.com/partita/partita/systems/foreign/catalogue/graph/model"
	"github.com/partita/partita/systems/foreign/catalogue/resolvers"
	"github.com/partita/partita/systems/foreign/catalogue/typed"
)

func TestForeignCatalogue(t *testing.T) {
	f := startForeign(t, "catalogue", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}),
		typed.Design, catalogueObject)
	byPrice := func(category, arguments string, from, to float64) connection {
		return connection{
			query: `{ productsByCategory(category: "` + category + `", ` + arguments + "PAGE) SELECTION }",
			holds: func(r raw) bool {
				return r.text("category") == category && from <= r.number("price") && r.number("price") <= to
			},
			sortKey: attribute("price"),
		}
	}
	reviews := func(sku string) connection {
		return connection{
			query: `{ product(sku: "` + sku + `") { reviews(PAGE) SELECTION } }`,
			holds: begins("partitionKey", "PRODUCT#"+sku, "sortKey", "REVIEW#"), sortKey: attribute("sortKey"), descending: true,
		}
	}
	since := reviews("p-003")
	since.query = `{ product(sku: "p-003") { reviews(at: {from: "2026-03-01T12:00:00.001Z"}, PAGE) SELECTION } }`
	since.holds = begins("partitionKey", "PRODUCT#p-003", "sortKey", "REVIEW#1772370000000")
	f.check(t,
		byPrice("drinks", "", 0, 1e9), byPrice("food", "", 0, 1e9), byPrice("drink", "", 0, 1e9),
		byPrice("drinks", "price: {from: 200, to: 600}, ", 200, 600), byPrice("cups", "price: {to: 99}, ", 0, 99),
		reviews("p-003"), reviews("p-007"), since)
	f.checkWrites(t,
		writes("Product", model.NewProduct, typed.StoredProduct),
		writes("Review", model.NewReview, typed.StoredReview))
}

// catalogueObject returns the object of an item.
func catalogueObject(r raw) object {
	sku := cut(r.text("partitionKey"), "PRODUCT#")
	if r.text("entity") == "PROD" {
		var features []any
		for _, f := range r["features"]["L"].([]any) {
			features = append(features, f.(map[string]any)["S"])
		}
		return object{
			"__typename": "Product", "id": id("Product", sku), "sku": sku, "name": r.text("title"),
			"category": r.orNull("category"), "price": r.number("price"), "features": features,
			"version": r.number("rev"), "reviewCount": r.number("review_count"),
		}
	}
	parts := strings.Split(r.text("sortKey"), "#")
	at := epoch(float(parts[1]) / 1000)
	return object{
		"__typename": "Review", "id": id("Review", sku, utc(at), parts[2]), "sku": sku, "at": at, "author": parts[2],
		"stars": r.number("stars"),
	}
}
