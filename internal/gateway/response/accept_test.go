package response

import (
	"strconv"
	"strings"
	"testing"
)

func TestNegotiate(t *testing.T) {
	const none = ""
	tests := []struct {
		accept []string
		want   string
	}{
		{nil, MediaJSON},
		{[]string{""}, MediaJSON},
		{[]string{"*/*"}, MediaJSON},
		{[]string{"application/*"}, MediaJSON},
		{[]string{"application/json"}, MediaJSON},
		{[]string{"application/graphql-response+json"}, mediaGraphQL},
		{[]string{"application/graphql-response+json; charset=utf-8, application/json; charset=utf-8"}, mediaGraphQL},
		{[]string{"application/json, application/graphql-response+json"}, mediaGraphQL},
		{[]string{"application/graphql-response+json, application/json;q=0.9"}, mediaGraphQL},
		{[]string{"application/graphql-response+json;q=0.5, application/json"}, MediaJSON},
		{[]string{"application/json;q=0.1, application/graphql-response+json;q=0.2"}, mediaGraphQL},
		{[]string{"application/json", "application/graphql-response+json"}, mediaGraphQL},
		{[]string{"application/json, text/plain, */*"}, MediaJSON},
		{[]string{"application/graphql-response+json, */*"}, mediaGraphQL},
		{[]string{"*/*;q=0.1, application/graphql-response+json;q=0"}, MediaJSON},
		{[]string{"*/*, application/json;q=0"}, mediaGraphQL},
		{[]string{"APPLICATION/JSON"}, MediaJSON},
		{[]string{"text/html"}, none},
		{[]string{"application/json;q=0"}, none},
		{[]string{"*/*;q=0"}, none},
		{[]string{"application/json; charset=latin1"}, none},
		{[]string{"application/json;q=2"}, none},
		{[]string{"application/json;q=NaN"}, none},
		{[]string{";;"}, none},
	}
	for range 2 { // the second time from the cache
		for _, test := range tests {
			got, ok := Negotiate(test.accept)
			if got != test.want || ok != (test.want != none) {
				t.Errorf("%q: got %q %v, want %q", test.accept, got, ok, test.want)
			}
		}
	}
}

func TestCacheOfAcceptIsBounded(t *testing.T) {
	long := MediaJSON + strings.Repeat(" ", cachedAcceptBytes)
	if _, ok := Negotiate([]string{long}); !ok || negotiated.Contains(long) {
		t.Error("a long header is kept")
	}
	for n := range 2 * cachedAccepts {
		Negotiate([]string{"*/*;v=" + strconv.Itoa(n)})
	}
	if got := negotiated.Len(); got != cachedAccepts {
		t.Errorf("%d headers are kept, want %d", got, cachedAccepts)
	}
}
