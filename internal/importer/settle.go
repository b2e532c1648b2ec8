package importer

import (
	"fmt"

	"github.com/partita/partita/keys/design"
)

// settle checks the schema as a design, and turns what it rejects into comments until it accepts the rest, which it
// returns as text.
func (m *model) settle() (string, error) {
	if err := m.tellApart(); err != nil {
		return "", err
	}
	for {
		p := m.print()
		text := p.String()
		schema, findings, err := check(text)
		if err != nil {
			return "", fmt.Errorf("importer: bug: the schema cannot be read: %w\n%s", err, text)
		}
		if len(findings) == 0 {
			m.place(schema.Design)
			return text, nil
		}
		if !m.drop(p, findings) {
			return "", fmt.Errorf(
				"importer: bug: the schema has a fault that nothing can be left out for: %w\n%s", findings, text)
		}
	}
}

// place finds the type of each item by the finished schema. This is what a gateway does, and what the report says,
// whatever the types were made from.
func (m *model) place(d *design.Design) {
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
		if c := m.claimOf(e); c != nil {
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
