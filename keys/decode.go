package keys

import "strings"

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
	values, ok := t.match(text, forbidden)
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

// DecodeKey returns the parts of the key of an item of the type, in an index or with "" in the table. ok is false if no
// item of the type has such a key.
func (t *Type) DecodeKey(index string, key Key) (pk, sk []Part, ok bool) {
	for _, s := range t.shapesIn(index) {
		if s.Holds(key) || s.HoldsStored(key) {
			pk, _ = s.PK.Decode(string(key.PK))
			sk, _ = s.SK.Decode(string(key.SK))
			return pk, sk, true
		}
	}
	return nil, nil, false
}

// DecodePK is DecodeKey for a partition key alone.
func (t *Type) DecodePK(index string, pk PK) (parts []Part, ok bool) {
	for _, s := range t.shapesIn(index) {
		if parts, ok = s.PK.Decode(string(pk)); ok {
			return parts, true
		}
	}
	return nil, false
}

// shapesIn returns the shapes of the type's items in an index, with "" in the table, those with a shard included.
func (t *Type) shapesIn(index string) []Shape {
	if index == "" {
		return t.Shapes()
	}
	var shapes []Shape
	for _, ix := range t.Indexes {
		if ix.Name != index {
			continue
		}
		for _, label := range ix.Labels() {
			if label == "" {
				shapes = append(shapes, ix.Shape)
				continue
			}
			shapes = append(shapes, Shape{PK: ix.PK.WithShard(), SK: ix.SK})
			break // all shards have one template
		}
	}
	return shapes
}

// InPartition reports whether the field reads a partition: whether a value of its variables makes the partition key.
// text is the field's sort key with those values, and with {name} for the others; prefix is the part of it before the
// first of the others.
func (f *Field) InPartition(pk PK) (prefix SK, text string, ok bool) {
	if f.Kind.IsByID() {
		return "", "", false
	}
	values, ok := f.valuesIn(pk)
	if !ok {
		return "", "", false
	}
	placeholder := func(name string) string { return "{" + name + "}" }
	return SK(f.SK.Beginning(values.Get)), f.SK.Describe(values.Get, placeholder), true
}

// ShardsOf returns the partitions over which the value in a partition key is spread, in the order of Shards; nil if the
// field does not read the partition, or if the value is not spread.
func (f *Field) ShardsOf(pk PK) []PK {
	text, _, ok := f.split(pk)
	if !ok || len(f.shards) < 2 {
		return nil
	}
	partitions := make([]PK, len(f.shards))
	for i, label := range f.shards {
		partitions[i] = PK(f.withLabel(text, label))
	}
	return partitions
}

func (f *Field) withLabel(text, label string) string {
	if label == "" {
		return text
	}
	return text + f.PK.Delimiter() + label
}

// split returns the partition key of the field without the label of its shard, and the values of its variables.
func (f *Field) split(pk PK) (text string, matched []string, ok bool) {
	for _, label := range f.shards {
		text, isIn := strings.CutSuffix(string(pk), f.withLabel("", label))
		if matched, ok = f.PK.Match(text); isIn && ok {
			return text, matched, true
		}
	}
	return "", nil, false
}

// valuesIn returns the values of the variables in a partition key, except for those of time buckets, which are cut.
func (f *Field) valuesIn(pk PK) (values Values, ok bool) {
	_, matched, ok := f.split(pk)
	if !ok {
		return nil, false
	}
	for i, name := range f.PK.Variables() {
		if f.PK.Has(name) {
			values = append(values, NamedValue{name, StringValue(matched[i])})
		}
	}
	return values, true
}

// Beginning returns the key value up to the first variable without a value that is allowed in a key.
func (t Template) Beginning(values func(name string) Value) string {
	var b strings.Builder
	for i, s := range t.segments {
		if i > 0 && !s.Glued {
			b.WriteString(t.Delimiter())
		}
		b.WriteString(s.Literal)
		if s.Variable == "" {
			continue
		}
		value, err := s.Format(values(s.Variable), t.Delimiter())
		if err != nil {
			break
		}
		b.WriteString(value)
	}
	return b.String()
}

// ParsePK and ParseSK return the text of a key of the index from that which ShowPK and ShowSK return. The error is an
// InputError for a text that cannot be a key.
func (ix *IndexLayout) ParsePK(text string) (PK, error) {
	if text == "" || len(text) > MaxPKBytes {
		return "", InputErrorf("pk", "a partition key has 1 to %d bytes", MaxPKBytes)
	}
	pk, err := ix.PK.Parse(text, true)
	return PK(pk), err
}

// ParseSK is ParsePK for a sort key, or for the beginning of one that is a text; "" for none.
func (ix *IndexLayout) ParseSK(text string) (SK, error) {
	switch {
	case text == "":
		return "", nil
	case len(ix.SK) == 0:
		return "", InputErrorf("sk", "%s has no sort key", ix.title())
	case len(text) > MaxSKBytes:
		return "", InputErrorf("sk", "a sort key has at most %d bytes", MaxSKBytes)
	}
	sk, err := ix.SK.Parse(text, false)
	return SK(sk), err
}

// title returns what an error calls the index, or the table.
func (ix *IndexLayout) title() string {
	if ix.Name == "" {
		return "the table"
	}
	return "the index " + ix.Name
}
