package stream

import (
	"hash/fnv"
	"io"
	"slices"
)

// divide returns who reads each of the shards: every reader has about as many. Replicas that know the same readers and
// shards come to the same result, and one reader more, or less, moves few shards.
func divide(shards, readers []string) map[string]string {
	owners := make(map[string]string, len(shards))
	if len(readers) == 0 {
		return owners
	}
	slices.Sort(shards)
	most := (len(shards) + len(readers) - 1) / len(readers)
	loads := make([]int, len(readers))
	for _, shard := range shards {
		best, highest := -1, uint64(0)
		for i, reader := range readers {
			if rank := rankOf(reader, shard); loads[i] < most && (best < 0 || rank > highest) {
				best, highest = i, rank
			}
		}
		loads[best]++
		owners[shard] = readers[best]
	}
	return owners
}

// rankOf returns a number that is random for each pair of a reader and a shard.
func rankOf(reader, shard string) uint64 {
	h := fnv.New64a()
	_, _ = io.WriteString(h, reader) // a hash has no errors
	_, _ = io.WriteString(h, shard)
	z := h.Sum64() // whose last bytes the end of the shard's id has hardly changed
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
