package cache

import "time"

// Settings say what operations share. The tags are for kong: a command embeds the struct.
type Settings struct {
	SharedReads string `name:"shared-reads" env:"SHARED_READS" default:"on" enum:"on,off" help:"on: equal Reads of operations that are answered at the same time are sent once; off: each operation sends its own."`

	Bytes int64 `name:"cache-bytes" env:"CACHE_BYTES" default:"0" range:"0..1099511627776" help:"Memory for items that were read by their keys, in bytes; 0 keeps none. Changes in the stream of the table evict them."`
	// MaxAge is how long ago an item may have been read, 30 s by default. Changes evict items; this is for what no stream
	// has, such as an item that has expired.
	MaxAge time.Duration `kong:"-"`
}

// KeepsItems reports whether items are kept.
func (s Settings) KeepsItems() bool { return s.Bytes > 0 }

const defaultMaxAge = 30 * time.Second
