package gateway

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// The media types of responses with several answers.
const (
	mediaEvents    = "text/event-stream"
	mediaMultipart = "multipart/mixed"
)

// subscriptionSpec is the version of Apollo's multipart protocol, which the client names in Accept.
//
// https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol
const subscriptionSpec = "1.0"

// negotiateStream returns the media type in which a client accepts the events of a subscription, or an empty string.
// A wildcard is not enough: most clients that send one cannot read events.
func negotiateStream(accept []string) (media string) {
	best := 0.0
	for element := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		name, params, err := mime.ParseMediaType(element)
		if err != nil || name != mediaEvents && (name != mediaMultipart || params["subscriptionspec"] != subscriptionSpec) {
			continue
		}
		quality := 1.0
		if text, given := params["q"]; given {
			if quality, err = strconv.ParseFloat(text, 64); err != nil {
				continue
			}
		}
		if quality > best || quality == best && quality > 0 && name == mediaEvents {
			best, media = quality, name
		}
	}
	return media
}

// accepts returns the media type of the answer to a query or a mutation: that of one event if the client accepts
// nothing else. That of a subscription is negotiated only for one.
func accepts(r *http.Request) (media string, err *requestError) {
	accept := r.Header.Values("Accept")
	media, acceptable := negotiate(accept)
	if acceptable {
		return media, nil
	}
	switch negotiateStream(accept) {
	case mediaEvents:
		return mediaEvents, nil
	case mediaMultipart: // whose clients read queries and errors as JSON
		return mediaGraphQL, nil
	default:
		return media, requestErrorf(http.StatusNotAcceptable, codeBadRequest,
			"Answers come as %s or %s. Name one of them in Accept.", mediaGraphQL, mediaJSON)
	}
}
