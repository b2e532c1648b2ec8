package designpage

import (
	"fmt"
	"slices"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/keys"
)

// Hint is something to look at again. The design is right: what is wrong is a finding, and such a schema has no page.
type Hint struct {
	// Where is the id of what it is about, with its name.
	Where Link
	Text  string
}

func hintsOf(s *directives.Schema) []Hint {
	var hints []Hint
	for _, t := range s.Types {
		for _, k := range kindsOf(t) {
			where := Link{k.id(), k.String()}
			if text := unread(s, k); text != "" {
				hints = append(hints, Hint{where, text})
			}
			if isHot(k) {
				hints = append(hints, Hint{where, fmt.Sprintf("The partition key %s has few values, and all objects share their "+
					"partitions. A partition takes at most 1,000 write units and 3,000 read units per second: write shards if there "+
					"may be more.", k.shape.PK)})
			}
		}
	}
	return hints
}

// unread returns what to say of a copy or an entry that no field reads, "" for any other kind.
func unread(s *directives.Schema, k kind) string {
	isBase := k.index == "" && k.place == 0
	isForEntry := func(entry kind) bool { // The copy is there for its entry.
		return entry.index != "" && entry.place == k.place && isRead(s, entry)
	}
	if isBase || isRead(s, k) || isFree(s, k) || k.index == "" && slices.ContainsFunc(kindsOf(k.of), isForEntry) {
		return ""
	}
	units, directive := capacity.Write(k.of.MaxBytes), "@index"
	if k.index == "" {
		units, directive = 2*units, "@copy"
	}
	return fmt.Sprintf("No field reads it, and each new object pays %d write units for it. Remove the %s, or declare the "+
		"field that needs it.", units, directive)
}

// isFree reports whether nothing is written for an entry: the keys of its index are fields, the type, or
// those of the table.
func isFree(s *directives.Schema, k kind) bool {
	if k.index == "" {
		return false
	}
	ix := s.Layout.Index(k.index)
	return !slices.ContainsFunc(slices.Concat(ix.PK.Names(), ix.SK.Names()), func(name string) bool {
		return isIndexKey(s, name) && !s.Layout.IsKey(name) && name != s.Layout.Type
	})
}

func isRead(s *directives.Schema, k kind) bool { return len(readersOf(s, k)) > 0 || isReadByRule(s, k) }

// isHot reports whether a kind has few partitions for any number of items: its partition key has nothing but literals
// and variables with few values.
func isHot(k kind) bool {
	if k.shards > 1 || len(k.shape.SK.Variables()) == 0 {
		return false
	}
	for _, name := range k.shape.PK.Variables() {
		a := k.of.Attribute(name)
		if a == nil || a.Kind != keys.Enum && a.Kind != keys.Boolean {
			return false
		}
	}
	return true
}
