package keys_test

import (
	"fmt"
	"testing"

	"github.com/partita/partita/keys"
)

// The shard is part of what is stored on other people's disks: these numbers
// must never change.
func TestStoredShards(t *testing.T) {
	for _, c := range []struct {
		n        int
		identity []string
		want     int
	}{
		{1, []string{"o1"}, 0},
		{4, []string{"o1"}, 1},
		{4, []string{"0193b2e4-7a10-7c3e-9d5f-1a2b3c4d5e6f"}, 2},
		{4, []string{""}, 1},
		{10, []string{"o1", "0001"}, 7},
		{10, []string{"o1#0001"}, 7},
		{16, []string{"Zoë"}, 12},
		{256, []string{"a", "b", "c"}, 11},
	} {
		if got := keys.Shard(c.n, c.identity...); got != c.want {
			t.Errorf("Shard(%d, %q) is %d, want %d", c.n, c.identity, got, c.want)
		}
	}
	if got := keys.MustTemplate("STATUS#{s}").Shard("STATUS#PENDING", "3"); got != "STATUS#PENDING#3" {
		t.Errorf("shard 3 of STATUS#PENDING is %q", got)
	}
}

func TestShardsAreEven(t *testing.T) {
	const shards, objects = 8, 8000
	var count [shards]int
	for i := range objects {
		count[keys.Shard(shards, fmt.Sprintf("0193b2e4-%04x-7c3e-9d5f-1a2b3c4d5e6f", i))]++
	}
	for shard, n := range count {
		if n < objects/shards*8/10 || n > objects/shards*12/10 {
			t.Errorf("shard %d has %d of %d objects", shard, n, objects)
		}
	}
}
