package systems

import (
	"testing"
	"time"

	"systems/catalogue/graph"
	"systems/catalogue/graph/model"
	"systems/catalogue/resolvers"
	"systems/catalogue/typed"
)

func TestCatalogue(t *testing.T) {
	tea, drinks := "tea", "drinks"
	at := time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)
	runQueries(t, "catalogue", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}), typed.Design,
		storedItems(t, typed.StoredProduct,
			&model.Product{
				Sku: tea, Name: "Tea", Category: &drinks, Price: 450,
				Features: []string{"green", "loose"}, Version: 3, ReviewCount: 2,
			},
			&model.Product{Sku: "cup", Name: "Cup", Category: &drinks, Price: 1200, Version: 1},
			&model.Product{Sku: "pot", Name: "Pot, not for sale", Price: 3000, Version: 1}),
		storedItems(t, typed.StoredReview,
			&model.Review{Sku: tea, At: at, Author: "ada", Stars: 5},
			&model.Review{Sku: tea, At: at.Add(time.Hour), Author: "bob", Stars: 4}),
	)
}
