package admin

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/internal/jsonerror"
	"github.com/partita/partita/item"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/attribute"
)

// line is one item in the format of a DynamoDB export to S3: {"Item":{"PK":{"S":"..."},...}}.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.Output.html
type line struct {
	Item json.RawMessage `json:"Item"`
}

// LineError is a malformed line of a load.
type LineError struct {
	// File is the path of the file, or "" if its reader knows it.
	File string
	// Number counts from 1.
	Number int
	Err    error
}

func (e *LineError) Error() string {
	if e.File != "" {
		return fmt.Sprintf("%s:%d: %v", e.File, e.Number, e.Err)
	}
	return fmt.Sprintf("line %d: %v", e.Number, e.Err)
}

// Unwrap returns the reason.
func (e *LineError) Unwrap() error { return e.Err }

// atLine returns what is wrong with a line as a *LineError, nil for nothing.
func atLine(number int, err error) error {
	if err == nil {
		return nil
	}
	return &LineError{Number: number, Err: err}
}

// EncodeLine returns the line of an item as it is in the table, with a newline at its end.
func EncodeLine(it item.Item) ([]byte, error) { return encodeLine(attribute.FromItem(it)) }

func encodeLine(attributes map[string]types.AttributeValue) ([]byte, error) {
	value, err := attributevalue.MarshalMapJSON(attributes)
	if err != nil {
		return nil, fmt.Errorf("admin: encode an item: %w", err)
	}
	encoded := make([]byte, 0, len(value)+len(`{"Item":}`)+1)
	encoded = append(encoded, `{"Item":`...)
	encoded = append(encoded, value...)
	return append(encoded, '}', '\n'), nil
}

func decodeLine(text []byte) (map[string]types.AttributeValue, error) {
	var in line
	if bytes.HasPrefix(text, []byte("$ion_")) {
		return nil, errors.New("the export is in the format ION: export the table with --export-format DYNAMODB_JSON")
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, fmt.Errorf("not a JSON object: %w", jsonerror.Describe(err))
	}
	if in.Item == nil {
		return nil, errors.New(`no "Item": a line is {"Item": {...}}, as in a full export to S3`)
	}
	if !utf8.Valid(text) {
		return nil, errors.New("the line is not in UTF-8")
	}
	return decodeItem(in.Item)
}

// ParseItem returns the item in a text of DynamoDB's JSON, such as {"PK": {"S": "text"}, "SK": {"S": "text"}}, as a
// table with the schema stores it, but for the tenant. The error is for the person who has written it.
func ParseItem(s table.Schema, text []byte) (item.Item, error) {
	attributes, err := decodeItem(text)
	if err != nil {
		return nil, err
	}
	if err := checkKeys(s, attributes); err != nil {
		return nil, err
	}
	it := attribute.ToItems([]map[string]types.AttributeValue{attributes})[0]
	return it, it.Check()
}

func decodeItem(text []byte) (map[string]types.AttributeValue, error) {
	attributes, err := attributevalue.UnmarshalMapJSON(text)
	if err != nil {
		return nil, errors.New(`not an item in DynamoDB's JSON, such as {"PK": {"S": "text"}, "n": {"N": "1"}}`)
	}
	var typed map[string]typedJSON
	if err := json.Unmarshal(text, &typed); err != nil {
		return nil, fmt.Errorf("not an item in DynamoDB's JSON: %w", jsonerror.Describe(err))
	}
	for name, value := range attributes {
		if err := checkValue(value, 0); err != nil {
			return nil, fmt.Errorf("%.64q: %w", name, err)
		}
	}
	return attributes, nil
}

// typedJSON is a value in DynamoDB's JSON, which has one type. The decoder of the SDK takes any of several, and none of
// those that it does not know.
type typedJSON struct{}

var errTypes = errors.New(`a value has one type, such as {"S": "text"}`)

// UnmarshalJSON implements json.Unmarshaler: it returns an error for a value that has not one type.
func (*typedJSON) UnmarshalJSON(text []byte) error {
	var in map[string]json.RawMessage
	if err := json.Unmarshal(text, &in); err != nil || len(in) > 1 {
		return cmp.Or(err, errTypes)
	}
	for of, value := range in {
		switch of {
		case "L":
			return json.Unmarshal(value, &[]typedJSON{})
		case "M":
			return json.Unmarshal(value, &map[string]typedJSON{})
		case "S", "N", "B", "SS", "NS", "BS", "BOOL", "NULL":
		default:
			return errTypes
		}
	}
	return nil
}

// maxNesting is how deep DynamoDB nests values.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
const maxNesting = 32

// number is what DynamoDB stores as a number: neither NaN nor infinity.
var number = regexp.MustCompile(`^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

// checkValue returns an error for a value that no table can store.
func checkValue(value types.AttributeValue, depth int) error {
	if depth > maxNesting {
		return fmt.Errorf("values are nested deeper than %d levels", maxNesting)
	}
	switch value := value.(type) {
	case nil:
		return errors.New("it has no value")
	case *types.AttributeValueMemberN:
		return checkNumbers(value.Value)
	case *types.AttributeValueMemberNS:
		return checkNumbers(value.Value...)
	case *types.AttributeValueMemberL:
		for _, element := range value.Value {
			if err := checkValue(element, depth+1); err != nil {
				return err
			}
		}
	case *types.AttributeValueMemberM:
		for _, element := range value.Value {
			if err := checkValue(element, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkNumbers(texts ...string) error {
	for _, text := range texts {
		if !number.MatchString(text) {
			return fmt.Errorf("%.64q is no number", text)
		}
	}
	return nil
}

// checkKeys returns an error for an item that the table cannot store: without its key, or with an attribute of
// another type than the key of the table, or of an index that it is in.
func checkKeys(s table.Schema, attributes map[string]types.AttributeValue) error {
	l := s.Layout()
	for _, key := range s.KeyAttributes() {
		name, of := aws.ToString(key.AttributeName), "an index"
		if l.IsKey(name) {
			of = "the table"
		}
		value, has := attributes[name]
		_, isString := value.(*types.AttributeValueMemberS)
		_, isNumber := value.(*types.AttributeValueMemberN)
		wantsNumber := key.AttributeType == types.ScalarAttributeTypeN
		switch {
		case !has && l.IsKey(name):
			return fmt.Errorf("no %s, a key of the table", name)
		case has && (wantsNumber && !isNumber || !wantsNumber && !isString):
			return fmt.Errorf("%s is not of type %s, as the key of %s", name, key.AttributeType, of)
		}
	}
	if k := attribute.ToKey(l, attributes); !l.IsWhole(k) {
		return errors.New("a key of the table is empty, or beyond DynamoDB's Numbers")
	}
	return nil
}
