package keys

import (
	"hash/fnv"
	"strconv"
	"strings"
)

// Shard is the partition of n that an object with these identity values is
// written to: FNV-1a (32 bit) of the values joined by Delimiter, modulo n. It
// is part of what is stored and must never change.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-sharding.html
func Shard(n int, identity ...string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(strings.Join(identity, Delimiter)))
	return int(h.Sum32() % uint32(n))
}

// ShardPK is the key of one shard of a partition.
func ShardPK(pk PK, shard int) PK { return pk + Delimiter + PK(strconv.Itoa(shard)) }
