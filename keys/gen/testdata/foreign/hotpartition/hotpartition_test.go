package systems

import (
	"testing"

	"systems/foreign/hotpartition/graph"
	"systems/foreign/hotpartition/resolvers"
	"systems/foreign/hotpartition/typed"
)

func TestForeignHotPartition(t *testing.T) {
	f := startForeign(t, "hotpartition", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}),
		typed.Design, hotPartitionObject)
	posts := func(arguments string, holds func(raw) bool) connection {
		return connection{
			query: "{ posts(" + arguments + "PAGE) SELECTION }", holds: holds, sortKey: attribute("by_topic_sk"), descending: true,
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
}

// hotPartitionObject returns the post of an item; the parts of counters have no IDs.
func hotPartitionObject(r raw) object {
	if r.text("_et") != "post" {
		return nil
	}
	return object{
		"__typename": "Post", "id": id("Post", cut(r.text("hash"), "POST/")), "topic": r.text("topic"),
		"at": epoch(r.number("at_ms") / 1000), "text": r.text("body"),
	}
}
