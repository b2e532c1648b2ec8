package loaders

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/item"
	"github.com/partita/partita/item/capacity"
	"github.com/partita/partita/keys"
)

// appraisal walks an operation's selection set as the look-ahead does, with the
// design alone: where that finds items, it assumes as many as there can be.
// Fields of one object with equal arguments are one Read, as they are in the
// operation; all other Reads are taken to be different.
type appraisal struct {
	outline
	schema  *ast.Schema
	strong  bool
	pageCap func(*ast.Field, int) int
	levels  map[levelKey]*level
}

// levelKey is what a level depends on. Fragments may spread the same selection
// at exponentially many places.
type levelKey struct {
	object     string
	known      string
	read       bool
	selections uint64
}

// operation is the level of the root. Mutations run one after the other, and
// share no Reads.
func (a *appraisal) operation() *level {
	definition := a.request.Operation
	root := a.schema.Query
	if definition.Operation == ast.Mutation {
		root = a.schema.Mutation
	}
	all := []graphql.CollectedField{{Field: &ast.Field{}, Selections: definition.SelectionSet}}
	if definition.Operation != ast.Mutation {
		return a.object(root.Name, nil, false, all)
	}
	l := &level{}
	for _, f := range a.fieldsOf(root.Name, all) {
		if s := a.step(root.Name, nil, false, []graphql.CollectedField{f}); s != nil {
			s.after = len(l.waves)
			l.add(s)
		}
	}
	return l
}

func (a *appraisal) fieldsOf(object string, places []graphql.CollectedField) []graphql.CollectedField {
	def := a.schema.Types[object]
	satisfies := []string{object}
	for _, d := range a.schema.GetImplements(def) {
		satisfies = append(satisfies, d.Name)
	}
	var fields []graphql.CollectedField
	for _, f := range places {
		fields = append(fields, graphql.CollectFields(a.request, f.Selections, satisfies)...)
	}
	return fields
}

// object is what is read below one object of a type, for all that is selected at
// the places. known are the attributes that its key tells, some without their
// values; read tells whether the object itself is read.
func (a *appraisal) object(object string, known item.Item, read bool, places []graphql.CollectedField) *level {
	places, hash := distinct(places)
	key := levelKey{object, fmt.Sprint(known), read, hash}
	if l := a.levels[key]; l != nil {
		return l
	}
	l := &level{}
	a.levels[key] = l
	for _, group := range a.grouped(a.fieldsOf(object, places)) {
		if s := a.step(object, known, read, group); s != nil {
			l.add(s)
		}
	}
	return l
}

// distinct leaves out repeated selections.
func distinct(places []graphql.CollectedField) ([]graphql.CollectedField, uint64) {
	seen := make(map[selection]bool, len(places))
	var h maphash.Hash
	h.SetSeed(selectionSeed)
	var kept []graphql.CollectedField
	for _, f := range places {
		s := selectionOf(f)
		if seen[s] {
			continue
		}
		seen[s] = true
		maphash.WriteComparable(&h, s)
		kept = append(kept, f)
	}
	return kept, h.Sum64()
}

// grouped puts fields together that have the same name and arguments, under
// whatever alias.
func (a *appraisal) grouped(fields []graphql.CollectedField) [][]graphql.CollectedField {
	var groups [][]graphql.CollectedField
	places := map[string]int{}
	for _, f := range fields {
		if f.Definition == nil || strings.HasPrefix(f.Name, "__") {
			continue
		}
		arguments, err := json.Marshal(f.ArgumentMap(a.request.Variables))
		key := f.Name + string(arguments)
		i, known := places[key]
		if !known || err != nil {
			i = len(groups)
			places[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	return groups
}

// step is what a field of one object reads; nil for nothing.
func (a *appraisal) step(parent string, known item.Item, read bool, group []graphql.CollectedField) *step {
	f := group[0]
	s := &step{
		parent: parent,
		group:  group,
		field:  a.design.Field(parent, f.Name),
		args:   f.ArgumentMap(a.request.Variables),
		page:   -1,
	}
	cost := costOf(f.Definition, s.args)
	switch {
	case s.field == nil:
		if read {
			s.after = 1
		}
		a.assume(s, cost)
	case s.field.Kind == keys.Node || s.field.Kind == keys.Nodes:
		a.nodes(s)
	default:
		s.values = func(name string) keys.Value {
			if arg := s.field.Argument(name); arg != nil {
				return keys.ArgumentValue(*arg, s.args[name])
			}
			return keys.AttributeValue(known, name)
		}
		if read && (!a.tells(known, s.field) || !a.tellsOwner(parent, known)) {
			s.after = 1
		}
		if s.field.Kind == keys.Query {
			a.query(s)
		} else {
			a.get(s)
		}
	}
	if cost != nil {
		s.own.units += cost.readUnits
		s.writes, s.otherRequests = cost.writeUnits, cost.requests()
	}
	if !s.isOfUse() {
		return nil
	}
	return s
}

// unknown gives the values of a parent of which nothing is known yet.
func unknown(string) keys.Value { return keys.Value{} }

// isOfUse reports whether anything is read or written for the field or below it.
func (s *step) isOfUse() bool {
	s.below = slices.DeleteFunc(s.below, func(b branch) bool { return len(b.level.steps) == 0 })
	return len(s.below) > 0 || s.own != (tally{}) || s.writes > 0
}

// tells reports whether the known attributes are all that the field's condition
// takes from its parent.
func (a *appraisal) tells(known item.Item, fd *keys.Field) bool {
	for _, name := range append(fd.PK.Variables(), fd.SK.Variables()...) {
		if _, ok := known.Get(name); !ok && fd.Argument(name) == nil && name != keys.ViewerVariable {
			return false
		}
	}
	return true
}

// tellsOwner reports whether the known attributes tell who may see an object.
// Else nothing below it is read before it has been, for some viewers.
func (a *appraisal) tellsOwner(object string, known item.Item) bool {
	t := a.design.Type(object)
	return t == nil || a.judgeItem(t, known) != undecided
}

func (a *appraisal) maxBytes(types ...string) int {
	size := 1
	for _, name := range types {
		size = max(size, a.design.Type(name).MaxBytes)
	}
	return size
}

// get is a Get, or for a reference of which only what its key tells is selected
// none.
func (a *appraisal) get(s *step) {
	c, err := s.field.Bind(s.values).Condition()
	if err != nil || c.IsEmpty() {
		c.Known = keys.KnownByKey(a.design.Type(s.field.Types[0]))
	}
	carried := true
	for _, f := range s.group {
		carried = carried && a.isCarried(c, f)
	}
	if !carried {
		s.own = getTally(1, a.maxBytes(s.field.Types...), a.strong)
	}
	for _, name := range s.field.Types {
		known := c.Known
		if name != known.Type() {
			known = keys.KnownByKey(a.design.Type(name))
		}
		s.below = append(s.below, branch{1, a.object(name, known, !carried, s.group)})
	}
	s.mixed = true
}

// nodes are Gets of objects whose types the global ids tell.
func (a *appraisal) nodes(s *step) {
	seen := map[keys.Key]bool{}
	known := map[string]item.Item{}
	count := map[string]int{}
	var types []string
	for _, c := range a.conditions(s.field, s.group[0], nil) {
		if seen[c.Key] {
			continue
		}
		seen[c.Key] = true
		s.keys = append(s.keys, c.Key)
		name := c.Known.Type()
		if count[name]++; count[name] == 1 {
			types = append(types, name)
			known[name] = c.Known
		} else {
			known[name] = keys.KnownByKey(a.design.Type(name))
		}
	}
	for _, name := range types {
		s.own = s.own.plus(getTally(count[name], a.maxBytes(name), a.strong), 1)
		s.below = append(s.below, branch{float64(count[name]), a.object(name, known[name], true, s.group)})
	}
}

// query is one Query for each partition of a collection.
func (a *appraisal) query(s *step) {
	fd := s.field
	argument := func(name string) keys.Value {
		if arg := fd.Argument(name); arg != nil {
			return keys.ArgumentValue(*arg, s.args[name])
		}
		return keys.Value{}
	}
	var err error
	if s.partitions, err = fd.PartitionCount(argument); err != nil {
		return
	}
	items, limit := s.partitions, 1
	switch fd.Result {
	case keys.Many:
		items, limit = fd.AtMost, fd.AtMost+1
	case keys.Connection:
		if !slices.ContainsFunc(s.group, a.selectsPage) {
			return
		}
		w, err := pagingOf(s.args).size()
		if err != nil {
			return
		}
		s.page = w.count
		if a.pageCap != nil {
			s.page = a.pageCap(s.group[0].Field, s.page)
		}
		items, limit = s.page, s.page+1
	}
	s.limit = limit
	if fd.AtMost > 0 {
		items, limit = min(items, fd.AtMost), min(limit, fd.AtMost)
	}
	s.own = tally{}.plus(a.partition(s, limit), float64(s.partitions))
	if fd.Result == keys.Connection {
		a.pages(s, float64(items))
		return
	}
	for _, name := range fd.Types {
		s.below = append(s.below, branch{float64(items), a.object(name, nil, true, s.group)})
	}
	s.mixed = true
}

// partition is the Query of one partition for so many items.
func (a *appraisal) partition(s *step, limit int) tally {
	fd := s.field
	size := a.maxBytes(fd.Types...)
	hasCursor := s.args["after"] != nil || s.args["before"] != nil
	t := queryTally(limit, size, a.strong && fd.Index == "")
	if hasCursor && s.partitions > 1 && !a.sortsUniquely(fd) {
		// Entries with the cursor's own sort key are passed, and as many more asked for.
		t = t.plus(t, 1)
	}
	if fd.Index != "" {
		return t
	}
	// A Get that joins the Query makes room for an item more. When there is no such
	// object, one of the collection takes it up, which may be larger.
	joined, found := a.design.SmallestBeside(fd.SK.Leading())
	if saved := capacity.Get(joined, a.strong); found && capacity.Get(size, a.strong) > saved {
		more := queryTally(limit+1, size, a.strong)
		t.queries = more.queries
		t.units = max(t.units, more.units-saved)
	}
	return t
}

// sortsUniquely reports whether no two items of the collection have equal sort
// keys, in whichever shards they are.
func (a *appraisal) sortsUniquely(fd *keys.Field) bool {
	for _, m := range fd.Matches() {
		variables := append(m.Shape.PK.Variables(), m.Shape.SK.Variables()...)
		for _, name := range m.Type.Identity {
			if !slices.Contains(variables, name) {
				return false
			}
		}
	}
	return true
}

// pages goes on below the items of a page, as walkPage does.
func (a *appraisal) pages(s *step, items float64) {
	fd := s.field
	var nodes, edges []graphql.CollectedField
	for _, f := range s.group {
		nodes = append(nodes, a.nodesOf(fd, f)...)
		for _, part := range a.collect(f, f.Definition.Type.Name()) {
			if part.Name == "edges" {
				edges = append(edges, part)
			}
		}
	}
	if len(nodes) > 0 && !fd.EdgeNode {
		for _, name := range fd.Types {
			s.below = append(s.below, branch{items, a.object(name, nil, true, nodes)})
		}
		s.mixed = true
	}
	below := &level{}
	if len(nodes) > 0 && fd.EdgeNode {
		// Selected as nodes or as edges { node }, it is one Get.
		node := &step{parent: fd.Edge, group: nodes, field: a.design.Field(fd.Edge, "node"), page: -1, after: 1, values: unknown}
		if a.get(node); node.isOfUse() {
			below.add(node)
		}
	}
	for _, group := range a.grouped(a.fieldsOf(fd.Edge, edges)) {
		if group[0].Name == "node" {
			continue
		}
		if extra := a.step(fd.Edge, nil, true, group); extra != nil {
			below.add(extra)
		}
	}
	if len(below.steps) > 0 {
		s.below = append(s.below, branch{items, below})
		s.mixed = false
	}
}

// assume is for a field whose resolver is written by hand: what @cost says, or a
// Get of each stored object that it may return. A list is taken to be as long as a page.
func (a *appraisal) assume(s *step, cost *ownCost) {
	f := s.group[0]
	def := a.schema.Types[f.Definition.Type.Name()]
	if !def.IsCompositeType() {
		return
	}
	items := 1
	if f.Definition.Type.Elem != nil {
		items = MaxPage
	}
	for _, object := range a.schema.GetPossibleTypes(def) {
		if cost == nil && a.design.Type(object.Name) != nil {
			t := getTally(items, a.maxBytes(object.Name), a.strong)
			if t.units > s.own.units {
				s.own = t
			}
		}
	}
	read := s.own != (tally{}) || cost.requests() > 0
	for _, object := range a.schema.GetPossibleTypes(def) {
		s.below = append(s.below, branch{float64(items), a.object(object.Name, nil, read, s.group)})
	}
	s.mixed = true
}
