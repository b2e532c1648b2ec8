package keys

import (
	"hash/fnv"
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

// ShardPK returns the key of one shard of a partition.
func ShardPK(pk PK, shard int) PK { return pk + Delimiter + PK(strconv.Itoa(shard)) }
