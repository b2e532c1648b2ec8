package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/partita/partita/internal/defaults"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/response"
)

// standardBody is readBody by encoding/json, in a pass for each question.
func standardBody(body []byte, limits Limits) (Parameters, *response.Error) {
	if !utf8.Valid(body) {
		return Parameters{}, response.BadEncoding("request body")
	}
	if !json.Valid(body) {
		return Parameters{}, response.MalformedBody()
	}
	properties, err := standardProperties(body)
	if err != nil {
		return Parameters{}, err
	}
	var p Parameters
	if p.Query, p.hasQuery, err = standardString(properties["query"], "query"); err != nil {
		return p, err
	}
	if p.OperationName, _, err = standardString(properties["operationName"], "operationName"); err != nil {
		return p, err
	}
	if p.Variables, err = standardMap(properties["variables"], "variables", limits); err != nil {
		return p, err
	}
	p.VariableBytes = len(properties["variables"])
	if p.Extensions, err = standardMap(properties["extensions"], "extensions", limits); err != nil {
		return p, err
	}
	return p.withHash()
}

func standardProperties(body []byte) (map[string]json.RawMessage, *response.Error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	if first, err := decoder.Token(); err != nil || first != json.Delim('{') {
		return nil, response.BadParameter(
			`The request body must be one JSON object, such as {"query": "{ __typename }"}. ` +
				`Arrays of operations are not accepted.`)
	}
	properties := map[string]json.RawMessage{}
	for decoder.More() {
		token, err := decoder.Token()
		name, isName := token.(string)
		var value json.RawMessage
		if err = errors.Join(err, decoder.Decode(&value)); err != nil || !isName {
			return nil, response.MalformedBody()
		}
		if _, repeated := properties[name]; repeated {
			return nil, response.BadParameter("The request body repeats a property. Give each property once.")
		}
		properties[name] = value
	}
	return properties, nil
}

func isAbsent(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

func standardString(raw json.RawMessage, name string) (text string, given bool, err *response.Error) {
	if isAbsent(raw) {
		return "", false, nil
	}
	if err := json.Unmarshal(raw, &text); err != nil {
		return "", false, response.BadParameter("The parameter %q must be a string.", name)
	}
	return text, true, nil
}

func standardMap(raw json.RawMessage, name string, limits Limits) (map[string]any, *response.Error) {
	if isAbsent(raw) {
		return nil, nil
	}
	if len(raw) > limits.MaxVariablesBytes {
		return nil, response.BadParameter("The parameter %q is larger than %d bytes of JSON. Send less at once.",
			name, limits.MaxVariablesBytes)
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		return nil, response.BadParameter("The parameter %q must be a JSON object.", name)
	}
	return object, checkJSON(object, name, limits, 0)
}

// tight are limits that short bodies reach.
var tight = Limits{MaxVariablesBytes: 60, MaxDepth: 3, MaxListItems: 4}

// compareBody checks that a body is read as by encoding/json, with the same error.
func compareBody(t *testing.T, body []byte) {
	t.Helper()
	got, err := ReadBody(body, tight)
	want, wantErr := standardBody(body, tight)
	if err != nil && wantErr != nil {
		message, wantMessage := err.Errors[0].Message, wantErr.Errors[0].Message
		// A value may exceed two limits, and the fields of an object have no order.
		if err.Status != wantErr.Status || message != wantMessage && !(isLimit(message) && isLimit(wantMessage)) {
			t.Errorf("%.200q: got %d %s, want %d %s", body, err.Status, message, wantErr.Status, wantMessage)
		}
		return
	}
	if (err == nil) != (wantErr == nil) || !reflect.DeepEqual(got, want) {
		t.Errorf("%.200q: got %#v %+v, want %#v %+v", body, got, err, want, wantErr)
	}
}

func isLimit(message string) bool {
	return strings.Contains(message, "nests") || strings.Contains(message, "has a list")
}

var bodies = []string{
	"", " ", "null", "[]", "[", "[1,]", `"x"`, "{}", "{} {}", "{},", `{"query"}`, `{"query":}`, `{"query":1,}`, "\ufeff{}",
	`{"query":null}`, `{"query":7}`, `{"query":[[]]}`, `{"query":{}}`, `{"query":true}`, `{"query":"` + "\xff" + `"}`,
	` { "query" : "{a}" , "x" : [ 1 , { "y" : null } ] } `, `{"Query":"{a}"}`, `{"\u0071uery":"{a}"}`,
	`{"query":"a","query":"b"}`, `{"x":1,"x":2,"query":"a"}`, `{"\ud800":1,"\ud801":2,"query":"a"}`,
	`{"query":"a","query":"b"`, `{"query":"a","operationName":7}`, `{"query":"a","operationName":"b"}`,
	`{"query":"\"\\\/\b\f\n\r\t\u00e9\u20AC\ud83d\ude00"}`, `{"query":"\ud83d"}`, `{"query":"\ud83d\ud83d\ude00"}`,
	`{"query":"\ude00\ud83d"}`, `{"query":"\ud83dx"}`, `{"query":"\ud83d\n"}`, `{"query":"\ud83d\u00e9"}`,
	`{"query":"\ud83d\u12"}`, `{"query":"\ud83d\uzzzz"}`, `{"query":"\u12"}`, `{"query":"\u+123"}`, `{"query":"\x"}`,
	`{"query":"\'"}`, `{"query":"\`, `{"query":"` + "\n" + `"}`, `{"query":"a\n` + "\t" + `"}`,
	`{"query":"` + "\x7f\u2028" + `"}`,
	`{"query":"a","variables":{"n":-0.5e+10,"i":12345678901234567890,"z":0,"e":1E2}}`,
	`{"query":"a","variables":{"n":01}}`, `{"query":"a","variables":{"n":-}}`, `{"query":"a","variables":{"n":1.}}`,
	`{"query":"a","variables":{"n":.5}}`, `{"query":"a","variables":{"n":1e}}`, `{"query":"a","variables":{"n":+1}}`,
	`{"query":"a","variables":{"n":nul}}`, `{"query":"a","variables":{"n":True}}`, `{"query":"a","variables":{"n":NaN}}`,
	`{"query":"a","variables":{"a":{"b":{},"c":[]},"a":{"d":true,"e":false}}}`, `{"query":"a","variables":{"":""}}`,
	`{"query":"a","variables":[]}`, `{"query":"a","variables":"{}"}`, `{"query":"a","variables":null}`,
	`{"query":"a","variables":7,"extensions":8}`, `{"query":"a","variables":{},"extensions":null}`,
	`{"query":"a","variables":{"a":[1,2,3,4]}}`, `{"query":"a","variables":{"a":[1,2,3,4,5]}}`,
	`{"query":"a","variables":{"a":[1,2,3,4,5],"a":1}}`, `{"query":"a","variables":{"a":[[[[]]]]}}`,
	`{"query":"a","variables":{"a":"` + strings.Repeat("x", 52) + `"}}`, // the limit
	`{"query":"a","variables":{"a":"` + strings.Repeat("x", 53) + `"}}`,
	`{"query":"a","variables":"` + strings.Repeat("x", 59) + `"}`,
	`{"query":"a","variables":{` + strings.Repeat(" ", 59) + `}}`,
	`{"query":"a","variables":` + strings.Repeat(" ", 99) + `{}}`,
	`{"query":"` + strings.Repeat("x", 99) + `","x":"` + strings.Repeat("\u00e9", 99) + `"}`,
	`{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"x"}}}`,
}

func TestBodiesAreReadAsByEncodingJSON(t *testing.T) {
	for _, body := range bodies {
		compareBody(t, []byte(body))
	}
	for _, nesting := range []int{maxNesting - 1, maxNesting} { // the body is one level
		for _, name := range []string{"x", "variables"} {
			for _, value := range []string{
				strings.Repeat("[", nesting) + strings.Repeat("]", nesting),
				strings.Repeat(`{"":`, nesting) + "1" + strings.Repeat("}", nesting),
			} {
				compareBody(t, []byte(`{"query":"a","`+name+`":`+value+"}"))
			}
		}
	}
}

// FuzzReadBody compares readBody with encoding/json.
func FuzzReadBody(f *testing.F) {
	for _, body := range bodies {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) { compareBody(t, body) })
}

// FuzzReadURLMap compares the values of parameters in URLs with encoding/json.
func FuzzReadURLMap(f *testing.F) {
	for _, text := range []string{"", "null", " null ", "{}", " {} ", "[]", "7", `"x"`, "{", "{}}", `{"a":[1,"b"]}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || len(text) > tight.MaxVariablesBytes {
			return // readURL and the test of bodies check these
		}
		got, err := readURLMap(url.Values{"variables": {text}}, "variables", tight)
		var want map[string]any
		var wantErr *response.Error
		switch {
		case text == "":
		case json.Valid([]byte(text)):
			want, wantErr = standardMap(json.RawMessage(text), "variables", tight)
		default:
			wantErr = &response.Error{Status: 400}
		}
		if (err == nil) != (wantErr == nil) || err != nil && err.Status != wantErr.Status ||
			err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %#v %+v, want %#v %+v", text, got, err, want, wantErr)
		}
	})
}

func BenchmarkReadBody(b *testing.B) {
	encoded := []byte(`{"query":"` + strings.Repeat(`  orders(first: 10) { id }\n`, 20) + `","variables":` +
		`{"id":"VXNlcjox","first":10,"input":{"tags":["a","b"],"ok":true}}}`)
	var limits Limits
	fatal.If(b, defaults.Apply(&limits))
	for name, read := range map[string]func([]byte, Limits) (Parameters, *response.Error){
		"one pass": ReadBody, "encoding/json": standardBody,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(encoded)))
			for b.Loop() {
				if _, err := read(encoded, limits); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
