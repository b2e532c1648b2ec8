package admin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

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
		return nil, fmt.Errorf("not a JSON object: %w", err)
	}
	if in.Item == nil {
		return nil, errors.New(`no "Item": a line is {"Item": {...}}, as in a full export to S3`)
	}
	attributes, err := attributevalue.UnmarshalMapJSON(in.Item)
	if err != nil {
		return nil, fmt.Errorf("not an item in DynamoDB's JSON: %w", err)
	}
	return attributes, nil
}

// checkKeys returns a *LineError for an item that the table cannot store: without its key, or with an attribute of
// another type than the key of an index that it is in.
func checkKeys(s table.Schema, attributes map[string]types.AttributeValue, line int) error {
	l := s.Layout()
	if k := attribute.ToKey(l, attributes); k.PK == "" || k.SK == "" {
		return &LineError{Number: line, Err: fmt.Errorf("no string %s and %s", l.PK, l.SK)}
	}
	for _, key := range s.KeyAttributes() {
		name := aws.ToString(key.AttributeName)
		value, has := attributes[name]
		_, isString := value.(*types.AttributeValueMemberS)
		_, isNumber := value.(*types.AttributeValueMemberN)
		wantsNumber := key.AttributeType == types.ScalarAttributeTypeN
		if has && (wantsNumber && !isNumber || !wantsNumber && !isString) {
			return &LineError{
				Number: line, Err: fmt.Errorf("%s is not of type %s, as the key of an index", name, key.AttributeType),
			}
		}
	}
	return nil
}
