package proposal

import (
	"cmp"
	"iter"
	"maps"
	"slices"
)

// path is a way to objects of a type: a partition, and the fields that sort in it.
type path struct {
	of       string
	pk, sort []string
	needs    []*need
}

// serves reports whether the path has what a need asks for, if its order is extended by more fields; with 0, as it is.
// It returns the order that is needed.
func (p *path) serves(n *need) (order []string, ok bool) {
	rest := slices.Clone(n.equal)
	for _, a := range p.pk {
		i := slices.Index(rest, a)
		if i < 0 {
			return nil, false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	// What is equal comes first, in the order that the path has already.
	slices.SortStableFunc(rest, func(a, b string) int { return cmp.Compare(position(p.sort, a), position(p.sort, b)) })
	if slices.ContainsFunc(rest, func(a string) bool { return n.Constants[a] != "" }) {
		return nil, false
	}
	order = slices.Concat(rest, n.sort)
	common := min(len(order), len(p.sort))
	if !slices.Equal(order[:common], p.sort[:common]) {
		return nil, false
	}
	return order, true
}

func position(all []string, a string) int {
	if i := slices.Index(all, a); i >= 0 {
		return i
	}
	return len(all)
}

// pathsOf joins the needs of a type that no Get serves, those with few equalities first. An order is extended only if
// that is allowed, because what other needs read is then in that order.
func pathsOf(of string, needs []*need, extend bool) []*path {
	needs = slices.Clone(needs)
	slices.SortStableFunc(needs, func(a, b *need) int {
		return cmp.Or(cmp.Compare(len(a.equal), len(b.equal)), cmp.Compare(len(b.sort), len(a.sort)))
	})
	var all []*path
	for _, n := range needs {
		i := slices.IndexFunc(all, func(p *path) bool {
			order, ok := p.serves(n)
			return ok && len(order) <= len(p.sort)
		})
		if i < 0 && extend {
			i = slices.IndexFunc(all, func(p *path) bool {
				order, ok := p.serves(n)
				if ok && len(p.pk) > 0 {
					p.sort = order
				}
				return ok && len(p.pk) > 0
			})
		}
		if i < 0 {
			all = append(all, &path{of: of, pk: n.equal, sort: n.sort})
			i = len(all) - 1
		}
		all[i].needs = append(all[i].needs, n)
	}
	return all
}

// keysOf yields the keys of maps.
func keysOf[V any](all ...map[string]V) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, m := range all {
			for k := range m {
				if !yield(k) {
					return
				}
			}
		}
	}
}

func clone[V any](m map[string]V) map[string]V {
	if m == nil {
		return map[string]V{}
	}
	return maps.Clone(m)
}
