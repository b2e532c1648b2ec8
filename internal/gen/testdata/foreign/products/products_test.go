package systems

import (
	"testing"

	"github.com/partita/partita/systems/foreign/products/graph"
	"github.com/partita/partita/systems/foreign/products/graph/model"
	"github.com/partita/partita/systems/foreign/products/resolvers"
	"github.com/partita/partita/systems/foreign/products/typed"
)

func TestForeignProducts(t *testing.T) {
	f := startForeign(t, "products", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}),
		typed.Design, productsObject)
	books := func(arguments string, from, to float64) connection {
		return connection{
			query: "{ books(" + arguments + "PAGE) SELECTION }",
			holds: func(r raw) bool {
				isBook := r.text("ProductCategory") == "Book" && r["Price"] != nil
				return isBook && from <= r.number("Price") && r.number("Price") <= to
			},
			sortKey: func(r raw) string { return inOrder(r.number("Price")) },
		}
	}
	bicycles := func(brand string) connection {
		return connection{
			query:   `{ bicyclesOf(brand: "` + brand + `", PAGE) SELECTION }`,
			holds:   func(r raw) bool { return r.text("Brand") == brand },
			sortKey: func(raw) string { return "" }, // the index has none
		}
	}
	f.check(t,
		books("", 0, 1e9), books("price: {from: 2.5, to: 12.5}, ", 2.5, 12.5), books("price: {to: 2.4}, ", 0, 2.4),
		bicycles("Mountain A"), bicycles("Brand-Company B"), bicycles("Mountain"))
	f.checkWrites(t,
		writes("Book", model.NewBook, typed.StoredBook),
		writes("Bicycle", model.NewBicycle, typed.StoredBicycle),
		writes("Voucher", model.NewVoucher, typed.StoredVoucher))
	f.runMutations(t)
	checkTable(t, f)
}

// productsObject returns the object of an item.
func productsObject(r raw) object {
	product := object{"productId": r.text("Id"), "title": r.text("Title"), "price": r.numberOrNull("Price")}
	switch r.text("ProductCategory") {
	case "Book":
		product["__typename"], product["id"] = "Book", id("Book", r.text("Id"))
		product["isbn"], product["dimensions"] = r.text("ISBN"), r.text("Dimensions")
		product["authors"], product["pageCount"] = r["Authors"]["SS"], r.number("PageCount")
		product["inPublication"] = r["InPublication"]["BOOL"]
		return product
	case "Bicycle":
		var colors []any
		for _, c := range r["Color"]["L"].([]any) {
			colors = append(colors, c.(map[string]any)["S"])
		}
		product["__typename"], product["id"] = "Bicycle", id("Bicycle", r.text("Id"))
		product["brand"], product["type"], product["colors"] = r.orNull("Brand"), r.text("BicycleType"), colors
		return product
	}
	return object{
		"__typename": "Voucher", "id": id("Voucher", r.text("Id")), "for": r.orNull("For"), "value": r.number("Value"),
	}
}
