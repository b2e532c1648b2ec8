package replay

import (
	"bytes"
	"errors"
	"hash/maphash"
)

// A fingerprint identifies a JSON value, whatever the order of names in its objects.
type fingerprint uint64

// A key is an element of the Keys of a BatchGetItem.
type key struct {
	fingerprint fingerprint
	text        []byte // in the request
}

var seed = maphash.MakeSeed()

var errJSON = errors.New("replay: the body of a request is not JSON")

// scanner computes the fingerprint of a document in one pass. It accepts some texts that are not JSON; the endpoint
// rejects them when it is asked.
type scanner struct {
	text []byte
	at   int
	// keys are the elements of the last member named Keys. Its fingerprint is zero.
	keys []key
	// isWrite: values make no difference, because new objects have new ids and times. Those of keys do.
	isWrite bool
	err     error
}

// scan returns the fingerprint of a body with an action, and the keys if it is a BatchGetItem.
func (s *scanner) scan(action, body []byte) (fingerprint, []key, error) {
	s.text, s.at, s.keys, s.err = body, 0, s.keys[:0], nil
	s.isWrite = bytes.HasSuffix(action, []byte("UpdateItem")) || bytes.HasSuffix(action, []byte("WriteItems"))
	f := combine(hash(action), s.value())
	return f, s.keys, s.err
}

func hash(text []byte) fingerprint { return fingerprint(maphash.Bytes(seed, text)) }

// combine depends on the order of a and b.
func combine(a, b fingerprint) fingerprint {
	a = (a ^ b>>32 ^ b<<32) * 0x9e3779b97f4a7c15
	return a ^ a>>29 + b
}

// next skips white space and returns the byte that follows, or 0 at the end.
func (s *scanner) next() byte {
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

func (s *scanner) value() fingerprint {
	switch s.next() {
	case '{':
		return s.object()
	case '[':
		return s.array(nil)
	case '"':
		return s.scalar(s.string())
	case 0:
		s.err = errJSON
		return 0
	default: // a number, true, false or null
		rest := s.text[s.at:]
		n := bytes.IndexAny(rest, ",]} \t\r\n")
		if n < 0 {
			n = len(rest)
		}
		s.at += max(n, 1)
		return s.scalar(rest[:n]) + 1
	}
}

func (s *scanner) scalar(text []byte) fingerprint {
	if s.isWrite {
		return 4
	}
	return hash(text)
}

func (s *scanner) object() fingerprint {
	sum := fingerprint(2)
	for s.at++; s.err == nil && s.next() != '}'; {
		name := s.string()
		s.next()
		s.at++ // the colon
		switch {
		case string(name) == "Keys" && s.next() == '[':
			s.keys = s.keys[:0]
			s.array(&s.keys)
		case s.isWrite && string(name) == "Key":
			s.isWrite = false
			sum += combine(hash(name), s.value())
			s.isWrite = true
		default:
			sum += combine(hash(name), s.value())
		}
		s.comma()
	}
	s.at++
	return sum
}

// array also collects the elements, if the caller needs them.
func (s *scanner) array(elements *[]key) fingerprint {
	all := fingerprint(3)
	for s.at++; s.err == nil && s.next() != ']'; {
		start := s.at
		element := s.value()
		all = combine(all, element)
		if elements != nil && s.err == nil {
			*elements = append(*elements, key{element, s.text[start:s.at]})
		}
		s.comma()
	}
	s.at++
	return all
}

func (s *scanner) comma() {
	switch s.next() {
	case ',':
		s.at++
	case 0:
		s.err = errJSON
	}
}

// string returns the text of a string as it is written, between its quotes.
func (s *scanner) string() []byte {
	if s.next() != '"' {
		s.err = errJSON
		return nil
	}
	s.at++
	for i := s.at; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			i++
		case '"':
			text := s.text[s.at:i]
			s.at = i + 1
			return text
		}
	}
	s.err = errJSON
	return nil
}
