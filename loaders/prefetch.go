package loaders

import (
	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// outline is an operation seen with the design: which key conditions its fields
// have, and what is asked for below them.
type outline struct {
	design  *keys.Design
	request *graphql.OperationContext
	// viewer is for whom it is executed; nil when that may be anyone.
	viewer *viewer.Viewer
}

// conditions are the key conditions of a field of the document, at most one, or for
// Relay's nodes one for each id. Those that have an error or select nothing are left out:
// the resolver returns the error. parent is nil at the root; it may hold only what a key
// tells of an item that has not been read.
func (o outline) conditions(fd *keys.Field, f graphql.CollectedField, parent item.Item) []keys.Condition {
	var cs []keys.Condition
	for _, b := range o.bind(fd, f, parent) {
		if c, err := b.Condition(); err == nil && !c.IsEmpty() {
			cs = append(cs, c)
		}
	}
	return cs
}

// bind binds a field of the document to its arguments and to the parent's attributes.
func (o outline) bind(fd *keys.Field, f graphql.CollectedField, parent item.Item) []keys.BoundField {
	args := f.ArgumentMap(o.request.Variables)
	switch fd.Kind {
	case keys.Node:
		return o.bindNodes(fd, args["id"])
	case keys.Nodes:
		ids, _ := args["ids"].([]any)
		if len(ids) > MaxPage {
			return nil
		}
		return o.bindNodes(fd, ids...)
	}
	return []keys.BoundField{fd.Bind(func(name string) keys.Value {
		if a := fd.Argument(name); a != nil {
			return keys.ArgumentValue(*a, args[name])
		}
		if name == keys.ViewerVariable && o.viewer != nil {
			return keys.ViewerValue(o.viewer.ID)
		}
		return keys.AttributeValue(parent, name)
	})}
}

func (o outline) bindNodes(fd *keys.Field, raw ...any) []keys.BoundField {
	var bound []keys.BoundField
	for _, r := range raw {
		var id keys.ID
		if err := id.UnmarshalGQL(r); err == nil {
			bound = append(bound, o.design.BindNode(fd, id))
		}
	}
	return bound
}

// walkField registers the Reads of a field and of everything below it whose keys are
// known. What the viewer may not see is left to the resolver, which returns the error. The
// lock is held.
func (op *Operation) walkField(fd *keys.Field, cs []keys.Condition, f graphql.CollectedField) {
	if op.isFull() {
		return
	}
	for _, c := range cs {
		if op.authorize(c, nil) != nil {
			continue
		}
		if fd.Kind != keys.Query {
			op.walkGet(c, f)
			continue
		}
		switch fd.Result {
		case keys.Connection:
			op.walkConnection(c, f)
		default:
			op.walkRange(c, f)
		}
	}
}

func (op *Operation) firstWalk(r Read, f graphql.CollectedField) bool {
	k := walkKey{r, selectionOf(f)}
	if _, walked := op.walked[k]; walked {
		return false
	}
	op.walked[k] = struct{}{}
	return true
}

// walkGet goes on below an object with what its key tells of it, at once, and
// with the item when that has been read.
func (op *Operation) walkGet(c keys.Condition, f graphql.CollectedField) {
	r := getOf(c)
	if !op.firstWalk(r, f) {
		return
	}
	op.walkObject(c.Known, f)
	known := op.isAllKnown(c, f)
	if known && c.Field.IsReference() {
		return
	}
	if known && op.expectsGets(op.design.Type(c.Known.Type()), f) {
		op.registerLazy(r)
		return
	}
	op.after([]Read{r}, func(results []outcome) { op.walkItems(results, f) })
}

func (op *Operation) walkRange(c keys.Condition, f graphql.CollectedField) {
	reads, _ := listReads(c)
	if len(reads) == 0 || !op.firstWalk(reads[0], f) {
		return
	}
	op.after(reads, func(results []outcome) { op.walkItems(results, f) })
}

func (op *Operation) walkItems(results []outcome, f graphql.CollectedField) {
	for _, o := range results {
		for _, it := range o.items {
			op.walkObject(it, f)
		}
	}
}

// walkConnection goes on below the items of a page, or below the nodes of
// edges that are items of their own.
func (op *Operation) walkConnection(c keys.Condition, f graphql.CollectedField) {
	w, err := pagingOf(f.ArgumentMap(op.request.Variables)).window(c)
	if err != nil || !op.selectsPage(f) {
		return
	}
	reads, partitions := rangesOf(c, w)
	if len(reads) == 0 || !op.firstWalk(reads[0], f) {
		return
	}
	op.after(reads, func(results []outcome) {
		page, err := assemble(c, w, partitions, results)
		if err != nil {
			return
		}
		op.walkPage(c.Field, page, f)
	})
}

func (op *Operation) walkPage(fd *keys.Field, page *Page, f graphql.CollectedField) {
	if !op.sees(page.condition, page.Items) {
		return
	}
	for _, nodes := range op.nodesOf(fd, f) {
		op.walkNodes(fd, page, nodes)
	}
}

func (op *Operation) walkNodes(fd *keys.Field, page *Page, f graphql.CollectedField) {
	if !fd.EdgeNode {
		for _, it := range page.Items {
			op.walkObject(it, f)
		}
		return
	}
	node := op.design.Field(fd.Edge, "node")
	for _, it := range page.Items {
		op.walkField(node, op.conditions(node, f, it), f)
	}
}

// walkObject goes on with the fields of one object, of which the item may be
// only what its key tells. While that does not tell whether the viewer may see
// the object, nothing below it is read: what it costs would tell that it exists.
func (op *Operation) walkObject(it item.Item, f graphql.CollectedField) {
	t := op.design.Type(it.Type())
	if t == nil || op.judgeItem(t, it) != admitted {
		return
	}
	for _, sub := range graphql.CollectFields(op.request, f.Selections, t.Satisfies) {
		if fd := op.design.Field(t.Name, sub.Name); fd != nil {
			op.walkField(fd, op.conditions(fd, sub, it), sub)
		}
	}
}

func (o outline) collect(f graphql.CollectedField, object string) []graphql.CollectedField {
	return graphql.CollectFields(o.request, f.Selections, []string{object})
}

// selectsPage reports whether a connection's selection wants any of its items,
// not only their count.
func (o outline) selectsPage(f graphql.CollectedField) bool {
	for _, part := range o.collect(f, f.Definition.Type.Name()) {
		switch part.Name {
		case "edges", "nodes", "pageInfo":
			return true
		}
	}
	return false
}

// isCarried reports whether the parent says all that is asked of the object
// that it refers to, so that it need not be read.
func (o outline) isCarried(c keys.Condition, f graphql.CollectedField) bool {
	return c.Field.IsReference() && o.isAllKnown(c, f)
}

// isAllKnown reports whether the object's key tells all that is asked of it,
// but for its existence, and who may see it.
func (o outline) isAllKnown(c keys.Condition, f graphql.CollectedField) bool {
	t := o.design.Type(c.Known.Type())
	if o.judgeItem(t, c.Known) == undecided {
		return false
	}
	for _, sub := range graphql.CollectFields(o.request, f.Selections, t.Satisfies) {
		if !o.isKnown(t, c.Known, sub) {
			return false
		}
	}
	return true
}

// isKnown reports whether a field of an object can be answered, or its own Read
// be made, with only the known attributes.
func (o outline) isKnown(t *keys.Type, known item.Item, f graphql.CollectedField) bool {
	has := func(name string) bool {
		_, ok := known.Get(name)
		return ok
	}
	fd := o.design.Field(t.Name, f.Name)
	if fd == nil || fd.Rule() == nil || fd.Argument(fd.Rule().Owner) == nil {
		switch o.judgeAttribute(t, f.Name, known) {
		case denied:
			return true
		case undecided:
			return false
		}
	}
	if fd != nil {
		for _, name := range append(fd.PK.Variables(), fd.SK.Variables()...) {
			if fd.Argument(name) == nil && name != keys.ViewerVariable && !has(name) {
				return false
			}
		}
		return fd.Count == "" || has(fd.Count) || !o.selectsCount(f)
	}
	switch {
	case f.Name == "__typename" || has(f.Name):
		return true
	case f.Name == "id" && t.Attribute("id") == nil:
		for _, name := range t.Identity {
			if !has(name) {
				return false
			}
		}
		return true
	}
	return false
}

func (o outline) selectsCount(f graphql.CollectedField) bool {
	for _, part := range o.collect(f, f.Definition.Type.Name()) {
		if part.Name == "totalCount" {
			return true
		}
	}
	return false
}

// expectsGets reports whether the ranges below an object, if they hold any
// items, lead to Gets in a later wave.
func (op *Operation) expectsGets(t *keys.Type, f graphql.CollectedField) bool {
	k := expectation{t, selectionOf(f)}
	expects, known := op.expected[k]
	if !known {
		expects = op.findExpectedGet(t, f)
		op.expected[k] = expects
	}
	return expects
}

func (op *Operation) findExpectedGet(t *keys.Type, f graphql.CollectedField) bool {
	for _, sub := range graphql.CollectFields(op.request, f.Selections, t.Satisfies) {
		fd := op.design.Field(t.Name, sub.Name)
		if fd == nil || fd.Kind != keys.Query || fd.Result != keys.Connection || !fd.EdgeNode {
			continue
		}
		node := op.design.Field(fd.Edge, "node")
		for _, part := range op.nodesOf(fd, sub) {
			if op.expectsGet(node, part) {
				return true
			}
		}
	}
	return false
}

// expectsGet reports whether an edge's node leads to a Get: its own, or one
// further down.
func (op *Operation) expectsGet(node *keys.Field, f graphql.CollectedField) bool {
	for _, name := range node.Types {
		t := op.design.Type(name)
		known := keys.KnownByKey(t)
		if !op.isAllKnown(keys.Condition{Field: node, Known: known}, f) || op.expectsGets(t, f) {
			return true
		}
	}
	return false
}

// nodesOf are the places in a connection's selection that ask for its nodes.
func (o outline) nodesOf(fd *keys.Field, f graphql.CollectedField) []graphql.CollectedField {
	var nodes []graphql.CollectedField
	for _, part := range o.collect(f, f.Definition.Type.Name()) {
		switch part.Name {
		case "nodes":
			nodes = append(nodes, part)
		case "edges":
			for _, sub := range o.collect(part, fd.Edge) {
				if sub.Name == "node" {
					nodes = append(nodes, sub)
				}
			}
		}
	}
	return nodes
}
