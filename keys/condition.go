package keys

import "github.com/partita/partita/item"

// Condition is a field's key condition with its variables filled in: one key
// for a Get; for a Query a range of sort keys in one partition, or in the
// shards or time buckets of one collection.
type Condition struct {
	Field *Field
	// Err says what is wrong with the values; nothing may then be read.
	Err error
	// Absent is set when a nullable variable is unset, or when a range lies between
	// two values: the answer is null, or an empty collection, without a read.
	Absent bool
	// Key is the key of a Get.
	Key Key
	// Partitions of a Query, in the order in which equal sort keys are merged.
	Partitions []Partition
	// Prefix begins every sort key of a Query's range. From and To are inclusive
	// bounds inside of it; they are set together or not at all.
	Prefix   SK
	From, To SK
	// scope tells the collection from all others: cursors are bound to it.
	scope string
	// Known are the attributes that every item of a Get has by its key alone,
	// entityType included.
	Known item.Item
	// owner is what the rule of the field compares with the viewer's id, owners the
	// same for the rules of the types that a Query selects.
	owner  Value
	owners []owned
}

// Partition is one partition of a Query. Label tells it from the others of the
// same Condition: a shard number or a time bucket, "" when there is one.
type Partition struct {
	PK    PK
	Label string
}

// Condition fills in the field's variables. values gives the value of an
// argument or of a parent's attribute.
func (f *Field) Condition(values func(name string) Value) Condition {
	c := Condition{Field: f}
	if f.ruled {
		c.fillOwners(values)
	}
	if f.absent(values) {
		c.Absent = true
		return c
	}
	if c.Err = f.checkIDs(values); c.Err != nil {
		return c
	}
	if c.Err = c.fillPartitions(values); c.Err != nil {
		return c
	}
	if f.Kind == Get {
		var sk string
		sk, c.Err = f.SK.Build(values)
		if c.Err == nil {
			c.Err = checkSK(sk)
		}
		c.Key = Key{PK: c.Partitions[0].PK, SK: SK(sk)}
		c.Known = f.known(values)
		return c
	}
	c.Err = c.fillRange(values)
	return c
}

// absent reports whether a variable that comes from the parent, not from an
// argument, is unset.
func (f *Field) absent(values func(string) Value) bool {
	for _, t := range [...]Template{f.PK, f.SK} {
		for _, s := range t.segments {
			if s.Variable != "" && f.Argument(s.Variable) == nil && !values(s.Variable).IsSet() {
				return true
			}
		}
	}
	return false
}

// checkIDs refuses the global ID of another type.
func (f *Field) checkIDs(values func(string) Value) error {
	for _, a := range f.Arguments {
		if a.Kind != IDKind {
			continue
		}
		v := values(a.Name)
		if v.err != nil && v.idType == "" {
			return named(a.Name, v.err)
		}
		switch {
		case !v.IsSet() || v.err == nil && v.idType == a.Ref:
		case a.Ref == "":
			return inputErrorf(a.Name, "%s must be an id of this table's own, not the global id of an object", a.Name)
		case v.idType == "" || v.idType == a.Ref:
			return inputErrorf(a.Name, "%s is not an id of this API; pass an id of type %s exactly as a response gave it", a.Name, a.Ref)
		default:
			return inputErrorf(a.Name, "%s is the id of another type; pass an id of type %s", a.Name, a.Ref)
		}
	}
	return nil
}

// known are the attributes of the type that the key fixes.
func (f *Field) known(values func(string) Value) item.Item {
	m := f.matches[0]
	it := make(item.Item, 0, len(m.Variables)+len(m.Constants)+1)
	it = append(it, item.Attribute{Name: item.EntityType, Value: item.StringValue(m.Type.Name)})
	for name, source := range m.Variables {
		it = append(it, m.Type.known(name, values(source).text))
	}
	for name, text := range m.Constants {
		it = append(it, m.Type.known(name, text))
	}
	return it
}

func (t *Type) known(name, text string) item.Attribute {
	v := item.StringValue(text)
	if a := t.Attribute(name); a != nil && a.Kind == Int {
		v.Kind = item.Number
	}
	return item.Attribute{Name: name, Value: v}
}

// NodeCondition is the Get of the object that a global ID names. An ID of a
// type that is not stored, or with other values than such an object can have, is
// an InputError. It does not say which: callers know ids only as a whole.
func (d *Design) NodeCondition(f *Field, id ID) Condition {
	c := Condition{Field: f, Err: inputErrorf("id", "this is not an id of this API; pass an id exactly as a response gave it")}
	t, values := d.types[id.Type()], id.Values()
	if t == nil || len(values) != len(t.Identity) {
		return c
	}
	lookup := func(name string) Value {
		for i, n := range t.Identity {
			if n == name {
				return StringValue(values[i])
			}
		}
		return Value{}
	}
	key, err := t.Item.Key(lookup)
	if err != nil {
		return c
	}
	c.Key, c.Err = key, nil
	c.Known = append(c.Known, item.Attribute{Name: item.EntityType, Value: item.StringValue(t.Name)})
	for i, name := range t.Identity {
		c.Known = append(c.Known, t.known(name, values[i]))
	}
	return c
}
