package systems

import (
	"testing"

	"github.com/partita/partita/keys"

	"systems/shops/graph"
	"systems/shops/graph/model"
	"systems/shops/resolvers"
	"systems/shops/typed"
)

func TestShops(t *testing.T) {
	tea := keys.NewID("Brand", "tea")
	shop := func(id, country, state, city string) *model.Shop {
		return &model.Shop{
			ID: keys.NewID("Shop", id), BrandID: tea, Country: country, State: state, City: city, Street: "High Street 1",
		}
	}
	runQueries(t, "shops", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}), typed.Design,
		storedItems(t, typed.StoredBrand, &model.Brand{ID: tea, Name: "Tea & Sons"}),
		storedItems(t, typed.StoredShop,
			shop("s1", "DE", "BE", "Berlin"), shop("s2", "DE", "BY", "Augsburg"),
			shop("s3", "DE", "BY", "Munich"), shop("s4", "US", "NY", "York"), shop("s5", "US", "NY", "Yorktown")),
	)
}
