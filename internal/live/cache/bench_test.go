package cache_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/live/cache"
	"github.com/partita/partita/item"
	"github.com/partita/partita/request"
)

// instant is a source that answers at once with the same items.
type instant struct {
	cache.Source
	items []item.Item
}

func (s instant) GetItem(context.Context, request.GetItem) (request.Result, error) {
	return request.Result{Items: s.items[:1]}, nil
}

func (s instant) BatchGetItem(context.Context, request.BatchGetItem) (request.Result, error) {
	return request.Result{Items: s.items}, nil
}

func (s instant) Query(context.Context, request.Query) (request.Result, error) {
	return request.Result{Items: s.items}, nil
}

// BenchmarkReads measures what a Read costs beside its request: when nothing is shared, and when its item is kept.
func BenchmarkReads(b *testing.B) {
	source := instant{}
	var names []string
	for i := range 100 {
		name := fmt.Sprint("name", i)
		names, source.items = append(names, name), append(source.items, stored(name, "value"))
	}
	wanted, keeping := keysOf(names...), roomy
	keeping.Settle, keeping.MaxLag, keeping.MaxAge = time.Nanosecond, time.Hour, time.Hour
	for name, o := range map[string]cache.Options{"flights": {}, "kept": keeping} {
		shared := cache.New(o)
		reads := shared.Around(source)
		shared.Current(time.Now())
		read := func(kind string, read func(ctx context.Context) (request.Result, error)) {
			b.Run(name+"/"+kind, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := read(b.Context()); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		read("get", func(ctx context.Context) (request.Result, error) {
			return reads.GetItem(ctx, request.GetItem{Key: wanted[0]})
		})
		read("batch of 100", func(ctx context.Context) (request.Result, error) {
			return reads.BatchGetItem(ctx, request.BatchGetItem{Keys: wanted})
		})
		read("query", func(ctx context.Context) (request.Result, error) {
			return reads.Query(ctx, request.Query{PK: "P", Prefix: "name", Limit: 100})
		})
		b.Run(name+"/change", func(b *testing.B) {
			changes := []*live.Change{{Key: wanted[0]}}
			b.ReportAllocs()
			for b.Loop() {
				shared.Deliver(changes)
			}
		})
	}
}
