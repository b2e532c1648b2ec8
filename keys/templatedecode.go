package keys

// Part is a part of a key value. The texts of all parts together are the key value.
type Part struct {
	// Text is as in the key; of a Number, its digits.
	Text string
	// Variable is the variable of the template that has the text; "" for a literal with the delimiters around it, and for
	// a shard.
	Variable string
	// Value is the value of the variable in the default format, without padding. That of a time bucket is its Text. It is
	// "" if it does not follow from the key: see Template.Has.
	Value string
	// IsShard is set for the number of a shard.
	IsShard bool
}

// Decode returns the parts of a key value. ok is false if the text does not match the template. A value at the end of
// the key may contain the delimiter.
func (t Template) Decode(text string) (parts []Part, ok bool) {
	if parts, ok = t.decode(text, t.Delimiter()); !ok {
		parts, ok = t.decode(text, "")
	}
	return parts, ok
}

func (t Template) decode(text, forbidden string) ([]Part, bool) {
	if t.open {
		return t.decodeOpen(text, forbidden)
	}
	values, ok := t.match(nil, text, forbidden)
	if !ok {
		return nil, false
	}
	var parts []Part
	literal := ""
	for i := range t.segments {
		s, own := &t.segments[i], text
		if i > 0 {
			literal += t.shownDelimiter()
		}
		if i < len(t.segments)-1 {
			own, text, _ = s.divide(text, t.Delimiter())
		}
		literal += s.Literal
		if s.Variable == "" {
			continue
		}
		if literal != "" {
			parts, literal = append(parts, Part{Text: literal}), ""
		}
		p := Part{Text: own[len(s.Literal):], Variable: s.Variable, Value: values[0]}
		values = values[1:]
		switch {
		case s.Variable == ShardVariable:
			p = Part{Text: p.Text, IsShard: true}
		case s.number:
			p.Text = KeyNumber(p.Text)
		case t.separated:
			p.Text = restored(p.Text)
		}
		parts = append(parts, p)
	}
	if literal != "" {
		parts = append(parts, Part{Text: literal})
	}
	return parts, true
}

// decodeOpen is decode for a template that is open.
func (t *Template) decodeOpen(text, forbidden string) (parts []Part, ok bool) {
	m, ok := t.readOpen(text, forbidden)
	if !ok {
		return nil, false
	}
	literal, n := "", 0
	add := func(p Part) {
		if literal != "" {
			parts, literal = append(parts, Part{Text: literal}), ""
		}
		if p.Text != "" { // It is of one that is Optional.
			parts = append(parts, p)
		}
	}
	for i := range t.segments {
		s := &t.segments[i]
		if i > 0 && !s.Glued {
			literal += t.shownDelimiter()
		}
		literal += s.Literal
		if s.Variable == "" {
			continue
		}
		if n == m.end {
			break
		}
		p := Part{Text: m.texts[n], Variable: s.Variable, Value: m.values[n]}
		switch {
		case s.Variable == ShardVariable:
			p = Part{Text: p.Text, IsShard: true}
		case s.unknown:
			p.Value = ""
		}
		n++
		add(p)
	}
	add(Part{})
	return parts, true
}
