package response

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// The media types of responses with several answers.
const (
	MediaEvents    = "text/event-stream"
	MediaMultipart = "multipart/mixed"
)

// HeaderLastEventID is the header with the position after which a client of server-sent events subscribes again.
const HeaderLastEventID = "Last-Event-Id"

// SubscriptionSpec is the version of Apollo's multipart protocol, which the client names in Accept.
//
// https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol
const SubscriptionSpec = "1.0"

// NegotiateStream returns the media type in which a client accepts the events of a subscription, or an empty string.
// A wildcard is not enough: most clients that send one cannot read events.
func NegotiateStream(accept []string) (media string) {
	best := 0.0
	for element := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		name, params, err := mime.ParseMediaType(element)
		if err != nil || name != MediaEvents && (name != MediaMultipart || params["subscriptionspec"] != SubscriptionSpec) {
			continue
		}
		quality := 1.0
		if text, given := params["q"]; given {
			if quality, err = strconv.ParseFloat(text, 64); err != nil {
				continue
			}
		}
		if quality > best || quality == best && quality > 0 && name == MediaEvents {
			best, media = quality, name
		}
	}
	return media
}

// Accepts returns the media type of the answer to a query or a mutation: that of one event if the client accepts
// nothing else. That of a subscription is negotiated only for one.
func Accepts(r *http.Request) (media string, err *Error) {
	accept := r.Header.Values("Accept")
	media, acceptable := Negotiate(accept)
	if acceptable {
		return media, nil
	}
	switch NegotiateStream(accept) {
	case MediaEvents:
		return MediaEvents, nil
	case MediaMultipart: // whose clients read queries and errors as JSON
		return mediaGraphQL, nil
	default:
		return media, Errorf(http.StatusNotAcceptable, CodeBadRequest,
			"Answers come as %s or %s. Name one of them in Accept.", mediaGraphQL, MediaJSON)
	}
}
