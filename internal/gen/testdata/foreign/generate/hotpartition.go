package main

import (
	"fmt"
	"time"
)

// hotPartition: posts of a topic are spread over eight partitions of an index, in turn and not by a hash. Segments
// are joined by /. Times are milliseconds; several posts have the same one. A counter has eight items.
//
// Indexes: by.topic (by_topic_pk, by_topic_sk), all attributes.
func hotPartition() []item {
	var items []item
	for _, topic := range []struct {
		name  string
		posts int
	}{{"NEWS", 110}, {"SPORT", 21}} {
		var counts [8]int
		for n := range topic.posts {
			id, shard := fmt.Sprintf("%s-%03d", topic.name[:1], (n*37)%topic.posts), n%8
			at := march.Add(time.Duration(n/3) * 1500 * time.Millisecond).UnixMilli()
			counts[shard]++
			items = append(items, item{
				"hash": textf("POST/%s", id), "range": textf("POST/%s", id), "_et": text("post"), "topic": text(topic.name),
				"at_ms": number(at), "body": textf("post %d", n),
				"by_topic_pk": textf("TOPIC/%s/%d", topic.name, shard), "by_topic_sk": textf("%d/%s", at, id),
			})
		}
		for shard, count := range counts {
			items = append(items, item{
				"hash": textf("COUNTER/%s", topic.name), "range": textf("SHARD/%d", shard),
				"_et": text("counter"), "n": number(count),
			})
		}
	}
	return append(items, item{"hash": text("CONFIG"), "range": text("CONFIG"), "shards": number(8)})
}
