package importer

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
	_, findings, err := check(m.print())
	if err != nil {
		return 0, err
	}
	n := 0
	for _, f := range findings {
		for _, e := range m.keyElements() {
			if _, isEntry := e.(*index); !isEntry && e.self().has(f) {
				n++
			}
		}
	}
	return n, nil
}

// constant returns an attribute that all items of a type have as an argument of @item.
func constant(attribute, value string) string {
	return "{name: " + quote(attribute) + ", value: " + quote(value) + "}"
}
