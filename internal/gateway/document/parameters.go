package document

import (
	"encoding/json"
	"net/http"
	"net/url"
	"unicode/utf8"

	"github.com/partita/partita/internal/gateway/response"
)

// Parameters are those of a GraphQL-over-HTTP request (HTTP spec, GraphQL-over-HTTP Request). Numbers are
// [json.Number], so that they lose no digits before their type is known.
type Parameters struct {
	Query         string
	hasQuery      bool
	hash          string // of the query, see readHash; empty without one
	OperationName string
	Variables     map[string]any
	VariableBytes int // of their JSON
	Extensions    map[string]any
}

// ReadParameters reads a GET from its URL and a POST from its body.
func ReadParameters(r *http.Request, body []byte, limits Limits) (Parameters, *response.Error) {
	if r.Method == http.MethodPost {
		return ReadBody(body, limits)
	}
	return readURL(r.URL.RawQuery, limits)
}

func readURL(rawQuery string, limits Limits) (Parameters, *response.Error) {
	values, malformed := url.ParseQuery(rawQuery)
	if malformed != nil {
		return Parameters{}, response.Errorf(http.StatusBadRequest, response.CodeBadRequest,
			"The URL's query component is not form-encoded. Encode each parameter as a browser's URLSearchParams does.")
	}
	for name, given := range values {
		if len(given) > 1 {
			return Parameters{}, response.BadParameter("The URL repeats a parameter. Give each parameter once.")
		}
		if !utf8.ValidString(name) || !utf8.ValidString(given[0]) {
			return Parameters{}, response.BadEncoding("URL")
		}
	}
	p := Parameters{
		Query:         values.Get("query"),
		hasQuery:      values.Has("query"),
		OperationName: values.Get("operationName"),
	}
	var err *response.Error
	if p.Variables, err = readURLMap(values, "variables", limits); err != nil {
		return p, err
	}
	p.VariableBytes = len(values.Get("variables"))
	if p.Extensions, err = readURLMap(values, "extensions", limits); err != nil {
		return p, err
	}
	return p.withHash()
}

// readURLMap reads a parameter of a GET whose value is JSON; an empty one counts as missing.
func readURLMap(values url.Values, name string, limits Limits) (map[string]any, *response.Error) {
	text := values.Get(name)
	if text == "" {
		return nil, nil
	}
	reader := jsonReader{text: []byte(text), limit: limits.MaxVariablesBytes}
	first := reader.peek()
	value, ok := reader.value(0)
	if !ok || !reader.end() {
		return nil, response.Errorf(http.StatusBadRequest, response.CodeBadRequest,
			"The parameter %q is not valid JSON.", name)
	}
	return property{first, value, len(text)}.object(name, limits)
}

// ReadBody reads the parameters in the JSON of a body.
func ReadBody(body []byte, limits Limits) (Parameters, *response.Error) {
	if !utf8.Valid(body) {
		return Parameters{}, response.BadEncoding("request body")
	}
	properties := make(map[string]property, 4) // on the stack, as long as it does not escape
	err := readProperties(body, limits, properties)
	if err != nil {
		return Parameters{}, err
	}
	var p Parameters
	if p.Query, p.hasQuery, err = properties["query"].text("query"); err != nil {
		return p, err
	}
	if p.OperationName, _, err = properties["operationName"].text("operationName"); err != nil {
		return p, err
	}
	if p.Variables, err = properties["variables"].object("variables", limits); err != nil {
		return p, err
	}
	p.VariableBytes = properties["variables"].size
	if p.Extensions, err = properties["extensions"].object("extensions", limits); err != nil {
		return p, err
	}
	return p.withHash()
}

// withHash adds the hash of the document. It returns an error if the request has neither a hash nor a document.
func (p Parameters) withHash() (Parameters, *response.Error) {
	var err *response.Error
	if p.hash, err = readHash(p.Extensions); err != nil {
		return p, err
	}
	if !p.hasQuery && p.hash == "" {
		return p, response.MalformedParameter(`The parameter "query" is missing. Send the GraphQL document in it.`)
	}
	return p, nil
}

// A property is a value in a JSON object.
type property struct {
	first byte // of its JSON; zero if the property is absent
	value any
	size  int // bytes of JSON
}

// isNull reports whether a property is absent or null, which is the same (HTTP spec, JSON Encoding).
func (p property) isNull() bool { return p.first == 0 || p.first == 'n' }

// readProperties adds the properties of a JSON object to a map. Names are case-sensitive, and a repeated one is an
// error: a filter in front of the gateway may have checked the other one.
func readProperties(body []byte, limits Limits, properties map[string]property) *response.Error {
	reader := jsonReader{text: body, limit: len(body)}
	if reader.peek() != '{' {
		reader.limit = 0
		if _, ok := reader.value(0); !ok || !reader.end() {
			return response.MalformedBody()
		}
		return response.MalformedParameter(
			`The request body must be one JSON object, such as {"query": "{ __typename }"}. ` +
				`Arrays of operations are not accepted.`)
	}
	repeated := false
	ok := reader.fields(1, func(name string) bool {
		_, given := properties[name]
		repeated = repeated || given
		first, begin := reader.peek(), reader.at
		switch {
		case name == "variables" || name == "extensions":
			reader.limit = begin + limits.MaxVariablesBytes
		case name != "query" && name != "operationName" || first != '"':
			reader.limit = 0 // of its value, only the size or the type matters
		}
		value, ok := reader.value(1)
		properties[name] = property{first, value, reader.at - begin}
		reader.limit = len(body)
		return ok
	})
	if !ok || !reader.end() {
		return response.MalformedBody()
	}
	if repeated {
		return response.MalformedParameter("The request body repeats a property. Give each property once.")
	}
	return nil
}

func (p property) text(name string) (text string, given bool, err *response.Error) {
	if p.isNull() {
		return "", false, nil
	}
	text, given = p.value.(string)
	if !given {
		return "", false, response.MalformedParameter("The parameter %q must be a string.", name)
	}
	return text, true, nil
}

func (p property) object(name string, limits Limits) (map[string]any, *response.Error) {
	if p.isNull() {
		return nil, nil
	}
	if p.size > limits.MaxVariablesBytes {
		return nil, response.BadParameter("The parameter %q is larger than %d bytes of JSON. Send less at once.",
			name, limits.MaxVariablesBytes)
	}
	object, isObject := p.value.(map[string]any)
	if !isObject {
		return nil, response.MalformedParameter("The parameter %q must be a JSON object.", name)
	}
	return object, checkJSON(object, name, limits, 0)
}

// checkJSON checks the limits of a value that is nested in depth lists and objects.
func checkJSON(value any, name string, limits Limits, depth int) *response.Error {
	if depth > limits.MaxDepth {
		return response.BadParameter("The parameter %q nests lists and objects deeper than %d levels.", name, limits.MaxDepth)
	}
	switch value := value.(type) {
	case []any:
		if len(value) > limits.MaxListItems {
			return response.BadParameter("The parameter %q has a list of more than %d items. Send fewer at once.",
				name, limits.MaxListItems)
		}
		for _, item := range value {
			if err := checkJSON(item, name, limits, depth+1); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, field := range value {
			if err := checkJSON(field, name, limits, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// readHash returns the hash in extensions.persistedQuery, as Apollo's clients send it, or an empty string without one.
//
// https://www.apollographql.com/docs/apollo-server/performance/apq
func readHash(extensions map[string]any) (hash string, err *response.Error) {
	property := extensions["persistedQuery"]
	if property == nil {
		return "", nil
	}
	persisted, isObject := property.(map[string]any)
	if !isObject {
		return "", response.BadParameter(`The parameter "extensions.persistedQuery" must be a JSON object.`)
	}
	if persisted["version"] != json.Number("1") {
		return "", response.BadParameter(`Version 1 of "extensions.persistedQuery" is served here, and no other.`)
	}
	if hash, _ = persisted["sha256Hash"].(string); hash == "" {
		return "", response.BadParameter(
			`The parameter "extensions.persistedQuery.sha256Hash" must be a string that names the document.`)
	}
	return hash, nil
}
