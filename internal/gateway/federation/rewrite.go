package federation

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/design"
)

// rewriter changes a document of a subgraph to one that gqlgen executes with the same result:
//
//   - _entities becomes nodes without ids. What it returns has been read from the plan, which has the representations;
//     resolvers find it by the alias of the field.
//   - _service becomes __typename, whose value is replaced afterwards.
//   - A fragment on the union of all entities becomes one for each of them.
//
// Documents are shared by requests, so that all that differs is copied.
type rewriter struct {
	schema   *ast.Schema
	doc      *ast.QueryDocument
	entities []string
	nodes    *ast.FieldDefinition
	// definitions are the rewritten fragments by their names: several for one on the union.
	definitions map[string]ast.FragmentDefinitionList
}

func newRewriter(schema *ast.Schema, doc *ast.QueryDocument) *rewriter {
	r := &rewriter{schema: schema, doc: doc, nodes: schema.Query.Fields.ForName(nodesField)}
	if union := schema.Types[design.EntityUnion]; union != nil {
		r.entities = union.Types
	}
	return r
}

// isNeeded reports whether the document has anything that gqlgen does not know.
func (r *rewriter) isNeeded() bool {
	return slices.ContainsFunc(r.doc.Fragments, func(f *ast.FragmentDefinition) bool {
		return f.TypeCondition == design.EntityUnion || r.isIn(f.SelectionSet)
	}) || slices.ContainsFunc(r.doc.Operations, func(o *ast.OperationDefinition) bool { return r.isIn(o.SelectionSet) })
}

func (r *rewriter) isIn(set ast.SelectionSet) bool {
	return slices.ContainsFunc(set, func(selection ast.Selection) bool {
		switch s := selection.(type) {
		case *ast.Field:
			return r.is(s, design.EntitiesField) || r.is(s, design.ServiceField) || r.isIn(s.SelectionSet)
		case *ast.InlineFragment:
			return s.TypeCondition == design.EntityUnion || r.isIn(s.SelectionSet)
		default:
			return false
		}
	})
}

// is reports whether a field is the one of that name of the root of queries.
func (r *rewriter) is(f *ast.Field, name string) bool {
	return f.Name == name && f.ObjectDefinition.Name == r.schema.Query.Name
}

// rewritten returns the document with one of its operations.
func (r *rewriter) rewritten(operation *ast.OperationDefinition) (*ast.QueryDocument, *ast.OperationDefinition) {
	doc := &ast.QueryDocument{Position: r.doc.Position}
	r.definitions = map[string]ast.FragmentDefinitionList{}
	for _, f := range r.doc.Fragments {
		for i, name := range r.conditions(f.TypeCondition) {
			definition := *f
			definition.TypeCondition = name
			if i > 0 {
				definition.Name += " " + name // no document has such a name
			}
			r.definitions[f.Name] = append(r.definitions[f.Name], &definition)
		}
		doc.Fragments = append(doc.Fragments, r.definitions[f.Name]...)
	}
	for _, definitions := range r.definitions {
		set := r.selections(definitions[0].SelectionSet)
		for _, definition := range definitions {
			definition.SelectionSet = set
		}
	}
	executed := *operation
	executed.SelectionSet = r.selections(operation.SelectionSet)
	doc.Operations = ast.OperationList{&executed}
	return doc, &executed
}

// conditions returns the types on which a fragment is.
func (r *rewriter) conditions(condition string) []string {
	if condition == design.EntityUnion {
		return r.entities
	}
	return []string{condition}
}

func (r *rewriter) selections(set ast.SelectionSet) ast.SelectionSet {
	rewritten := make(ast.SelectionSet, 0, len(set))
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			rewritten = append(rewritten, r.field(s))
		case *ast.InlineFragment:
			inside := r.selections(s.SelectionSet)
			for _, name := range r.conditions(s.TypeCondition) {
				fragment := *s
				fragment.TypeCondition, fragment.SelectionSet = name, inside
				rewritten = append(rewritten, &fragment)
			}
		case *ast.FragmentSpread:
			for _, definition := range r.definitions[s.Name] {
				spread := *s
				spread.Name, spread.Definition = definition.Name, definition
				rewritten = append(rewritten, &spread)
			}
		}
	}
	return rewritten
}

func (r *rewriter) field(f *ast.Field) *ast.Field {
	field := *f
	switch {
	case r.is(f, design.ServiceField):
		field.Name, field.SelectionSet = "__typename", nil
		return &field
	case r.is(f, design.EntitiesField):
		field.Name, field.Definition = r.nodes.Name, r.nodes
		none := &ast.Value{Kind: ast.ListValue, Position: f.Position}
		field.Arguments = ast.ArgumentList{{Name: r.nodes.Arguments[0].Name, Value: none, Position: f.Position}}
	}
	field.SelectionSet = r.selections(f.SelectionSet)
	return &field
}
