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
	operationName string
	variables     map[string]any
	extensions    map[string]any
}

// readParameters reads a GET from its URL and a POST from its body of at most limit bytes.
func readParameters(w http.ResponseWriter, r *http.Request, limit int64) (parameters, *refusal) {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		return readURL(r.URL.RawQuery)
	case http.MethodPost:
		if no := checkContentType(r.Header); no != nil {
			return parameters{}, no
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
		if err != nil {
			return parameters{}, refuseBody(err, limit)
		}
		return readBody(body)
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

func readURL(rawQuery string) (parameters, *refusal) {
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
	if !values.Has("query") {
		return parameters{}, refuseMissingQuery()
	}
	p := parameters{query: values.Get("query"), operationName: values.Get("operationName")}
	var no *refusal
	if p.variables, no = readURLMap(values, "variables"); no != nil {
		return p, no
	}
	p.extensions, no = readURLMap(values, "extensions")
	return p, no
}

// readURLMap reads a parameter that a GET carries as JSON; an empty one counts as missing.
func readURLMap(values url.Values, name string) (map[string]any, *refusal) {
	text := values.Get(name)
	if text == "" {
		return nil, nil
	}
	if !json.Valid([]byte(text)) {
		return nil, refuse(http.StatusBadRequest, codeBadRequest, "The parameter %q is not valid JSON.", name)
	}
	return decodeMap(json.RawMessage(text), name)
}

func readBody(body []byte) (parameters, *refusal) {
	if !utf8.Valid(body) {
		return parameters{}, refuseEncoding("request body")
	}
	if !json.Valid(body) {
		return parameters{}, refuse(http.StatusBadRequest, codeBadRequest, "The request body is not one valid JSON value.")
	}
	// Decoding into a map, not a struct, keeps property names case-sensitive.
	var properties map[string]json.RawMessage
	if err := json.Unmarshal(body, &properties); err != nil || properties == nil {
		return parameters{}, refuseParameter(
			`The request body must be one JSON object, such as {"query": "{ __typename }"}. Arrays of operations are not accepted.`)
	}
	var p parameters
	query, given, no := decodeString(properties["query"], "query")
	if no != nil {
		return p, no
	}
	if !given {
		return p, refuseMissingQuery()
	}
	p.query = query
	if p.operationName, _, no = decodeString(properties["operationName"], "operationName"); no != nil {
		return p, no
	}
	if p.variables, no = decodeMap(properties["variables"], "variables"); no != nil {
		return p, no
	}
	p.extensions, no = decodeMap(properties["extensions"], "extensions")
	return p, no
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

func decodeMap(raw json.RawMessage, name string) (map[string]any, *refusal) {
	if isNull(raw) {
		return nil, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		return nil, refuseParameter("The parameter %q must be a JSON object.", name)
	}
	return object, nil
}

func refuseMissingQuery() *refusal {
	return refuseParameter(`The parameter "query" is missing. Send the GraphQL document in it.`)
}

// refuseParameter refuses what is not a well-formed GraphQL-over-HTTP request (HTTP spec, Status Codes: 422).
func refuseParameter(format string, args ...any) *refusal {
	return refuse(http.StatusUnprocessableEntity, codeBadRequest, format, args...)
}

func refuseEncoding(part string) *refusal {
	return refuse(http.StatusBadRequest, codeBadRequest, "The %s is not valid UTF-8.", part)
}
