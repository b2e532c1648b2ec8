package plan

import "github.com/vektah/gqlparser/v2/ast"

// CompileField returns the plan of a field of an object by itself: of a connection with its edges, and without anything
// else that is selected below. The object that has the field is not included.
func (s *Schema) CompileField(parent, name string, arguments ...*ast.Argument) *Plan {
	t := s.types[parent]
	operation := &ast.OperationDefinition{Operation: ast.Query}
	if t.Definition == s.AST.Mutation {
		operation.Operation = ast.Mutation
	}
	field := &ast.Field{
		Name: name, Alias: name, Definition: t.Definition.Fields.ForName(name), ObjectDefinition: t.Definition,
		Arguments: arguments, Position: &ast.Position{},
	}
	below := s.AST.Types[field.Definition.Type.Name()]
	if below.IsCompositeType() {
		field.SelectionSet = ast.SelectionSet{typenameField(below)}
	}
	if edges := below.Fields.ForName(edgesName); s.isConnection(parent, name) && edges != nil {
		edge := s.AST.Types[edges.Type.Name()]
		field.SelectionSet = ast.SelectionSet{&ast.Field{
			Name: edgesName, Alias: edgesName, Definition: edges, ObjectDefinition: below, Position: &ast.Position{},
			SelectionSet: ast.SelectionSet{typenameField(edge)},
		}}
	}
	operation.SelectionSet = ast.SelectionSet{field}
	c := &compiler{
		Schema: s, doc: &ast.QueryDocument{}, plan: &Plan{Schema: s, Operation: operation},
		sets: make(map[*ast.Selection]uint32), objects: make(map[string]*Object),
	}
	c.plan.Root = c.object(t, []ast.SelectionSet{operation.SelectionSet})
	c.plan.objects = len(c.objects)
	return c.plan
}

func (s *Schema) isConnection(parent, name string) bool {
	f := s.types[parent].fields[name]
	return f.read != nil && s.types[f.definition.Type.Name()] != nil && s.types[f.definition.Type.Name()].connection != nil
}

func typenameField(of *ast.Definition) *ast.Field {
	return &ast.Field{
		Name: "__typename", Alias: "__typename", ObjectDefinition: of, Position: &ast.Position{},
		Definition: &ast.FieldDefinition{Name: "__typename", Type: ast.NonNullNamedType("String", nil)},
	}
}
