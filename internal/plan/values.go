package plan

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkArgument returns an error for a value that a scalar of the engine does not have. Other values have been
// checked by the validation and the coercion of variables.
func (s *Schema) checkArgument(typ *ast.Type, value any, name string) *ArgumentError {
	path, err := s.checkValue(typ, value)
	if err == nil {
		return nil
	}
	path = append(path, ast.PathName(name))
	slices.Reverse(path)
	return &ArgumentError{path, err}
}

// checkValue returns the first error in a value, and the path to it from the inside.
func (s *Schema) checkValue(typ *ast.Type, value any) (ast.Path, error) {
	if value == nil {
		return nil, nil
	}
	if typ.Elem != nil {
		return s.checkList(typ.Elem, value)
	}
	switch typ.NamedType {
	case "Int", "String", "Boolean", "Float":
		return nil, nil
	case "ID":
		text, _ := value.(string)
		return nil, keys.CheckIDText(text)
	case "Time":
		text, _ := value.(string)
		_, err := keys.ParseTime(text)
		return nil, err
	case "Int64":
		_, err := keys.ParseInt64(value)
		return nil, err
	case "Date":
		var d keys.CalendarDate
		return nil, d.UnmarshalGQL(value)
	}
	object, isObject := value.(map[string]any)
	if !isObject {
		return nil, nil
	}
	for _, field := range s.AST.Types[typ.NamedType].Fields {
		if path, err := s.checkValue(field.Type, object[field.Name]); err != nil {
			return append(path, ast.PathName(field.Name)), err
		}
	}
	return nil, nil
}

func (s *Schema) checkList(element *ast.Type, value any) (ast.Path, error) {
	list, isList := value.([]any)
	if !isList {
		list = []any{value}
	}
	for i, v := range list {
		if path, err := s.checkValue(element, v); err != nil {
			return append(path, ast.PathIndex(i)), err
		}
	}
	return nil, nil
}
