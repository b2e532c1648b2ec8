package admin

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
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
	// Number counts from 1.
	Number int
	Err    error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Number, e.Err) }

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
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, fmt.Errorf("not a JSON object: %w", err)
	}
	if in.Item == nil {
		return nil, errors.New(`no "Item"`)
	}
	attributes, err := attributevalue.UnmarshalMapJSON(in.Item)
	if err != nil {
		return nil, fmt.Errorf("not an item in DynamoDB's JSON: %w", err)
	}
	return attributes, nil
}

// checkKey returns a *LineError for an item that the table cannot store.
func checkKey(l *keys.Layout, attributes map[string]types.AttributeValue, line int) error {
	if k := attribute.ToKey(l, attributes); k.PK == "" || k.SK == "" {
		return &LineError{Number: line, Err: fmt.Errorf("no string %s and %s", l.PK, l.SK)}
	}
	return nil
}
