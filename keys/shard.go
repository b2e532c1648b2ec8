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

// BaseKey returns the key of the base item of the object with these identity values, in its shard. The
// error is an InputError.
func (t *Type) BaseKey(values func(name string) Value) (Key, error) {
	key, err := t.Item.Key(values)
	if err != nil {
		return Key{}, err
	}
	return t.inShard(t.Item.PK, key, t.Shards, values)
}

// inShard returns the key, whose PK the template has built, in that of the shards to which an object with these values
// belongs.
func (t *Type) inShard(pk Template, key Key, shards int, values func(name string) Value) (Key, error) {
	if shards <= 1 {
		return key, nil
	}
	identity := make([]string, len(t.Identity))
	for i, name := range t.Identity {
		identity[i] = values(name).Text()
	}
	key.PK = pk.Shard(key.PK, strconv.Itoa(Shard(shards, identity...)))
	return key, key.PK.Check()
}

// ShardVariable is the variable at the end of the partition key of items that are spread over shards.
// No field has this name, because names with two underscores are GraphQL's own.
//
// https://spec.graphql.org/October2021/#sec-Names.Reserved-Names
const ShardVariable = "__shard"

// Shapes returns the templates of the keys of an object's stored items: the base item, whose partition
// key may end with its shard, then the copies in order.
func (t *Type) Shapes() []Shape {
	shapes := []Shape{t.Item}
	if t.Shards > 1 {
		shapes[0].PK = t.Item.PK.WithShard()
	}
	for _, c := range t.Copies {
		shapes = append(shapes, c.Shape)
	}
	return shapes
}

// IsBase reports whether the key can be that of a base item of the type: see Shape.Holds.
func (t *Type) IsBase(key Key) bool {
	s := t.Item
	if t.Shards > 1 {
		s.PK = s.PK.WithShard()
	}
	return s.Holds(key)
}

// WithShard returns the template of a partition key that ends with a shard: see ShardVariable.
func (t Template) WithShard() Template {
	t.text += t.Delimiter() + "{" + ShardVariable + "}"
	t.segments = append(slices.Clone(t.segments), Segment{Variable: ShardVariable})
	return t
}

// IsSharded reports whether the partition key ends with a shard.
func (s Shape) IsSharded() bool { return slices.Contains(s.PK.Variables(), ShardVariable) }

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
