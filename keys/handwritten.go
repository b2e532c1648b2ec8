package keys

import "strings"

// WithHandWritten sets the fields that IsHandWritten reports, as schema coordinates such as
// Query.recommendations, and returns the design. The generator lists them.
func (d *Design) WithHandWritten(coordinates ...string) *Design {
	d.handWritten = make(map[coordinate]bool, len(coordinates))
	for _, c := range coordinates {
		parent, name, _ := strings.Cut(c, ".")
		d.handWritten[coordinate{parent, name}] = true
	}
	return d
}

// IsHandWritten reports whether the value of a field of an object type depends on Go code that is not
// generated: a resolver, the Go code of a scalar or of a directive, or a Go type or method that
// gqlgen.yml names. The value of any other field that a directive serves, or that is stored, follows
// from the schema, the design and what is stored.
func (d *Design) IsHandWritten(parent, name string) bool {
	return d.handWritten[coordinate{parent, name}]
}
