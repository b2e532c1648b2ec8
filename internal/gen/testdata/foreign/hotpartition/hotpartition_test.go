package systems

import (
	"testing"

	"github.com/partita/partita/systems/foreign/hotpartition/graph"
	"github.com/partita/partita/systems/foreign/hotpartition/graph/model"
	"github.com/partita/partita/systems/foreign/hotpartition/resolvers"
	"github.com/partita/partita/systems/foreign/hotpartition/typed"
)

func TestForeignHotPartition(t *testing.T) {
	f := startForeign(t, "hotpartition", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}),
		typed.Design, hotPartitionObject)
	posts := func(arguments string, holds func(raw) bool) connection {
		return connection{
			query: "{ posts(" + arguments + "PAGE) SELECTION }",
			holds: holds, sortKey: attribute("by_topic_sk"), descending: true,
		}
	}
	f.check(t,
		posts("topic: NEWS, ", begins("topic", "NEWS")),
		posts("topic: SPORT, ", begins("topic", "SPORT")),
		posts("topic: ARTS, ", begins("topic", "ARTS")),
		posts(`topic: NEWS, at: {from: "2026-03-01T12:00:10Z", to: "2026-03-01T12:00:30Z"}, `, func(r raw) bool {
			at := r.text("at_ms")
			return r.text("topic") == "NEWS" && "1772366410000" <= at && at <= "1772366430000"
		}))
	f.sharded = "by_topic_pk"
	f.checkWrites(t,
		writes("Post", model.NewPost, typed.StoredPost),
		writes("CounterShard", model.NewCounterShard, typed.StoredCounterShard))
}

// hotPartitionObject returns the object of an item. The parts of counters have no ID.
func hotPartitionObject(r raw) object {
	switch r.text("_et") {
	case "":
		return nil
	case "counter":
		return object{
			"__typename": "CounterShard", "topic": cut(r.text("hash"), "COUNTER/"),
			"shard": float(cut(r.text("range"), "SHARD/")), "count": r.number("n"),
		}
	}
	return object{
		"__typename": "Post", "id": id("Post", cut(r.text("hash"), "POST/")), "topic": r.text("topic"),
		"at": epoch(r.number("at_ms") / 1000), "text": r.text("body"),
	}
}
