package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strings"
	"unicode/utf8"
)

const allowedMethods = "GET, HEAD, OPTIONS, POST"

// parameters are those of a GraphQL-over-HTTP request (HTTP spec, GraphQL-over-HTTP Request). Numbers are
// [json.Number], so that they lose no digits before their type is known.
type parameters struct {
	query         string
	hasQuery      bool
	hash          string // of the query, see readHash; empty without one
	operationName string
	variables     map[string]any
	extensions    map[string]any
}

// readParameters reads a GET from its URL and a POST from its body.
func readParameters(w http.ResponseWriter, r *http.Request, limits Limits) (parameters, *requestError) {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		return readURL(r.URL.RawQuery, limits)
	case http.MethodPost:
		if err := checkContentType(r.Header); err != nil {
			return parameters{}, err
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limits.MaxBodyBytes))
		if err != nil {
			return parameters{}, bodyError(err, limits.MaxBodyBytes)
		}
		return readBody(body, limits)
	default:
		return parameters{}, methodNotAllowed(allowedMethods, "Send GraphQL operations by POST, or queries by GET.")
	}
}

func checkContentType(header http.Header) *requestError {
	media, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil || media != mediaJSON || !isUTF8(params) {
		return requestErrorf(http.StatusUnsupportedMediaType, codeBadRequest,
			"Send the body as JSON in UTF-8, with the header Content-Type: application/json.")
	}
	if encoding := header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return requestErrorf(http.StatusUnsupportedMediaType, codeBadRequest,
			"Send the body uncompressed, without Content-Encoding.")
	}
	return nil
}

// bodyError returns the request error for a body that could not be read.
func bodyError(cause error, limit int64) *requestError {
	var err *requestError
	if _, tooLarge := errors.AsType[*http.MaxBytesError](cause); tooLarge {
		err = requestErrorf(http.StatusRequestEntityTooLarge, codeBadRequest,
			"The request body is larger than %d bytes. Send a smaller document or fewer variables.", limit)
	} else if errors.Is(cause, os.ErrDeadlineExceeded) {
		err = requestErrorf(http.StatusRequestTimeout, codeBadRequest, "The request body came too slowly. Send it again.")
	} else {
		err = requestErrorf(http.StatusBadRequest, codeBadRequest, "The request body ended early. Send it again.")
	}
	err.closes = true
	return err
}

func readURL(rawQuery string, limits Limits) (parameters, *requestError) {
	values, malformed := url.ParseQuery(rawQuery)
	if malformed != nil {
		return parameters{}, requestErrorf(http.StatusBadRequest, codeBadRequest,
			"The URL's query component is not form-encoded. Encode each parameter as a browser's URLSearchParams does.")
	}
	for name, given := range values {
		if len(given) > 1 {
			return parameters{}, badParameter("The URL repeats a parameter. Give each parameter once.")
		}
		if !utf8.ValidString(name) || !utf8.ValidString(given[0]) {
			return parameters{}, badEncoding("URL")
		}
	}
	p := parameters{
		query:         values.Get("query"),
		hasQuery:      values.Has("query"),
		operationName: values.Get("operationName"),
	}
	var err *requestError
	if p.variables, err = readURLMap(values, "variables", limits); err != nil {
		return p, err
	}
	if p.extensions, err = readURLMap(values, "extensions", limits); err != nil {
		return p, err
	}
	return p.withHash()
}

// readURLMap reads a parameter of a GET whose value is JSON; an empty one counts as missing.
func readURLMap(values url.Values, name string, limits Limits) (map[string]any, *requestError) {
	text := values.Get(name)
	if text == "" {
		return nil, nil
	}
	if !json.Valid([]byte(text)) {
		return nil, requestErrorf(http.StatusBadRequest, codeBadRequest, "The parameter %q is not valid JSON.", name)
	}
	return decodeMap(json.RawMessage(text), name, limits)
}

func readBody(body []byte, limits Limits) (parameters, *requestError) {
	if !utf8.Valid(body) {
		return parameters{}, badEncoding("request body")
	}
	if !json.Valid(body) {
		return parameters{}, malformedBody()
	}
	properties, err := readProperties(body)
	if err != nil {
		return parameters{}, err
	}
	var p parameters
	if p.query, p.hasQuery, err = decodeString(properties["query"], "query"); err != nil {
		return p, err
	}
	if p.operationName, _, err = decodeString(properties["operationName"], "operationName"); err != nil {
		return p, err
	}
	if p.variables, err = decodeMap(properties["variables"], "variables", limits); err != nil {
		return p, err
	}
	if p.extensions, err = decodeMap(properties["extensions"], "extensions", limits); err != nil {
		return p, err
	}
	return p.withHash()
}

// withHash adds the hash of the document. It returns an error if the request has neither a hash nor a document.
func (p parameters) withHash() (parameters, *requestError) {
	var err *requestError
	if p.hash, err = readHash(p.extensions); err != nil {
		return p, err
	}
	if !p.hasQuery && p.hash == "" {
		return p, badParameter(`The parameter "query" is missing. Send the GraphQL document in it.`)
	}
	return p, nil
}

// readProperties reads the properties of a valid JSON object. Names are case-sensitive, and a repeated one is an error:
// a filter in front of the gateway may have checked the other one.
func readProperties(body []byte) (map[string]json.RawMessage, *requestError) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	if first, err := decoder.Token(); err != nil || first != json.Delim('{') {
		return nil, badParameter(
			`The request body must be one JSON object, such as {"query": "{ __typename }"}. ` +
				`Arrays of operations are not accepted.`)
	}
	properties := map[string]json.RawMessage{}
	for decoder.More() {
		token, err := decoder.Token()
		name, isName := token.(string)
		var value json.RawMessage
		if err = errors.Join(err, decoder.Decode(&value)); err != nil || !isName {
			return nil, malformedBody()
		}
		if _, repeated := properties[name]; repeated {
			return nil, badParameter("The request body repeats a property. Give each property once.")
		}
		properties[name] = value
	}
	return properties, nil
}

// isNull reports whether a property is absent or null, which is the same (HTTP spec, JSON Encoding).
func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

func decodeString(raw json.RawMessage, name string) (text string, given bool, err *requestError) {
	if isNull(raw) {
		return "", false, nil
	}
	if err := json.Unmarshal(raw, &text); err != nil {
		return "", false, badParameter("The parameter %q must be a string.", name)
	}
	return text, true, nil
}

func decodeMap(raw json.RawMessage, name string, limits Limits) (map[string]any, *requestError) {
	if isNull(raw) {
		return nil, nil
	}
	if len(raw) > limits.MaxVariablesBytes {
		return nil, badParameter("The parameter %q is larger than %d bytes of JSON. Send less at once.",
			name, limits.MaxVariablesBytes)
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		return nil, badParameter("The parameter %q must be a JSON object.", name)
	}
	if err := checkJSON(object, name, limits, 0); err != nil {
		return nil, err
	}
	return object, nil
}

// checkJSON checks the limits of a value that is nested in depth lists and objects.
func checkJSON(value any, name string, limits Limits, depth int) *requestError {
	if depth > limits.MaxDepth {
		return badParameter("The parameter %q nests lists and objects deeper than %d levels.", name, limits.MaxDepth)
	}
	switch value := value.(type) {
	case []any:
		if len(value) > limits.MaxListItems {
			return badParameter("The parameter %q has a list of more than %d items. Send fewer at once.",
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
