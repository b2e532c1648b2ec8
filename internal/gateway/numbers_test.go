package gateway_test

import (
	"net/http"
	"testing"
)

// TestLargeNumbers: a literal that gqlgen cannot read is no panic of a resolver, but an error of the document.
func TestLargeNumbers(t *testing.T) {
	c, _ := config(t)
	handler := serve(t, c)
	for query, found := range map[string]string{
		`{ at(time: 9223372036854775808) }`:                                "9223372036854775808",
		`{ at(time: 1e999) }`:                                              "1e999",
		`query($t: Time! = -9223372036854775809) { at(time: $t) }`:         "-9223372036854775809",
		`{ echo(text: "a") ...f } fragment f on Query { at(time: 1e400) }`: "1e400",
	} {
		a := post(t, handler, query, nil)
		want := `Expected value of type "Time!", found ` + found + `.`
		if a.status != http.StatusUnprocessableEntity || len(a.result.Errors) == 0 || a.result.Errors[0].Message != want {
			t.Errorf("%s: got %d %s", query, a.status, a.body)
		}
	}
	if a := post(t, handler, `{ at(time: 1e10) }`, nil); a.result.Errors[0].Extensions.Code != "BAD_USER_INPUT" {
		t.Errorf("got %d %s", a.status, a.body)
	}
}
