package loaders

import (
	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// boundOperation is an operation with the design, its variables and its viewer: it has the key
// conditions of fields, and what is selected below them.
type boundOperation struct {
	design  *keys.Design
	request *graphql.OperationContext
	// viewer is the caller; nil if it may be anyone.
	viewer *viewer.Viewer
}

// conditions returns the key conditions of a field of the document: at most one, or one for each id
// of nodes. A condition that is empty or has an error is left out; the resolver returns the error.
// parent is nil at the root and may be key-only.
func (o boundOperation) conditions(fd *keys.Field, f graphql.CollectedField, parent item.Item) []keys.Condition {
	var cs []keys.Condition
	for _, b := range o.bind(fd, f, parent) {
		if c, err := b.Condition(); err == nil && !c.IsEmpty() {
			cs = append(cs, c)
		}
	}
	return cs
}

// bind binds a field of the document to its arguments and the parent's attributes.
func (o boundOperation) bind(fd *keys.Field, f graphql.CollectedField, parent item.Item) []keys.BoundField {
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

func (o boundOperation) bindNodes(fd *keys.Field, raw ...any) []keys.BoundField {
	var bound []keys.BoundField
	for _, r := range raw {
		var id keys.ID
		if err := id.UnmarshalGQL(r); err == nil {
			bound = append(bound, o.design.BindNode(fd, id))
		}
	}
	return bound
}

// walkField registers the Reads of a field, and of everything below it whose keys are known. What is
// denied to the viewer is not read; the resolver returns the error. The lock is held.
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

// firstWalk reports whether the selection is walked for the first time for this Read.
func (op *Operation) firstWalk(r Read, f graphql.CollectedField) bool {
	k := walkKey{r, selectionOf(f)}
	if _, walked := op.walked[k]; walked {
		return false
	}
	op.walked[k] = struct{}{}
	return true
}

// walkGet walks what is selected below an object twice: at once with the key-only item, and with the
// stored item when it has been read.
func (op *Operation) walkGet(c keys.Condition, f graphql.CollectedField) {
	r := getOf(c)
	if !op.firstWalk(r, f) {
		return
	}
	op.walkObject(c.KeyOnly, f)
	keyOnly := op.servedByKey(c, f)
	if keyOnly && c.Field.IsReference() {
		return
	}
	if keyOnly && op.hasLaterGets(op.design.Type(c.KeyOnly.Type()), f) {
		op.registerDeferred(r)
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

// walkConnection registers the Reads of a page, and walks what is selected below its items, or below
// the nodes of edges that are items of their own.
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
	if !op.allowsItems(page.condition, page.Items) {
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

// walkObject walks the fields of an object. The item may be key-only. Nothing below an object is read
// until the viewer is authorized to read the object: the cost would show that it exists.
func (op *Operation) walkObject(it item.Item, f graphql.CollectedField) {
	t := op.design.Type(it.Type())
	if t == nil || op.decideItem(t, it) != allow {
		return
	}
	for _, sub := range graphql.CollectFields(op.request, f.Selections, t.Satisfies) {
		if fd := op.design.Field(t.Name, sub.Name); fd != nil {
			op.walkField(fd, op.conditions(fd, sub, it), sub)
		}
	}
}

// collect returns the fields of an object type in a field's selection.
func (o boundOperation) collect(f graphql.CollectedField, object string) []graphql.CollectedField {
	return graphql.CollectFields(o.request, f.Selections, []string{object})
}

// selectsPage reports whether a connection's selection contains any of its items, not only their
// count.
func (o boundOperation) selectsPage(f graphql.CollectedField) bool {
	for _, part := range o.collect(f, f.Definition.Type.Name()) {
		switch part.Name {
		case "edges", "nodes", "pageInfo":
			return true
		}
	}
	return false
}

// isKeyOnly reports whether a field that refers to an object is answered from the object's key, so
// that the object is not read.
func (o boundOperation) isKeyOnly(c keys.Condition, f graphql.CollectedField) bool {
	return c.Field.IsReference() && o.servedByKey(c, f)
}

// servedByKey reports whether the object's key has all fields that are selected, and the owner if the
// access rule needs it. The key does not show whether the object exists.
func (o boundOperation) servedByKey(c keys.Condition, f graphql.CollectedField) bool {
	t := o.design.Type(c.KeyOnly.Type())
	if o.decideItem(t, c.KeyOnly) == unknown {
		return false
	}
	for _, sub := range graphql.CollectFields(o.request, f.Selections, t.Satisfies) {
		if !o.fieldServedByKey(t, c.KeyOnly, sub) {
			return false
		}
	}
	return true
}

// fieldServedByKey reports whether the key-only item is enough to answer a field of an object, or to
// make the field's own Read.
func (o boundOperation) fieldServedByKey(t *keys.Type, keyOnly item.Item, f graphql.CollectedField) bool {
	has := func(name string) bool {
		_, ok := keyOnly.Get(name)
		return ok
	}
	fd := o.design.Field(t.Name, f.Name)
	if fd == nil || fd.Rule() == nil || fd.Argument(fd.Rule().Owner) == nil {
		switch o.decideAttribute(t, f.Name, keyOnly) {
		case deny:
			return true
		case unknown:
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

func (o boundOperation) selectsCount(f graphql.CollectedField) bool {
	for _, part := range o.collect(f, f.Definition.Type.Name()) {
		if part.Name == "totalCount" {
			return true
		}
	}
	return false
}

// hasLaterGets reports whether the Ranges below an object lead to Gets in a later wave, if they have
// any items.
func (op *Operation) hasLaterGets(t *keys.Type, f graphql.CollectedField) bool {
	k := laterGetsKey{t, selectionOf(f)}
	has, found := op.laterGets[k]
	if !found {
		has = op.findLaterGets(t, f)
		op.laterGets[k] = has
	}
	return has
}

func (op *Operation) findLaterGets(t *keys.Type, f graphql.CollectedField) bool {
	for _, sub := range graphql.CollectFields(op.request, f.Selections, t.Satisfies) {
		fd := op.design.Field(t.Name, sub.Name)
		if fd == nil || fd.Kind != keys.Query || fd.Result != keys.Connection || !fd.EdgeNode {
			continue
		}
		node := op.design.Field(fd.Edge, "node")
		for _, part := range op.nodesOf(fd, sub) {
			if op.nodeHasGet(node, part) {
				return true
			}
		}
	}
	return false
}

// nodeHasGet reports whether an edge's node leads to a Get: its own, or one further down.
func (op *Operation) nodeHasGet(node *keys.Field, f graphql.CollectedField) bool {
	for _, name := range node.Types {
		t := op.design.Type(name)
		c := keys.Condition{Field: node, KeyOnly: keys.KeyOnly(t)}
		if !op.servedByKey(c, f) || op.hasLaterGets(t, f) {
			return true
		}
	}
	return false
}

// nodesOf returns the places in a connection's selection that select its nodes.
func (o boundOperation) nodesOf(fd *keys.Field, f graphql.CollectedField) []graphql.CollectedField {
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
