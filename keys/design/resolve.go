package design

import (
	"fmt"
	"slices"

	"github.com/partita/partita/keys"
)

// Resolve returns a copy of a declared field with everything that follows from the shapes that its
// condition selects. It returns an error if the condition selects none.
func Resolve(types []*Type, declared *Field) (*Field, error) {
	f := *declared
	if f.Kind.IsByID() {
		return &f, nil
	}
	f.matches = slices.DeleteFunc(FindMatches(types, &f), func(m Match) bool {
		return len(f.Types) > 0 && !slices.Contains(f.Types, m.Type.Name)
	})
	if len(f.matches) == 0 {
		return nil, fmt.Errorf("%s: no item is stored under pk %q, sk %q", f.Coordinate(), f.PK, f.SK)
	}
	f.shards = keys.ShardLabels(shardNumbers(f.matches)...)
	f.moving = slices.ContainsFunc(f.matches, func(m Match) bool { return len(m.Was) > 0 })
	f.setFormats(f.matches[0].Shape)
	if f.Kind == Query {
		f.rest = restOf(&f, f.matches)
		f.gap = f.hasGap()
		f.shorter = f.shorterKeys(types)
	}
	f.bucketed = f.Bucketed()
	return &f, nil
}

// shardNumbers returns the numbers of shards that matched shapes have or had.
func shardNumbers(matches []Match) []int {
	var numbers []int
	for _, m := range matches {
		numbers = append(append(numbers, m.Shards), m.Was...)
	}
	return numbers
}
