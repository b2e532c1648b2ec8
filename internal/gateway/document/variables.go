package document

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/internal/gateway/response"
)

// Coerce is CoerceVariableValues() of the GraphQL specification, section 6.1.2, for values with
// [json.Number]. The executor's own coercion, which follows, accepts more than the specification allows: "10" for an
// Int, 7 for a String, enum names in any case.
//
// A variable has at most one error, so that their number is limited by that of the operation's definitions.
//
// It changes the map of given values, which is the result if it has no others.
func Coerce(
	schema *ast.Schema, operation *ast.OperationDefinition, given map[string]any,
) (map[string]any, *response.Error) {
	if len(operation.VariableDefinitions) == 0 {
		return nil, nil
	}
	if given == nil {
		given = map[string]any{}
	}
	coerced := 0
	var errs gqlerror.List
	for _, definition := range operation.VariableDefinitions {
		value, present, err := coerceVariable(schema, definition, given)
		if err != nil {
			errs = append(errs, gqlerror.ErrorPosf(definition.Position, "%s", err))
		} else if present {
			given[definition.Variable] = value
			coerced++
		}
	}
	if len(errs) > 0 {
		return nil, response.ErrorOf(http.StatusUnprocessableEntity, response.CodeBadUserInput, errs)
	}
	if len(given) == coerced {
		return given, nil
	}
	own := make(map[string]any, coerced) // without those that the operation does not have
	for _, definition := range operation.VariableDefinitions {
		if value, present := given[definition.Variable]; present {
			own[definition.Variable] = value
		}
	}
	return own, nil
}

func coerceVariable(
	schema *ast.Schema, definition *ast.VariableDefinition, given map[string]any,
) (value any, present bool, err error) {
	value, present = given[definition.Variable]
	switch {
	case present:
		if value, err = coerce(schema, definition.Type, value); err != nil {
			err = within("$"+definition.Variable, err)
		}
		return value, true, err
	case definition.DefaultValue != nil:
		value, err = definition.DefaultValue.Value(nil)
		return value, true, err
	case definition.Type.NonNull:
		return nil, false, within("$"+definition.Variable,
			invalid("of type %s is required. Give it in \"variables\".", definition.Type))
	default:
		return nil, false, nil
	}
}

// coerce returns a value of the type.
func coerce(schema *ast.Schema, typ *ast.Type, value any) (any, error) {
	if value == nil {
		if typ.NonNull {
			return nil, invalid("of type %s must not be null.", typ)
		}
		return nil, nil
	}
	if typ.Elem != nil {
		return coerceList(schema, typ, value)
	}
	definition := schema.Types[typ.NamedType]
	switch definition.Kind {
	case ast.InputObject:
		return coerceObject(schema, definition, value)
	case ast.Enum:
		if name, isString := value.(string); isString && definition.EnumValues.ForName(name) != nil {
			return name, nil
		}
		return nil, invalid("must be the name of a value of the enum %s.", definition.Name)
	default:
		return coerceScalar(definition.Name, value)
	}
}

// coerceList also accepts a value that is not a list, as a list of one (section 3.11).
func coerceList(schema *ast.Schema, typ *ast.Type, value any) (any, error) {
	items, isList := value.([]any)
	if !isList {
		item, err := coerce(schema, typ.Elem, value)
		return []any{item}, err
	}
	coerced := make([]any, len(items))
	for i, item := range items {
		var err error
		if coerced[i], err = coerce(schema, typ.Elem, item); err != nil {
			return nil, within("["+strconv.Itoa(i)+"]", err)
		}
	}
	return coerced, nil
}

// coerceObject adds no defaults of absent fields; the generated code does.
func coerceObject(schema *ast.Schema, definition *ast.Definition, value any) (any, error) {
	object, isObject := value.(map[string]any)
	if !isObject {
		return nil, invalid("must be an object of the input type %s.", definition.Name)
	}
	for name := range object {
		if definition.Fields.ForName(name) == nil {
			return nil, invalid("has a field that the input type %s does not have.", definition.Name)
		}
	}
	if definition.Directives.ForName("oneOf") != nil && !hasOneValue(object) {
		return nil, invalid("must have exactly one of the fields of %s, and that one not null.", definition.Name)
	}
	coerced := make(map[string]any, len(object))
	for _, field := range definition.Fields {
		fieldValue, present := object[field.Name]
		if !present {
			if field.Type.NonNull && field.DefaultValue == nil {
				return nil, invalid("lacks the required field %s: %s.", field.Name, field.Type)
			}
			continue
		}
		var err error
		if coerced[field.Name], err = coerce(schema, field.Type, fieldValue); err != nil {
			return nil, within("."+field.Name, err)
		}
	}
	return coerced, nil
}

// A variableError is a message for the caller about a value in the variables.
type variableError struct {
	place string // such as $input.tags[2]
	text  string
}

func (e *variableError) Error() string { return "Variable " + e.place + " " + e.text }

// invalid returns an error about a value whose place within adds.
func invalid(format string, args ...any) error {
	return &variableError{text: fmt.Sprintf(format, args...)}
}

// within returns an error about a value that is at a place within another one. The places of values that are valid are
// never made.
func within(place string, err error) error {
	if e, is := errors.AsType[*variableError](err); is {
		return &variableError{place + e.place, e.text}
	}
	return err
}

func hasOneValue(object map[string]any) bool {
	for _, value := range object {
		return len(object) == 1 && value != nil
	}
	return false
}

// coerceScalar checks the scalars of the specification (section 3.5). The schema's own scalars are checked by their Go
// types when the arguments are read.
func coerceScalar(scalar string, value any) (any, error) {
	coerced, ok := value, true // text is not put into another interface
	switch scalar {
	case "Int":
		coerced, ok = asInt(value)
	case "Float":
		coerced, ok = asFloat(value)
	case "String":
		_, ok = value.(string)
	case "Boolean":
		_, ok = value.(bool)
	case "ID":
		if _, ok = value.(string); !ok {
			coerced, ok = asID(value)
		}
	}
	if !ok {
		return nil, invalid("must be %s.", scalarValues[scalar])
	}
	return coerced, nil
}

var scalarValues = map[string]string{
	"Int":     "an Int: a JSON number without fraction, of at most 32 bits",
	"Float":   "a Float: a JSON number",
	"String":  "a String: a JSON string",
	"Boolean": "a Boolean: true or false",
	"ID":      "an ID: a JSON string",
}

// asInt also accepts 10.0 and 1e1, which are the same number as 10 in JSON.
func asInt(value any) (int64, bool) {
	number, isNumber := asFloat(value)
	if !isNumber || number != math.Trunc(number) || number < math.MinInt32 || number > math.MaxInt32 {
		return 0, false
	}
	return int64(number), true
}

func asFloat(value any) (float64, bool) {
	number, isNumber := value.(json.Number)
	if !isNumber {
		return 0, false
	}
	float, err := number.Float64()
	return float, err == nil
}

// asID returns the text of an ID that is a number.
func asID(value any) (string, bool) {
	number, isNumber := value.(json.Number)
	if !isNumber {
		return "", false
	}
	_, err := number.Int64()
	return number.String(), err == nil
}
