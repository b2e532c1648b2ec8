package keys

import (
	"slices"
	"strings"

	"github.com/partita/partita/item"
)

// Shape is the pair of templates of the key of stored items.
type Shape struct{ PK, SK Template }

// Key returns the key of the item of the shape with these values. The error is an InputError.
func (s Shape) Key(values func(name string) Value) (Key, error) {
	pk, err := s.PK.Build(values)
	if err != nil {
		return Key{}, err
	}
	sk, err := s.SK.BuildSK(PK(pk), values)
	if err != nil {
		return Key{}, err
	}
	if err := PK(pk).Check(); err != nil {
		return Key{}, err
	}
	return Key{PK: PK(pk), SK: sk}, sk.Check()
}

// Has reports whether a key of the shape has the whole value of a variable.
func (s Shape) Has(variable string) bool { return s.PK.Has(variable) || s.SK.Has(variable) }

// Holds reports whether the key can be that of an item of the shape: it matches the templates, and
// a variable that occurs several times has the same value everywhere, except where it is cut to a
// time bucket.
func (s Shape) Holds(key Key) bool { return s.holds(key, false) }

// HoldsStored is Holds for a key in which the last value of a part may contain the delimiter.
func (s Shape) HoldsStored(key Key) bool { return s.holds(key, true) }

// usualVariables is how many variables a part of a key rarely has more of. Room for them is on the stack.
const usualVariables = 4

// holds is HoldsStored for a key that is stored, and otherwise Holds.
func (s Shape) holds(key Key, isStored bool) bool {
	if len(key.PK) > MaxPKBytes || len(key.SK) > MaxSKBytes || !s.PK.begins(string(key.PK)) ||
		!s.SK.begins(string(key.SK)) {
		return false
	}
	var room [usualVariables]string
	seen := make(map[string]string, usualVariables)
	for _, part := range [...]struct {
		template Template
		text     string
	}{{s.PK, string(key.PK)}, {s.SK, string(key.SK)}} {
		forbidden := part.template.Delimiter()
		if isStored {
			forbidden = ""
		}
		values, ok := part.template.match(room[:0], part.text, forbidden)
		if !ok {
			return false
		}
		for i := range part.template.segments {
			segment := &part.template.segments[i]
			if segment.Variable == "" {
				continue
			}
			value := values[0]
			values = values[1:]
			if segment.Bucket > 0 || segment.unknown {
				continue
			}
			if before, repeated := seen[segment.Variable]; repeated && before != value {
				return false
			}
			seen[segment.Variable] = value
		}
	}
	return true
}

// IsSingle reports whether a partition has at most one item of the shape: all variables of its sort
// key are in the partition key as well.
func (s Shape) IsSingle() bool {
	type written struct {
		variable string
		in       Case
	}
	fixed := map[written]bool{}
	for i, p := range s.PK.segments {
		fixed[written{p.Variable, p.Case}] = p.Bucket == 0 && (!p.unknown || s.PK.partEnd(i) == i+1 && !p.Glued)
	}
	for _, q := range s.SK.segments {
		if q.Variable != "" && !fixed[written{q.Variable, AsIs}] && !fixed[written{q.Variable, q.Case}] {
			return false
		}
	}
	return true
}

// IsSharded reports whether the partition key ends with a shard.
func (s Shape) IsSharded() bool { return slices.Contains(s.PK.Variables(), ShardVariable) }

// EndsWith reports whether a variable ends the templates that have it and is the only one there. Its value can contain
// the delimiter without making the key that of another object.
func (s *Shape) EndsWith(variable string) bool {
	for _, t := range [...]Template{s.PK, s.SK} {
		names := t.Variables()
		isLast := len(names) == 1 && t.segments[len(t.segments)-1].Variable == variable
		if slices.Contains(names, variable) && !isLast {
			return false
		}
	}
	return true
}

// Agrees reports whether the key is that of the shape with the values of the item, in any of the shards.
func (s Shape) Agrees(key Key, it item.Item, shards int) bool {
	if !s.SK.Agrees(string(key.SK), it) {
		return false
	}
	pk := string(key.PK)
	if shards > 1 {
		i := strings.LastIndex(pk, s.PK.Delimiter())
		return i >= 0 && s.PK.Agrees(pk[:i], it)
	}
	return s.PK.Agrees(pk, it)
}
