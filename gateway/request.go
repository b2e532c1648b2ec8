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

// parameters are those of a GraphQL-over-HTTP request (HTTP spec, GraphQL-over-HTTP Request). Numbers are [json.Number],
// so that none loses digits before its type is known.
type parameters struct {
	query         string
	hasQuery      bool   // one of the two is given
	hash          string // names the query, see readHash
	operationName string
	variables     map[string]any
	extensions    map[string]any
}

// readParameters reads a GET from its URL and a POST from its body.
func readParameters(w http.ResponseWriter, r *http.Request, limits Limits) (parameters, *refusal) {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		return readURL(r.URL.RawQuery, limits)
	case http.MethodPost:
		if no := checkContentType(r.Header); no != nil {
			return parameters{}, no
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limits.MaxBodyBytes))
		if err != nil {
			return parameters{}, refuseBody(err, limits.MaxBodyBytes)
		}
		return readBody(body, limits)
	default:
		return parameters{}, refuseMethod(allowedMethods, "Send GraphQL operations by POST, or queries by GET.")
	}
}

func checkContentType(header http.Header) *refusal {
	media, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil || media != mediaJSON || !isUTF8(params) {
		return refuse(http.StatusUnsupportedMediaType, codeBadRequest,
			"Send the body as JSON in UTF-8, with the header Content-Type: application/json.")
	}
	if encoding := header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return refuse(http.StatusUnsupportedMediaType, codeBadRequest, "Send the body uncompressed, without Content-Encoding.")
	}
	return nil
}

func refuseBody(err error, limit int64) *refusal {
	var no *refusal
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		no = refuse(http.StatusRequestEntityTooLarge, codeBadRequest,
			"The request body is larger than %d bytes. Send a smaller document or fewer variables.", limit)
	} else if errors.Is(err, os.ErrDeadlineExceeded) {
		no = refuse(http.StatusRequestTimeout, codeBadRequest, "The request body came too slowly. Send it again.")
	} else {
		no = refuse(http.StatusBadRequest, codeBadRequest, "The request body ended early. Send it again.")
	}
	no.closes = true
	return no
}

func readURL(rawQuery string, limits Limits) (parameters, *refusal) {
	values, err := url.ParseQuery(rawQuery)
	if err != nil {
		return parameters{}, refuse(http.StatusBadRequest, codeBadRequest,
			"The URL's query component is not form-encoded. Encode each parameter as a browser's URLSearchParams does.")
	}
	for name, given := range values {
		if len(given) > 1 {
			return parameters{}, refuseParameter("The URL repeats a parameter. Give each parameter once.")
		}
		if !utf8.ValidString(name) || !utf8.ValidString(given[0]) {
			return parameters{}, refuseEncoding("URL")
		}
	}
	p := parameters{query: values.Get("query"), hasQuery: values.Has("query"), operationName: values.Get("operationName")}
	var no *refusal
	if p.variables, no = readURLMap(values, "variables", limits); no != nil {
		return p, no
	}
	if p.extensions, no = readURLMap(values, "extensions", limits); no != nil {
		return p, no
	}
	return p.named()
}

// readURLMap reads a parameter that a GET carries as JSON; an empty one counts as missing.
func readURLMap(values url.Values, name string, limits Limits) (map[string]any, *refusal) {
	text := values.Get(name)
	if text == "" {
		return nil, nil
	}
	if !json.Valid([]byte(text)) {
		return nil, refuse(http.StatusBadRequest, codeBadRequest, "The parameter %q is not valid JSON.", name)
	}
	return decodeMap(json.RawMessage(text), name, limits)
}

func readBody(body []byte, limits Limits) (parameters, *refusal) {
	if !utf8.Valid(body) {
		return parameters{}, refuseEncoding("request body")
	}
	if !json.Valid(body) {
		return parameters{}, refuseMalformed()
	}
	properties, no := readProperties(body)
	if no != nil {
		return parameters{}, no
	}
	var p parameters
	if p.query, p.hasQuery, no = decodeString(properties["query"], "query"); no != nil {
		return p, no
	}
	if p.operationName, _, no = decodeString(properties["operationName"], "operationName"); no != nil {
		return p, no
	}
	if p.variables, no = decodeMap(properties["variables"], "variables", limits); no != nil {
		return p, no
	}
	if p.extensions, no = decodeMap(properties["extensions"], "extensions", limits); no != nil {
		return p, no
	}
	return p.named()
}

// named finds out what names the document: its text, a hash, or both.
func (p parameters) named() (parameters, *refusal) {
	var no *refusal
	if p.hash, no = readHash(p.extensions); no != nil {
		return p, no
	}
	if !p.hasQuery && p.hash == "" {
		return p, refuseParameter(`The parameter "query" is missing. Send the GraphQL document in it.`)
	}
	return p, nil
}

// readProperties reads the properties of a valid JSON object. Their names stay case-sensitive, and none may be given twice: what checks
// requests on their way here could have looked at the other one.
func readProperties(body []byte) (map[string]json.RawMessage, *refusal) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	if first, err := decoder.Token(); err != nil || first != json.Delim('{') {
		return nil, refuseParameter(
			`The request body must be one JSON object, such as {"query": "{ __typename }"}. Arrays of operations are not accepted.`)
	}
	properties := map[string]json.RawMessage{}
	for decoder.More() {
		token, err := decoder.Token()
		name, isName := token.(string)
		var value json.RawMessage
		if err = errors.Join(err, decoder.Decode(&value)); err != nil || !isName {
			return nil, refuseMalformed()
		}
		if _, repeated := properties[name]; repeated {
			return nil, refuseParameter("The request body repeats a property. Give each property once.")
		}
		properties[name] = value
	}
	return properties, nil
}

// isNull tells whether a property is absent or null, which mean the same (HTTP spec, JSON Encoding).
func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

func decodeString(raw json.RawMessage, name string) (text string, given bool, no *refusal) {
	if isNull(raw) {
		return "", false, nil
	}
	if err := json.Unmarshal(raw, &text); err != nil {
		return "", false, refuseParameter("The parameter %q must be a string.", name)
	}
	return text, true, nil
}

func decodeMap(raw json.RawMessage, name string, limits Limits) (map[string]any, *refusal) {
	if isNull(raw) {
		return nil, nil
	}
	if len(raw) > limits.MaxVariablesBytes {
		return nil, refuseParameter("The parameter %q is larger than %d bytes of JSON. Send less at once.", name, limits.MaxVariablesBytes)
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		return nil, refuseParameter("The parameter %q must be a JSON object.", name)
	}
	if no := checkJSON(object, name, limits, 0); no != nil {
		return nil, no
	}
	return object, nil
}

// checkJSON holds a value that stands within depth lists and objects to the limits.
func checkJSON(value any, name string, limits Limits, depth int) *refusal {
	if depth > limits.MaxDepth {
		return refuseParameter("The parameter %q nests lists and objects deeper than %d levels.", name, limits.MaxDepth)
	}
	switch value := value.(type) {
	case []any:
		if len(value) > limits.MaxListItems {
			return refuseParameter("The parameter %q has a list of more than %d items. Send fewer at once.", name, limits.MaxListItems)
		}
		for _, item := range value {
			if no := checkJSON(item, name, limits, depth+1); no != nil {
				return no
			}
		}
	case map[string]any:
		for _, field := range value {
			if no := checkJSON(field, name, limits, depth+1); no != nil {
				return no
			}
		}
	}
	return nil
}

func refuseMalformed() *refusal {
	return refuse(http.StatusBadRequest, codeBadRequest, "The request body is not one valid JSON value.")
}

// refuseParameter refuses what is not a well-formed GraphQL-over-HTTP request (HTTP spec, Status Codes: 422).
func refuseParameter(format string, args ...any) *refusal {
	return refuse(http.StatusUnprocessableEntity, codeBadRequest, format, args...)
}

func refuseEncoding(part string) *refusal {
	return refuse(http.StatusBadRequest, codeBadRequest, "The %s is not valid UTF-8.", part)
}
