package response

import (
	"mime"
	"strconv"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
)

// The media types of GraphQL responses (HTTP spec, Media Types).
const (
	mediaGraphQL = "application/graphql-response+json"
	MediaJSON    = "application/json"
)

// The cache of negotiated media types is limited in number and, because it contains no long headers, in bytes.
const (
	cachedAccepts     = 64
	cachedAcceptBytes = 256
)

// negotiated has the results of parsing Accept. There are about as many values as kinds of clients.
var negotiated = newNegotiated()

func newNegotiated() *lru.Cache[string, string] {
	cache, err := lru.New[string, string](cachedAccepts)
	if err != nil {
		panic(err) // the size above is not positive
	}
	return cache
}

// Negotiate returns the media type of a response by the request's Accept header fields (RFC 9110, section 12.5.1):
// the type with the highest quality, or else the one that is named most precisely. ok is false if the client accepts
// neither type.
//
// A client that names no type, or only wildcards, most likely knows only application/json.
func Negotiate(accept []string) (media string, ok bool) {
	header := strings.Join(accept, ",")
	if media, known := negotiated.Get(header); known {
		return media, true
	}
	media, ok = parseNegotiation(header)
	if ok && len(header) <= cachedAcceptBytes {
		negotiated.Add(header, media)
	}
	return media, ok
}

func parseNegotiation(header string) (media string, ok bool) {
	if strings.TrimSpace(header) == "" {
		return MediaJSON, true
	}
	ranges := parseAccept(header)
	graphQL, json := preference(ranges, mediaGraphQL), preference(ranges, MediaJSON)
	switch {
	case graphQL.quality == 0 && json.quality == 0:
		return "", false
	case graphQL.quality != json.quality:
		return pick(graphQL.quality > json.quality), true
	case graphQL.precision != json.precision:
		return pick(graphQL.precision > json.precision), true
	default:
		return pick(graphQL.precision == exact), true
	}
}

// AcceptsJSON reports whether a client accepts application/json, even if it prefers the other type.
func AcceptsJSON(accept []string) bool {
	header := strings.Join(accept, ",")
	return strings.TrimSpace(header) == "" || preference(parseAccept(header), MediaJSON).quality > 0
}

func pick(graphQL bool) string {
	if graphQL {
		return mediaGraphQL
	}
	return MediaJSON
}

// A mediaRange is one element of an Accept header.
type mediaRange struct {
	media   string
	quality float64 // 0 to 1; 0 excludes the type
}

func parseAccept(header string) []mediaRange {
	var ranges []mediaRange
	for element := range strings.SplitSeq(header, ",") {
		media, params, err := mime.ParseMediaType(element)
		if err != nil || !IsUTF8(params) {
			continue
		}
		quality := 1.0
		if text, given := params["q"]; given {
			quality, err = strconv.ParseFloat(text, 64)
			if err != nil || !(quality >= 0 && quality <= 1) {
				continue
			}
		}
		ranges = append(ranges, mediaRange{media, quality})
	}
	return ranges
}

// IsUTF8 reports whether the parameters of a media type have no charset but UTF-8, the only one of this gateway.
func IsUTF8(params map[string]string) bool {
	charset, given := params["charset"]
	return !given || strings.EqualFold(charset, "utf-8")
}

// How precisely a media range names a type; a more precise range overrides the others.
const (
	anyType = iota + 1
	anySubtype
	exact
)

type preferred struct {
	quality   float64
	precision int
}

func preference(ranges []mediaRange, media string) preferred {
	var best preferred
	for _, r := range ranges {
		precision := 0
		switch r.media {
		case media:
			precision = exact
		case "application/*":
			precision = anySubtype
		case "*/*":
			precision = anyType
		}
		if precision > best.precision {
			best = preferred{r.quality, precision}
		}
	}
	return best
}
