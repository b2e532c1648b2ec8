package randomtable

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// ask draws arguments for a field: mostly those that some object has. The object is the parent's for a field of a type.
func (r *runner) ask(p *pattern, parent *object) *ask {
	a := &ask{pattern: p, values: map[*field]*value{}}
	fields := append(p.shape.pk.fields(), p.shape.sk.fields()...)
	var like []*object
	for _, o := range p.shape.typ.objects {
		fits := true
		if parent != nil {
			for f := range p.given() {
				own := parent.values[p.source(f)]
				fits = fits && own != nil && o.values[f] != nil && o.values[f].id == own.id
			}
		}
		for _, f := range fields {
			fits = fits && o.values[f] != nil
		}
		if fits {
			like = append(like, o)
		}
	}
	for _, f := range fields {
		pool := f.kind.values(r.delimiter)
		v := *pool[r.IntN(len(pool))]
		if f.kind.gql == "ID" {
			v.literal = literal(globalID(p.idType(f), v.id))
		}
		a.values[f] = &v
	}
	if len(like) > 0 {
		o := like[r.IntN(len(like))]
		for _, f := range fields {
			if r.IntN(12) > 0 {
				v := *o.values[f]
				if f.kind.gql == "ID" {
					v.literal = literal(globalID(p.idType(f), v.id))
				}
				a.values[f] = &v
			}
		}
	}
	if parent != nil {
		for f := range p.given() {
			a.values[f] = parent.values[p.source(f)]
		}
	}
	for _, arg := range p.arguments() {
		if arg.optional && r.IntN(3) > 0 {
			a.given++
		}
	}
	if p.ranged != nil {
		r.drawRange(a)
	}
	return a
}

func (p *pattern) idType(f *field) string {
	if f.of != nil {
		return f.of.name
	}
	return p.shape.typ.name
}

// drawRange draws the ends of a range: mostly the values of objects.
func (r *runner) drawRange(a *ask) {
	var pool []*value
	for _, o := range a.shape.typ.objects {
		if v := o.values[a.ranged]; v != nil {
			pool = append(pool, v)
		}
	}
	if last := a.shape.pk[len(a.shape.pk)-1]; last.bucket != "" && last.field == a.ranged {
		// One bucket, or all from the first near one on: never more than 48.
		v := a.values[a.ranged]
		a.from, a.to = v, v
		hours := last.bucket == "day" || last.bucket == "hour"
		for _, other := range pool {
			distance := other.at.Sub(v.at).Hours()
			switch {
			case distance < 0, distance > 24*300, hours && distance > 40:
			case other.compare(a.to) > 0 && r.IntN(3) > 0:
				a.to = other
			}
		}
		return
	}
	if r.IntN(3) == 0 {
		pool = a.ranged.kind.values(r.delimiter)
	}
	if len(pool) == 0 {
		return
	}
	if r.IntN(3) > 0 {
		a.from = pool[r.IntN(len(pool))]
	}
	if r.IntN(3) > 0 {
		a.to = pool[r.IntN(len(pool))]
	}
	if a.from != nil && a.to != nil && a.compare(a.from, a.to) > 0 {
		a.from, a.to = a.to, a.from
	}
}

// askOne asks a field, of Query or of an object.
func (r *runner) askOne(p *pattern) error {
	before, behind := "{ ", " }"
	var parent *object
	if p.on != nil {
		var can []*object
		for _, o := range p.on.objects {
			if !o.hidden {
				can = append(can, o)
			}
		}
		if !p.on.isNode || len(can) == 0 {
			return nil
		}
		parent = can[r.IntN(len(can))]
		id := literal(globalID(p.on.name, parent.identity()...))
		before, behind = fmt.Sprintf("{ node(id: %s) { ... on %s { ", id, p.on.name), " } } }"
	}
	a := r.ask(p, parent)
	want := r.answer(a, r.items)
	for _, it := range want {
		if !slices.Contains(p.types, it.object.typ) {
			return fmt.Errorf("%s(%s) reads %s as well: the schema must be rejected", p.name, a.text(), it.object)
		}
	}
	names, selection := r.names(p.types)
	c := &call{runner: r, ask: a, before: before, behind: behind, names: names, selection: selection, want: want}
	switch p.result {
	case "one":
		return c.one()
	case "list":
		return c.list()
	}
	return c.pages()
}

// call is an ask with what its answer must be.
type call struct {
	*runner
	*ask
	before, behind, selection string
	names                     []string
	want                      []*stored
}

// document returns the document with arguments of paging.
func (c *call) document(paging, selection string) string {
	arguments := c.ask.text()
	if arguments != "" && paging != "" {
		arguments += ", "
	}
	if arguments += paging; arguments != "" {
		arguments = "(" + arguments + ")"
	}
	return c.before + c.pattern.name + arguments + " " + selection + c.behind
}

// result sends a document and returns the value of the field.
func (c *call) result(document string) (any, error) {
	data, err := c.data(document)
	if err != nil {
		return nil, err
	}
	if c.on != nil {
		node, _ := data["node"].(map[string]any)
		if node == nil {
			return nil, fmt.Errorf("%s: no parent", document)
		}
		return node[c.pattern.name], nil
	}
	return data[c.pattern.name], nil
}

func (c *call) one() error {
	document := c.document("", c.selection)
	if len(c.want) == 0 && c.isGet && (len(c.pattern.types) > 1 || c.keyOnly(c.pattern.types[0], c.names)) {
		return nil // With the key alone, an object that does not exist is not read.
	}
	got, err := c.result(document)
	if err != nil {
		return err
	}
	var want any
	if len(c.want) > 0 {
		want = c.want[0].object.answer(c.names)
		for _, other := range c.want[1:] {
			if !c.tied(c.want[0], other) {
				break
			}
			if reflect.DeepEqual(got, normal(other.object.answer(c.names))) {
				return nil
			}
		}
	}
	if !reflect.DeepEqual(got, normal(want)) {
		return fmt.Errorf("%s\n%q\n-want +got\n%s", document, c.proxy.Log(), cmp.Diff(normal(want), got))
	}
	return nil
}

// tied reports whether two items have the same place in the order.
func (c *call) tied(x, y *stored) bool {
	name := c.sk
	if c.shape.index != nil {
		name = c.shape.index.sk
	}
	return name == "" || compareKeys(x, y, name) == 0
}

func (c *call) list() error {
	document := c.document("", c.selection)
	got, err := c.result(document)
	if err != nil {
		return err
	}
	list, _ := got.([]any)
	return c.compare(document, list)
}

// compare compares objects with those that are expected, in their order. Tied ones have any.
func (c *call) compare(document string, got []any) error {
	var want []any
	left := slices.Clone(c.want)
	for i := range c.want {
		next := 0
		for j := 1; j < len(left) && i < len(got) && c.tied(left[0], left[j]); j++ {
			if !reflect.DeepEqual(got[i], normal(left[next].object.answer(c.names))) {
				next = j
			}
		}
		if i < len(got) && !reflect.DeepEqual(got[i], normal(left[next].object.answer(c.names))) {
			next = 0
		}
		want = append(want, normal(left[next].object.answer(c.names)))
		left = slices.Delete(left, next, next+1)
	}
	if len(got) == 0 && len(want) == 0 {
		return nil
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("%s\n%q\n-want +got\n%s", document, c.proxy.Log(), cmp.Diff(want, got))
	}
	return nil
}

// pages reads a connection in pages, forwards and backwards.
func (c *call) pages() error {
	size := []int{1, 2, 3, 4, 5, 6, 7, 100}[rand.New(rand.NewPCG(c.Uint64(), 1)).IntN(8)]
	isBucket := c.shape.pk[len(c.shape.pk)-1].bucket != ""
	var orders [2][]any
	for i, argument := range []string{"first: %d, after: %s", "last: %d, before: %s"} {
		cursor := "null"
		var all []any
		var document string
		for n := 0; ; n++ {
			if n > len(c.want)+2 {
				return fmt.Errorf("%s: pages without end", document)
			}
			document = c.document(fmt.Sprintf(argument, size, cursor), "{ edges { cursor node "+c.selection+
				" } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }")
			got, err := c.result(document)
			if err != nil {
				return err
			}
			page, _ := got.(map[string]any)
			if page == nil {
				return fmt.Errorf("%s: no page", document)
			}
			var nodes []any
			for _, e := range page["edges"].([]any) {
				nodes = append(nodes, e.(map[string]any)["node"])
			}
			info := page["pageInfo"].(map[string]any)
			more, before, end := info["hasNextPage"], info["hasPreviousPage"], info["endCursor"]
			if i == 0 {
				all = append(all, nodes...)
			} else {
				all = append(nodes, all...)
				more, before, end = before, more, info["startCursor"]
			}
			if before != (n > 0) {
				return fmt.Errorf("%s: %v", document, info)
			}
			if more != (len(all) < len(c.want)) && !isBucket {
				return fmt.Errorf("%s: %v, and %d of %d\n%v", document, info, len(all), len(c.want), c.proxy.Log())
			}
			if more != true {
				break
			}
			if len(nodes) != size {
				return fmt.Errorf("%s: a page of %d with more behind it\n%v", document, len(nodes), c.proxy.Log())
			}
			cursor = literal(end.(string))
		}
		if err := c.compare(document, all); err != nil {
			return err
		}
		orders[i] = all
	}
	if !reflect.DeepEqual(orders[0], orders[1]) {
		return fmt.Errorf("%s: another order backwards\n%s", c.document("", ""), cmp.Diff(orders[0], orders[1]))
	}
	return nil
}

// joins reads objects with all collections below them at once.
func (r *runner) joins() error {
	for _, t := range r.types {
		for _, o := range t.objects {
			if o.hidden || !t.isNode {
				continue
			}
			if err := r.join(t, o); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *runner) join(t *typ, o *object) error {
	names, selection := r.names([]*typ{t})
	want := o.answer(names)
	var parts []string
	for _, p := range r.patterns {
		if p.on != t {
			continue
		}
		a := r.ask(p, o)
		items := r.answer(a, r.items)
		names, below := r.names(p.types)
		c := &call{runner: r, ask: a, names: names, want: items}
		var nodes []any
		for i, it := range items {
			if i > 0 && c.tied(items[i-1], it) {
				items = nil // The order is not known.
				break
			}
			nodes = append(nodes, it.object.answer(names))
		}
		if items == nil && len(nodes) > 0 {
			continue
		}
		switch p.result {
		case "one":
			if len(nodes) == 0 {
				continue
			}
			want[p.name] = nodes[0]
			parts = append(parts, c.document("", below))
		case "list":
			if want[p.name] = nodes; nodes == nil {
				want[p.name] = []any{}
			}
			parts = append(parts, c.document("", below))
		default:
			if p.shape.pk[len(p.shape.pk)-1].bucket != "" {
				continue
			}
			size := 1 + r.IntN(30)
			if r.IntN(2) == 0 {
				parts = append(parts, c.document(fmt.Sprintf("first: %d", size), "{ nodes "+below+" }"))
				nodes = nodes[:min(size, len(nodes))]
			} else {
				parts = append(parts, c.document(fmt.Sprintf("last: %d", size), "{ nodes "+below+" }"))
				nodes = nodes[max(0, len(nodes)-size):]
			}
			if nodes == nil {
				nodes = []any{}
			}
			want[p.name] = map[string]any{"nodes": nodes}
		}
	}
	id := literal(globalID(t.name, o.identity()...))
	document := fmt.Sprintf("{ node(id: %s) { ... on %s %s } }", id, t.name,
		strings.TrimSuffix(selection, "}")+strings.Join(parts, " ")+" }")
	return r.same(document, map[string]any{"node": want})
}
