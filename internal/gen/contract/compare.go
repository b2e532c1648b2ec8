package contract

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/design"
)

// Version is a version of an API.
type Version struct {
	// API is the schema as clients see it. It is valid.
	API *ast.Schema
	// Design is where its objects are stored; nil if only the API is known.
	Design *design.Design
	// Source is the schema with the directives of the design; nil without one.
	Source *ast.Schema
	// Files are the names of the schema's files. What is in none of them is built in, and has no place.
	Files []string
}

// Compare returns the changes from a version of the API to a newer one. Their order in files makes no difference.
func Compare(base, head Version) Changes {
	c := &comparison{
		base: base.API, head: head.API, used: usage(base.API), files: slices.Concat(base.Files, head.Files),
		changes: Changes{}, damaging: map[string]bool{},
	}
	if base.Design != nil && head.Design != nil {
		d := designs{comparison: c, base: base.Design, head: head.Design}
		d.compare()
		d.parts(storedBy(base), storedBy(head))
	}
	c.roots()
	c.types()
	c.directives()
	c.changes.sort()
	return c.changes
}

// roots compares the types with which operations begin. GraphQL.js has no rule for them.
func (c *comparison) roots() {
	for _, root := range []struct {
		operation  ast.Operation
		base, head *ast.Definition
	}{
		{ast.Query, c.base.Query, c.head.Query},
		{ast.Mutation, c.base.Mutation, c.head.Mutation},
		{ast.Subscription, c.base.Subscription, c.head.Subscription},
	} {
		at := positionsOf(root.base, root.head)
		switch {
		case root.base == nil && root.head == nil:
		case root.base == nil:
			c.safe("schema", at, "there are operations of type %s now", root.operation)
		case root.head == nil:
			c.within(c.used.isAnnounced(root.base.Name), func() {
				c.breaking("schema", at, "deprecate all of its fields first", "no %s is executed any more", root.operation)
			})
		case root.base.Name != root.head.Name:
			c.breaking("schema", at, "give the type its former name",
				"the type of a %s was %s and is %s: fragments on the former are not valid any more",
				root.operation, root.base.Name, root.head.Name)
		}
	}
}
