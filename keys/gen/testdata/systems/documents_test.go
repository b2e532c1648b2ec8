package systems

import (
	"testing"
	"time"

	"github.com/partita/partita/keys"

	"systems/documents/graph"
	"systems/documents/graph/model"
	"systems/documents/resolvers"
	"systems/documents/typed"
)

func TestDocuments(t *testing.T) {
	plan := keys.NewID("Document", "plan")
	version := func(n int, body string) *model.Version {
		savedAt := time.Date(2026, time.March, n, 0, 0, 0, 0, time.UTC)
		return &model.Version{DocumentID: plan, Version: n, SavedAt: savedAt, Body: body}
	}
	runQueries(t, "documents", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}), typed.Design,
		storedItems(t, typed.StoredDocument, &model.Document{ID: plan, Title: "The plan"}),
		storedItems(t, typed.StoredVersion, version(1, "a"), version(2, "ab"), version(10, "abc")),
	)
}
