package fixes

import (
	"fmt"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
)

// ShardedSortKeyFix returns the sort key that identifies the object, or "" if that of the entry does.
func ShardedSortKeyFix(f *reading.Key) string {
	if len(f.Of.Unidentified(f.Shape)) == 0 {
		return ""
	}
	return fmt.Sprintf("sk: %q", f.Of.Identifying(f.Shape))
}

// WasArgument returns the argument that lists earlier numbers of shards.
func WasArgument(shards []int) string { return "was: " + sdl.Numbers(shards) }

// ShardCount returns a number of shards in words.
func ShardCount(n int) string {
	if n == 1 {
		return "1 shard"
	}
	return fmt.Sprintf("%d shards", n)
}
