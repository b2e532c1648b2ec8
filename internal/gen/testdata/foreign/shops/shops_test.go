package systems

import (
	"strings"
	"testing"

	"github.com/partita/partita/systems/foreign/shops/graph"
	"github.com/partita/partita/systems/foreign/shops/graph/model"
	"github.com/partita/partita/systems/foreign/shops/resolvers"
	"github.com/partita/partita/systems/foreign/shops/typed"
)

func TestForeignShops(t *testing.T) {
	f := startForeign(t, "shops", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}),
		typed.Design, shopsObject)
	places := func(brand, arguments, prefix string) connection {
		return connection{
			query: "{ brand(id: <Brand:" + brand + ">) { shops(" + arguments + "PAGE) SELECTION } }",
			holds: begins("brand_key", "BRAND:"+brand, "place", prefix), sortKey: attribute("place"),
		}
	}
	f.check(t,
		places("tea", "", ""), places("cup", "", ""), places("void", "", ""),
		places("tea", `country: "DE", `, "DE:"),
		places("tea", `country: "US", `, "US:"),
		places("tea", `country: "Us", `, "Us:"),
		places("tea", `country: "us", `, "us:"),
		places("tea", `country: "DE", state: "B", `, "DE:B:"),
		places("tea", `country: "DE", state: "BY", `, "DE:BY:"),
		places("tea", `country: "US", state: "NY", city: "York", `, "US:NY:York:"))
	f.rejected = func(r raw) bool { return strings.Contains(r.text("town"), ":") }
	f.checkWrites(t,
		writes("Brand", model.NewBrand, typed.StoredBrand),
		writes("Shop", model.NewShop, typed.StoredShop))
}

// shopsObject returns the object of an item.
func shopsObject(r raw) object {
	if r.text("kind") == "B" {
		return object{"__typename": "Brand", "id": id("Brand", cut(r.text("pk"), "BRAND:")), "name": r.text("brand_name")}
	}
	return object{
		"__typename": "Shop", "id": id("Shop", cut(r.text("pk"), "SHOP:")),
		"brandId": id("Brand", cut(r.text("brand_key"), "BRAND:")), "country": r.text("country"),
		"state": r.text("region"), "city": r.text("town"), "street": r.text("street"),
	}
}
