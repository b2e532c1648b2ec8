package keys

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

// Shard returns the partition of n that an object with these identity values is written to: FNV-1a
// (32 bit) of the values joined by Delimiter, modulo n. It must never change, because stored keys
// contain it.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-sharding.html
func Shard(n int, identity ...string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(strings.Join(identity, Delimiter)))
	return int(h.Sum32() % uint32(n))
}

// Shard returns the key of one shard of a partition whose key the template has built. With the label "" it is that of
// the partition itself.
func (t Template) Shard(pk PK, label string) PK {
	if label == "" {
		return pk
	}
	return pk + PK(t.Delimiter()+label)
}

// ShardVariable is the variable at the end of the partition key of items that are spread over shards.
// No field has this name, because names with two underscores are GraphQL's own.
//
// https://spec.graphql.org/October2021/#sec-Names.Reserved-Names
const ShardVariable = "__shard"

// WithShard returns the template of a partition key that ends with a shard: see ShardVariable.
func (t Template) WithShard() Template {
	t.text += t.Delimiter() + "{" + ShardVariable + "}"
	t.segments = append(slices.Clone(t.segments), Segment{Variable: ShardVariable})
	return t
}

// ShardLabels returns the labels of the partitions of a collection that is spread, or was, over these
// numbers of shards: "" for the partition without a shard, then the shards in order. The shards of one
// number are among those of any larger one.
func ShardLabels(numbers ...int) []string {
	var labels []string
	if slices.Min(numbers) <= 1 {
		labels = append(labels, "")
	}
	if n := slices.Max(numbers); n > 1 {
		for i := range n {
			labels = append(labels, strconv.Itoa(i))
		}
	}
	return labels
}

// MaxShards is the maximum number of shards, because each read of a collection costs a Query per shard.
const MaxShards = 100
