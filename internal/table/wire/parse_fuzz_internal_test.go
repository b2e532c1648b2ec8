package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/partita/partita/item"
	"github.com/partita/partita/table/attribute"
)

const aTable = "t"

// sdkParse returns what the SDK reads in a body. It panics on some texts that are not JSON.
func sdkParse(ctx context.Context, op operation, body string) (a answer, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("the SDK panics: %v", cause)
		}
	}()
	client := dynamodb.New(dynamodb.Options{
		Region: "us-east-1", Credentials: credentials.NewStaticCredentialsProvider("id", "secret", ""),
		Retryer: aws.NopRetryer{}, DisableValidateResponseChecksum: true,
		HTTPClient: doFunc(func(*http.Request) (*http.Response, error) {
			content := io.NopCloser(strings.NewReader(body))
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: content}, nil
		}),
	})
	key := map[string]types.AttributeValue{}
	units := func(all ...types.ConsumedCapacity) {
		for _, c := range all {
			a.units += aws.ToFloat64(c.CapacityUnits)
		}
	}
	switch op {
	case getItem:
		out, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String(aTable), Key: key})
		if err != nil {
			return a, err
		}
		if len(out.Item) > 0 {
			a.items = attribute.ToItems([]map[string]types.AttributeValue{out.Item})
		}
		if out.ConsumedCapacity != nil {
			units(*out.ConsumedCapacity)
		}
	case query:
		out, err := client.Query(ctx, &dynamodb.QueryInput{TableName: aws.String(aTable)})
		if err != nil {
			return a, err
		}
		a.items = attribute.ToItems(out.Items)
		if len(out.LastEvaluatedKey) > 0 {
			a.last = attribute.ToItems([]map[string]types.AttributeValue{out.LastEvaluatedKey})[0]
		}
		if out.ConsumedCapacity != nil {
			units(*out.ConsumedCapacity)
		}
	default:
		out, err := client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
			RequestItems: map[string]types.KeysAndAttributes{aTable: {Keys: []map[string]types.AttributeValue{key}}},
		})
		if err != nil {
			return a, err
		}
		a.items = attribute.ToItems(out.Responses[aTable])
		a.unprocessed = attribute.ToItems(out.UnprocessedKeys[aTable].Keys)
		units(out.ConsumedCapacity...)
	}
	return a, nil
}

type doFunc func(*http.Request) (*http.Response, error)

func (f doFunc) Do(r *http.Request) (*http.Response, error) { return f(r) }

// seeds are bodies of DynamoDB, and what a damaged one could look like.
var seeds = []string{
	``, ` `, `{}`, `null`, `[]`, `{"Item":{}}`, `{"Item":null}`, `{"Items":[]}`, `{"Items":[null]}`, `{"Items":[{}]}`,
	`{"ConsumedCapacity":{"CapacityUnits":0.5,"TableName":"t"},"Item":{"PK":{"S":"USER#7"},"SK":{"S":"USER#7"}}}`,
	`{"Item":{"s":{"S":"ü"},"n":{"N":"-12.50"},"t":{"BOOL":true},"f":{"BOOL":false},"nil":{"NULL":true},` +
		`"b":{"B":"AAH/"},"l":{"L":[{"S":"x"},{"N":"1"},{"L":[]}]},"m":{"M":{"k":{"S":"v"},"l":{"M":{}}}},` +
		`"ss":{"SS":["a","b"]},"ns":{"NS":["7"]},"bs":{"BS":["AA=="]},"es":{"S":""}}}`,
	`{"Count":2,"Items":[{"PK":{"S":"a"}},{"PK":{"S":"b"}}],"LastEvaluatedKey":{"PK":{"S":"b"},"SK":{"S":"c"}},` +
		`"ScannedCount":2}`,
	aBatch,
	`{"Item":{"a\"b":{"S":"\u00fc\n\/\ud83d\ude00\ud83d \ud83d\u0041"}}}`,
	"{\"Item\":{\"a\":{\"S\":\"\xff\\n\xff\xfe\"}}}", "{\"Item\":{\"a\":{\"S\":\"\n\"}}}",
	`{"Item":{"a":{"S":"x","N":"1"}}}`, `{"Item":{"a":{"X":[1,{"b":null}],"S":"x"}}}`, `{"Item":{"a":{}}}`,
	`{"Item":{"a":null}}`, `{"Item":{"a":{"S":null}}}`, `{"Item":{"a":{"L":[null]}}}`, `{"Item":{"a":{"SS":[null]}}}`,
	`{"Item":{"a":{"B":"*"}}}`, `{"Item":{"a":{"S":1}}}`, `{"Item":{"a":{"NULL":"x"}}}`, `{"Item":{"a":{"N":1}}}`,
	`{"Item":{"a":{"S":"x"}},}`, `{"Item":{"a":{"S":"x"}}} {}`, `{"Item":{"a":{"S":"x"`, `{"Item":{"a":{"S":"\x"}}}`,
	`{"ConsumedCapacity":{"CapacityUnits":"NaN"}}`, `{"ConsumedCapacity":{"CapacityUnits":01}}`,
	`{"Responses":{"":[,0`, `{"X":-}`, `{"X":1.}`, `{"X":00}`, `{"Item":{false}`,
	`{"Item":{"a":` + strings.Repeat(`{"L":[`, 32) + strings.Repeat(`]}`, 32) + `}}`,
	`{"Item":{"a":` + strings.Repeat(`{"M":{"a":`, 33) + `{"S":""}` + strings.Repeat(`}}`, 33) + `}}`,
	`{"X":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`,
}

const aBatch = `{"ConsumedCapacity":[{"CapacityUnits":1.5,"TableName":"t"},{"CapacityUnits":1e1}],` +
	`"Responses":{"t":[{"PK":{"S":"a"}}],"other":[{"PK":{"S":"z"}}]},` +
	`"UnprocessedKeys":{"t":{"Keys":[{"PK":{"S":"b"},"SK":{"S":"c"}}],"ConsistentRead":true}}}`

// FuzzParse compares the parser with the SDK's. The parser rejects some bodies that the SDK accepts, none of which
// DynamoDB sends. Those that the parser accepts are JSON, and the SDK rejects none of them, but for members that the
// parser does not read.
func FuzzParse(f *testing.F) {
	for _, body := range seeds {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if body == "" {
			return // the Client does not parse it
		}
		for op := range getRecords { // those of the table: see TestRecordsAreThoseOfTheSDK
			compare(t, op, body)
		}
	})
}

func compare(t *testing.T, op operation, body string) {
	t.Helper()
	got, err := parse(op, body, aTable)
	want, sdkErr := sdkParse(t.Context(), op, body)
	if err == nil && sdkErr != nil {
		want, sdkErr = sdkParse(t.Context(), op, relevant(body))
	}
	switch {
	case err != nil && sdkErr == nil && !isStrict(body, err):
		t.Fatalf("%s %q: got %v, but the SDK accepts it", op, body, err)
	case err == nil && !json.Valid([]byte(body)):
		t.Fatalf("%s %q: got %+v, but that is not JSON", op, body, got)
	case err == nil && sdkErr != nil:
		t.Fatalf("%s %q: got %+v, but the SDK rejects it: %v", op, body, got, sdkErr)
	case err != nil || ambiguous(body):
		return
	}
	sorted := cmpopts.SortSlices(func(a, b item.Attribute) bool { return a.Name < b.Name })
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(answer{}), sorted, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%s %q: (-SDK +wire)\n%s", op, body, diff)
	}
}

// relevant returns a JSON text with only those members that the parser reads.
func relevant(body string) string {
	return object(body, map[string]func(string) string{
		"Item": same, "Items": same, "LastEvaluatedKey": same,
		"ConsumedCapacity": func(capacity string) string {
			var list []json.RawMessage
			if json.Unmarshal([]byte(capacity), &list) != nil {
				return object(capacity, map[string]func(string) string{"CapacityUnits": same})
			}
			parts := make([]string, len(list))
			for i, one := range list {
				parts[i] = object(string(one), map[string]func(string) string{"CapacityUnits": same})
			}
			return "[" + strings.Join(parts, ",") + "]"
		},
		"Responses": func(tables string) string { return object(tables, map[string]func(string) string{aTable: same}) },
		"UnprocessedKeys": func(tables string) string {
			return object(tables, map[string]func(string) string{aTable: func(keys string) string {
				return object(keys, map[string]func(string) string{"Keys": same})
			}})
		},
	})
}

func same(text string) string { return text }

// object returns a JSON object with only some of its members, each changed by its function, and any other text as
// it is.
func object(text string, members map[string]func(string) string) string {
	var all map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &all) != nil || all == nil {
		return text
	}
	var parts []string
	for name, change := range members {
		if value, ok := all[name]; ok {
			parts = append(parts, fmt.Sprintf("%q:%s", name, change(string(value))))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// isStrict reports whether the error is one of those that the SDK does not have.
func isStrict(body string, err error) bool {
	return errors.Is(err, errDepth) || errors.Is(err, errTrailing) || errors.Is(err, errTwoTypes) ||
		!json.Valid([]byte(body)) || ambiguous(body) || strings.Contains(body, "CapacityUnits")
}

// ambiguous reports whether the SDK's answer to a JSON text depends on what it has read before, or on which of two
// equal names is last: DynamoDB does not send that.
func ambiguous(body string) bool {
	if hasTwins(json.NewDecoder(strings.NewReader(body))) {
		return true
	}
	var top struct {
		Item, LastEvaluatedKey map[string]any
		Items                  []map[string]any
		Responses              map[string][]map[string]any
		UnprocessedKeys        map[string]struct{ Keys []map[string]any }
	}
	if json.Unmarshal([]byte(body), &top) != nil {
		return false
	}
	all := slices.Concat(top.Items, top.Responses[aTable], top.UnprocessedKeys[aTable].Keys)
	for _, it := range append(all, top.Item, top.LastEvaluatedKey) {
		for _, v := range it {
			if isUntyped(v) {
				return true
			}
		}
	}
	return false
}

// isUntyped reports whether a value, or one within, has no type that the SDK knows.
func isUntyped(v any) bool {
	object, _ := v.(map[string]any)
	typed := v == nil
	for _, kind := range []string{"S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS"} {
		typed = typed || object[kind] != nil
	}
	if list, is := object["L"].([]any); is {
		typed = true
		if slices.ContainsFunc(list, isUntyped) {
			return true
		}
	}
	if fields, is := object["M"].(map[string]any); is {
		typed = true
		for _, field := range fields {
			if isUntyped(field) {
				return true
			}
		}
	}
	return !typed
}

// hasTwins reports whether the next value of a JSON text has an object with two members of the same name, as
// encoding/json compares the names of a struct.
func hasTwins(d *json.Decoder) bool {
	d.UseNumber()
	opening, _ := d.Token()
	names := map[string]bool{}
	switch opening {
	case json.Delim('{'):
		for d.More() {
			name, _ := d.Token()
			key := strings.ToLower(fmt.Sprint(name))
			if names[key] || hasTwins(d) {
				return true
			}
			names[key] = true
		}
	case json.Delim('['):
		for d.More() {
			if hasTwins(d) {
				return true
			}
		}
	default:
		return false
	}
	_, _ = d.Token() // the end
	return false
}
