package importer

import (
	"errors"
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/keys/design"
)

// settle checks the schema as a design, and turns what it rejects into comments until it accepts the rest, which it
// returns as text.
func settle(m *model) (string, error) {
	if err := tellApart(m); err != nil {
		return "", err
	}
	for {
		p := printSchema(m)
		text := p.String()
		schema, findings, err := check(text)
		if err != nil {
			return "", fmt.Errorf("importer: bug: the schema cannot be read: %w\n%s", err, text)
		}
		if len(findings) == 0 {
			placeEntries(m, schema.Design)
			return text, nil
		}
		if !drop(m, p, findings) {
			return "", fmt.Errorf(
				"importer: bug: the schema has a fault that nothing can be left out for: %w\n%s", findings, text)
		}
	}
}

// place finds the type of each item by the finished schema. This is what a gateway does, and what the report says,
// whatever the types were made from.
func placeEntries(m *model, d *design.Design) {
	reasons := map[*entry]string{}
	for _, u := range m.unclassified {
		reasons[u.entry] = u.why
	}
	m.placed, m.unclassified = map[string]float64{}, nil
	for _, e := range m.entries {
		it := d.FromStored(e.Item)
		if t := d.Type(it.Type()); t != nil {
			if t.Agrees(it) {
				m.placed[t.Name] += e.weight
				continue
			}
		}
		if c := claimOf(m.claims, e); c != nil {
			m.placed[c.name] += e.weight
			continue
		}
		why := reasons[e]
		if why == "" {
			why = "its key has a part that no value can be"
		}
		m.unclassified = append(m.unclassified, unclassified{e, why})
	}
}

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
func tellApart(m *model) error {
	if m.Type == "" {
		return nil
	}
	before, err := rejectedItems(m)
	if err != nil || before == 0 {
		return err
	}
	m.isConstant = true
	after, err := rejectedItems(m)
	m.isConstant = after < before
	return err
}

// rejectedItems returns how many keys of items and copies the checks reject.
func rejectedItems(m *model) (int, error) {
	p := printSchema(m)
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
