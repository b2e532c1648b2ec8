package follow

import (
	"slices"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/keys/design"
)

// differing returns the types of a side of whose objects something is stored differently by the other side, or counted.
func differing(from, to migrate.Version, read migrate.Side) map[string]bool {
	d := migrate.Compare(from, to)
	parts := slices.DeleteFunc(d.Parts, func(p migrate.Part) bool { return p.IsFree || p.Kind == migrate.TableIndex })
	isAny := func(name string) bool {
		return slices.ContainsFunc(parts, func(p migrate.Part) bool { return p.Type == "" || p.Type == name })
	}
	isCounted := func(all []*design.Counter, name string, later func(string) string) bool {
		return slices.ContainsFunc(all, func(c *design.Counter) bool {
			return later(c.Type) == name && slices.ContainsFunc(parts, func(p migrate.Part) bool {
				return p.Kind == migrate.CounterOf && p.Type == later(c.Parent)
			})
		})
	}
	own := func(name string) string { return name }
	names, later := own, d.LaterType
	side := to
	if read == migrate.From {
		names, side = d.LaterType, from
	}
	types := map[string]bool{}
	for _, t := range side.Types {
		name := names(t.Name)
		types[t.Name] = isAny(name) || isCounted(to.Counters, name, own) || isCounted(from.Counters, name, later)
	}
	return types
}
