package importer

import (
	"errors"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
)

// check reads a schema, or returns its findings. The error is for a text that is no schema.
func check(text string) (*directives.Schema, directives.Findings, error) {
	parsed, err := directives.Load(&ast.Source{Name: schemaFile, Input: text})
	if err != nil {
		return nil, nil, err
	}
	schema, err := directives.Read(parsed)
	findings, isFindings := errors.AsType[directives.Findings](err)
	if err != nil && !isFindings {
		return nil, nil, err
	}
	return schema, findings, nil
}

// tellApart makes the type attribute a constant of each type, if the checks reject fewer keys then: the keys of two
// types can be equal, such as those of flights, AIRPORT and AIRPORT#TIME, and of bookings, PASSENGER and TIME#FLIGHT.
func (m *model) tellApart() error {
	if m.Type == "" {
		return nil
	}
	before, err := m.rejectedItems()
	if err != nil || before == 0 {
		return err
	}
	m.isConstant = true
	after, err := m.rejectedItems()
	m.isConstant = after < before
	return err
}

// rejectedItems returns how many keys of items and copies the checks reject.
func (m *model) rejectedItems() (int, error) {
	p := m.print()
	_, findings, err := check(p.String())
	if err != nil {
		return 0, err
	}
	n := 0
	for _, f := range findings {
		switch p.at(f).(type) {
		case *typ, *storedType:
			n++
		}
	}
	return n, nil
}
