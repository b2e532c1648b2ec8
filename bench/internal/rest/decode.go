package rest

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// httpItem are the attributes of an item, in the order of the response. Its texts are parts of the response.
type httpItem []httpAttribute

type httpAttribute struct {
	name, value string
	members     httpItem // of a map
}

func (i httpItem) attribute(name string) httpAttribute {
	for _, a := range i {
		if a.name == name {
			return a
		}
	}
	return httpAttribute{}
}

// Text implements attributes.
func (i httpItem) Text(name string) string { return i.attribute(name).value }

// Int implements attributes.
func (i httpItem) Int(name string) int {
	n, _ := strconv.Atoi(i.attribute(name).value) // the shop stores integers only
	return n
}

// Money implements attributes.
func (i httpItem) Money(name string) (amount int, currency string) {
	m := i.attribute(name).members
	return m.Int("amount"), m.Text("currency")
}

// decoder reads the JSON of a response with as little work as it takes: what it does not need is skipped, and JSON that
// is not valid is not always recognised.
type decoder struct {
	text string
	at   int
	err  error
}

var errResponse = errors.New("the response is not JSON of DynamoDB")

// is skips white space, and the byte if it is next.
func (d *decoder) is(c byte) bool {
	for ; d.at < len(d.text); d.at++ {
		switch d.text[d.at] {
		case ' ', '\n', '\r', '\t':
			continue
		case c:
			d.at++
			return true
		}
		return false
	}
	d.err = errResponse
	return false
}

func (d *decoder) expect(c byte) {
	if !d.is(c) {
		d.err = errResponse
	}
}

// members calls a function at the value of each member of an object, which reads it.
func (d *decoder) members(value func(name string)) {
	d.expect('{')
	for d.err == nil && !d.is('}') {
		name := d.string()
		d.expect(':')
		value(name)
		d.is(',')
	}
}

// elements calls a function at each element of an array, which reads it.
func (d *decoder) elements(element func()) {
	d.expect('[')
	for d.err == nil && !d.is(']') {
		element()
		d.is(',')
	}
}

func (d *decoder) string() string {
	d.expect('"')
	rest := d.text[d.at:]
	end := strings.IndexByte(rest, '"')
	if end < 0 {
		d.err = errResponse
		return ""
	}
	if strings.IndexByte(rest[:end], '\\') < 0 {
		d.at += end + 1
		return rest[:end]
	}
	for end = 0; end < len(rest) && rest[end] != '"'; end++ {
		if rest[end] == '\\' {
			end++
		}
	}
	if end >= len(rest) {
		d.err = errResponse
		return ""
	}
	var s string
	d.err = json.Unmarshal([]byte(d.text[d.at-1:d.at+end+1]), &s)
	d.at += end + 1
	return s
}

// skip skips a value.
func (d *decoder) skip() {
	switch {
	case d.is('{'):
		d.at--
		d.members(func(string) { d.skip() })
	case d.is('['):
		d.at--
		d.elements(d.skip)
	case d.is('"'):
		d.at--
		d.string()
	default: // a number, true, false or null
		n := strings.IndexAny(d.text[d.at:], ",]}")
		if n < 0 {
			d.err = errResponse
			return
		}
		d.at += n
	}
}

func (d *decoder) item() httpItem {
	all := make(httpItem, 0, 16)
	d.members(func(name string) {
		a := httpAttribute{name: name}
		d.members(func(kind string) {
			switch kind {
			case "S", "N":
				a.value = d.string()
			case "M":
				a.members = d.item()
			default:
				d.skip()
			}
		})
		all = append(all, a)
	})
	return all
}

// items returns the elements of an array.
func (d *decoder) items() []attributes {
	var all []attributes
	d.elements(func() { all = append(all, d.item()) })
	return all
}
