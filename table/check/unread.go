package check

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// Unread is what is stored of a type in shards that no read includes, because its number of shards was another one.
type Unread struct {
	// Problem is a sentence with one of the items.
	Problem string
	// Fix is what to write in the schema.
	Fix string
}

// Collection is a value of the partition key of a type's entries in an index.
type Collection struct {
	Type *design.Type
	// Index is the place of the index in Type.Indexes.
	Index int
	// PK is the partition key without a shard.
	PK keys.PK
}

const (
	// probesAtOnce is how many Queries of FindUnread run at once.
	probesAtOnce = 16
	// probedShards is how many shards beyond those that are read are looked at. One of a small collection may be empty.
	probedShards = 8
	// probedEntries is how many entries such a Query reads. Several show by which number of shards they were written.
	probedEntries = 10
)

// FindUnread looks for entries of the collections in shards that no read includes: in the partition without a shard,
// and in the first eight shards beyond those that are read. Where there is nothing, these are at most nine Queries that
// read nothing. It finds entries of another number of shards in any collection in which one of these shards is not
// empty, unless a repair would leave them where they are. Options has the Design and Decode. Errors are those of the
// Source.
func FindUnread(ctx context.Context, source Source, o Options, collections []Collection) ([]Unread, error) {
	found := newUnread(newInspector(o, source.Now))
	probed := map[probe]bool{}
	for {
		var next []probe
		for _, c := range collections {
			for _, label := range found.beyond(c) {
				p := probe{c.Type.Indexes[c.Index].Name, c.Type.Indexes[c.Index].PK.Shard(c.PK, label)}
				if !probed[p] {
					probed[p], next = true, append(next, p)
				}
			}
		}
		if len(next) == 0 {
			return found.list(), nil
		}
		var mu sync.Mutex
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(probesAtOnce)
		for _, p := range next {
			group.Go(func() error {
				items, err := p.items(ctx, source)
				mu.Lock()
				defer mu.Unlock()
				for _, it := range items {
					found.add(it, "")
				}
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return found.list(), err
		}
	}
}

// probe is a partition of an index.
type probe struct {
	index string
	pk    keys.PK
}

// items returns items that have an entry in the partition, with all attributes.
func (p probe) items(ctx context.Context, source Source) ([]item.Item, error) {
	result, err := source.Query(ctx, request.Query{Index: p.index, PK: p.pk, Limit: probedEntries})
	if err != nil || len(result.Items) == 0 {
		return nil, err
	}
	var wanted []keys.Key
	for _, it := range result.Items {
		wanted = append(wanted, keys.KeyOf(it))
	}
	result, err = source.BatchGetItem(ctx, request.BatchGetItem{Keys: wanted})
	return result.Items, err
}

// unread are the entries of items in shards that are not read.
type unread struct {
	inspector *inspector
	of        map[shards]*misplaced
}

func newUnread(in *inspector) unread { return unread{in, map[shards]*misplaced{}} }

// shards are those of a type: of its entries in the index with this place, of its items for -1.
type shards struct {
	of    *design.Type
	index int
}

type misplaced struct {
	entries []design.UnreadEntry
	// key is the one of the item of the first entry, and at its partition, both as they are stored.
	key keys.Key
	at  keys.PK
}

// add adds the entries of an item of a tenant, unless it reads as missing or is no valid object.
func (u unread) add(it item.Item, tenant keys.Tenant) {
	t, key := u.inspector.design.Type(it.Type()), keys.KeyOf(it)
	if t == nil || u.inspector.isLeft(t, it) {
		return
	}
	for _, e := range t.Unread(it) {
		s := shards{t, e.Index}
		if u.of[s] == nil {
			u.of[s] = &misplaced{key: keys.Key{PK: tenant.Add(key.PK), SK: key.SK}, at: tenant.Add(e.PK)}
		}
		u.of[s].entries = append(u.of[s].entries, e)
	}
}

// isLeft reports whether a repair leaves the entries of an item in their shards.
func (in *inspector) isLeft(t *design.Type, it item.Item) bool {
	if keys.IsDeleted(it) || in.design.ExpiryAt(in.now()).IsExpired(it) {
		return true
	}
	err := write.CheckAttributes(t, it)
	if err == nil {
		_, err = write.ItemsOf(in.design, t, it)
	}
	if err == nil && in.decode != nil && t.IsBase(keys.KeyOf(it)) {
		err = in.decode(it)
	}
	return err != nil
}

// numbers returns those that the index has had, as far as is known.
func (u unread) numbers(s shards) (was []int) {
	if s.index >= 0 {
		was = slices.Clone(s.of.Indexes[s.index].Was)
	}
	if m := u.of[s]; m != nil {
		was = append(was, design.ShardsOf(m.entries)...)
	}
	slices.Sort(was)
	return slices.Compact(was)
}

// beyond returns shards that no read includes: none, and the first ones beyond those that are read. Where entries are
// in such a shard, these are all others as well: a few entries in one of them do not show how many there are.
func (u unread) beyond(c Collection) []string {
	ix, m := c.Type.Indexes[c.Index], u.of[shards{c.Type, c.Index}]
	declared := append([]int{max(1, ix.Shards)}, ix.Was...)
	var labels []string
	if slices.Min(declared) > 1 {
		labels = append(labels, "")
	}
	first := slices.Max(declared)
	if first == 1 {
		first = 0
	}
	end := first + probedShards
	if m != nil && slices.Max(design.ShardsOf(m.entries)) > 1 {
		end = keys.MaxShards
	}
	for n := first; n < min(end, keys.MaxShards); n++ {
		labels = append(labels, strconv.Itoa(n))
	}
	return labels
}

func (u unread) list() []Unread {
	var all []Unread
	for _, s := range slices.SortedFunc(maps.Keys(u.of), func(a, b shards) int {
		return cmp.Or(cmp.Compare(a.of.Name, b.of.Name), cmp.Compare(a.index, b.index))
	}) {
		m := u.of[s]
		numbers := u.numbers(s)
		if s.index < 0 {
			all = append(all, Unread{
				Problem: fmt.Sprintf("items of %s are in shards that are not read, such as %s", s.of.Name,
					u.inspector.show(keys.Key{PK: m.at, SK: m.key.SK})),
				Fix: fmt.Sprintf("write shards: %d in @item of type %s: the keys of items cannot change",
					numbers[len(numbers)-1], s.of.Name),
			})
			continue
		}
		ix := s.of.Indexes[s.index]
		all = append(all, Unread{
			Problem: fmt.Sprintf("entries of %s in index %s are in shards that are not read, such as that of %s in %s",
				s.of.Name, ix.Name, u.inspector.show(m.key), m.at),
			Fix: fmt.Sprintf("write was: %s in @index of type %s with pk %q until `table repair` has moved the entries",
				strings.ReplaceAll(fmt.Sprint(numbers), " ", ", "), s.of.Name, ix.PK.String()),
		})
	}
	return all
}
