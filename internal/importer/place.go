package importer

import "github.com/partita/partita/keys/design"

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
