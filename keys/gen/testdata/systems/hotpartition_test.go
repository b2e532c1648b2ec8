package systems

import (
	"fmt"
	"testing"
	"time"

	"github.com/partita/partita/keys"

	"systems/hotpartition/graph"
	"systems/hotpartition/graph/model"
	"systems/hotpartition/resolvers"
	"systems/hotpartition/typed"
)

func TestHotPartition(t *testing.T) {
	var posts []*model.Post
	for i := range 20 {
		posts = append(posts, &model.Post{
			ID:    keys.NewID("Post", fmt.Sprintf("p%02d", i)),
			Topic: model.TopicNews,
			At:    time.Date(2026, time.March, 1, i, 0, 0, 0, time.UTC),
			Text:  fmt.Sprint("post ", i),
		})
	}
	runQueries(t, "hotpartition", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}), typed.Design,
		storedItems(t, typed.StoredPost, posts...))
}
