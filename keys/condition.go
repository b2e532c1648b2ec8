package keys

import (
	"strconv"
	"strings"
	"time"

	"github.com/partita/partita/table/item"
)

// MaxBuckets is how many time buckets one range may touch: each is a partition
// and so a Query of its own.
const MaxBuckets = 48

// Condition is a field's key condition with its variables filled in: one key
// for a Get; for a Query a range of sort keys in one partition, or in the
// shards or time buckets of one collection.
type Condition struct {
	Field *Field
	// Err says what is wrong with the values; nothing may then be read.
	Err error
	// Absent is set when a nullable variable is unset: the answer is null, or an
	// empty collection, without a read.
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
		if v.err != nil {
			return named(a.Name, v.err)
		}
		switch {
		case !v.set || v.idType == a.Ref:
		case a.Ref == "":
			return inputErrorf(a.Name, "%s must be an id of this table's own, not the global id of an object", a.Name)
		case v.idType == "":
			return inputErrorf(a.Name, "%s is not an id of this API; pass an id of type %s exactly as a response gave it", a.Name, a.Ref)
		default:
			return inputErrorf(a.Name, "%s is the id of another type; pass an id of type %s", a.Name, a.Ref)
		}
	}
	return nil
}

func (c *Condition) fillPartitions(values func(string) Value) (err error) {
	f := c.Field
	fixed := values
	if f.bucketed != "" {
		// One collection has one scope, whichever buckets are asked for.
		fixed = func(name string) Value {
			if name == f.bucketed {
				return TimeValue(time.Unix(0, 0))
			}
			return values(name)
		}
	}
	pk, err := f.PK.Build(fixed)
	if err != nil {
		return err
	}
	c.scope = f.Coordinate() + Delimiter + pk
	switch {
	case f.bucketed != "":
		c.Partitions, err = f.buckets(values)
		return err
	case f.shards == 1:
		c.Partitions = []Partition{{PK: PK(pk)}}
		return checkPK(c.Partitions[0].PK)
	}
	c.Partitions = make([]Partition, f.shards)
	for i := range c.Partitions {
		c.Partitions[i] = Partition{PK: ShardPK(PK(pk), i), Label: strconv.Itoa(i)}
	}
	return checkPK(c.Partitions[f.shards-1].PK)
}

// buckets lists the partitions of all time buckets that a range argument
// touches, oldest first.
func (f *Field) buckets(values func(string) Value) ([]Partition, error) {
	v := values(f.bucketed)
	if v.err != nil {
		return nil, named(f.bucketed, v.err)
	}
	if v.bounds == nil || !v.bounds.from.set || !v.bounds.to.set {
		return nil, inputErrorf(f.bucketed, "%s must have both from and to: the collection is stored in time buckets", f.bucketed)
	}
	from, err := time.Parse(item.TimeLayout, v.bounds.from.text)
	if err != nil {
		return nil, inputErrorf(f.bucketed, "%s.from must be a time", f.bucketed)
	}
	if _, err := time.Parse(item.TimeLayout, v.bounds.to.text); err != nil {
		return nil, inputErrorf(f.bucketed, "%s.to must be a time", f.bucketed)
	}
	var bucket Bucket
	for _, s := range f.PK.segments {
		if s.Variable == f.bucketed {
			bucket = s.Bucket
		}
	}
	var parts []Partition
	last := v.bounds.to.text[:bucket]
	for at := bucket.floor(from); ; at = bucket.next(at) {
		label := at.Format(item.TimeLayout)[:bucket]
		if label > last {
			return parts, nil
		}
		if len(parts) == MaxBuckets {
			return nil, inputErrorf(f.bucketed, "%s spans more than %d time buckets; ask for a shorter span", f.bucketed, MaxBuckets)
		}
		pk, err := f.PK.Build(func(name string) Value {
			if name == f.bucketed {
				return TimeValue(at)
			}
			return values(name)
		})
		if err != nil {
			return nil, err
		}
		if err := checkPK(PK(pk)); err != nil {
			return nil, err
		}
		parts = append(parts, Partition{PK: PK(pk), Label: label})
	}
}

func (b Bucket) floor(t time.Time) time.Time {
	switch b {
	case Year:
		return time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	case Month:
		return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
	case Day:
		return t.Truncate(24 * time.Hour)
	default:
		return t.Truncate(time.Hour)
	}
}

func (b Bucket) next(t time.Time) time.Time {
	switch b {
	case Year:
		return t.AddDate(1, 0, 0)
	case Month:
		return t.AddDate(0, 1, 0)
	case Day:
		return t.AddDate(0, 0, 1)
	default:
		return t.Add(time.Hour)
	}
}

// fillRange sets Prefix, From and To.
func (c *Condition) fillRange(values func(string) Value) error {
	f := c.Field
	prefix, whole, err := f.sortPrefix(values)
	if err != nil {
		return err
	}
	c.Prefix = SK(prefix)
	bound := prefix
	if !f.rest.closed {
		bound = after(prefix)
	}
	if err := checkSK(bound); err != nil {
		return err
	}
	if !whole {
		return nil
	}
	next := f.rest.next
	a := f.Argument(next.Variable)
	switch {
	case f.rest.closed:
		// Only this one sort key: a longer one that begins alike is not meant.
		c.From, c.To = c.Prefix, c.Prefix
		return nil
	case a == nil || !a.Range:
		return nil
	}
	v := values(next.Variable)
	if v.err != nil {
		return named(next.Variable, v.err)
	}
	if v.bounds == nil {
		return nil
	}
	return c.between(prefix+f.rest.glue, v.bounds)
}

// between narrows the range to the bounds of its next variable. A value is
// followed by a delimiter or by nothing, so the upper bound takes in all keys
// that begin with the value and a delimiter.
func (c *Condition) between(prefix string, b *bounds) error {
	next := c.Field.rest.next
	next.Bucket = 0
	from, to := string(lowest(SK(prefix))), after(prefix)
	if b.from.set {
		text, err := next.format(b.from)
		if err != nil {
			return err
		}
		from = prefix + text
	}
	if b.to.set {
		text, err := next.format(b.to)
		if err != nil {
			return err
		}
		if to = prefix + text; c.Field.rest.more {
			to += afterDelimiter
		}
	}
	if from > to {
		return inputErrorf(next.Variable, "%s.from must not be after %s.to", next.Variable, next.Variable)
	}
	c.From, c.To = SK(from), SK(to)
	if err := checkSK(from); err != nil {
		return err
	}
	return checkSK(to)
}

// Bounds are From and To, or where they are not set the bounds of Prefix.
func (c Condition) Bounds() (from, to SK) {
	if c.From != "" {
		return c.From, c.To
	}
	return lowest(c.Prefix), EndOf(c.Prefix)
}

// lowest is the lower bound of all sort keys that begin with the prefix. It is
// never empty, which DynamoDB refuses: no key of a design begins with a
// character below a space.
func lowest(prefix SK) SK { return max(prefix, " ") }

// EndOf sorts above every sort key that begins with the prefix and below every
// other key of a design that sorts above the prefix.
func EndOf(prefix SK) SK { return SK(after(string(prefix))) }

// Chronological reports whether the partitions are time buckets, so that the
// sort keys of each lie above those of the one before.
func (c Condition) Chronological() bool { return c.Field.bucketed != "" }

func after(prefix string) string {
	if cut, ok := strings.CutSuffix(prefix, Delimiter); ok {
		return cut + afterDelimiter
	}
	return prefix + "\U0010FFFF"
}

// sortPrefix fills the field's SK from the left as far as values are given.
// whole reports whether all of it was filled.
func (f *Field) sortPrefix(values func(string) Value) (prefix string, whole bool, err error) {
	var b strings.Builder
	for i, s := range f.SK.segments {
		if i > 0 {
			b.WriteString(Delimiter)
		}
		b.WriteString(s.Literal)
		if s.Variable == "" {
			continue
		}
		v := values(s.Variable)
		if !v.IsSet() {
			return b.String(), false, f.checkGap(i, values)
		}
		text, err := s.format(v)
		if err != nil {
			return "", false, err
		}
		b.WriteString(text)
	}
	if f.rest.whole {
		// Without it, CITY#{city} for "York" would take in "Yorkton".
		b.WriteString(Delimiter)
	}
	return b.String(), true, nil
}

// checkGap refuses a value behind the first one that is missing.
func (f *Field) checkGap(missing int, values func(string) Value) error {
	for _, s := range f.SK.segments[missing+1:] {
		if s.Variable != "" && values(s.Variable).IsSet() {
			name := f.SK.segments[missing].Variable
			return inputErrorf(name, "%s must be given when %s is", name, s.Variable)
		}
	}
	if a := f.Argument(f.rest.next.Variable); a != nil && a.Range && values(a.Name).IsSet() {
		name := f.SK.segments[missing].Variable
		return inputErrorf(name, "%s must be given when %s is", name, a.Name)
	}
	return nil
}

func checkPK(pk PK) error {
	if len(pk) > MaxPKBytes {
		return inputErrorf("", "the values are too long together: a partition key holds at most %d bytes", MaxPKBytes)
	}
	return nil
}

func checkSK(sk string) error {
	if len(sk) > MaxSKBytes {
		return inputErrorf("", "the values are too long together: a sort key holds at most %d bytes", MaxSKBytes)
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
// type that is not stored, or with another number of values, is an InputError.
func (d *Design) NodeCondition(f *Field, id ID) Condition {
	c := Condition{Field: f}
	t, values := d.types[id.Type()], id.Values()
	if t == nil || len(values) != len(t.Identity) {
		c.Err = inputErrorf("id", "this is not an id of this API; pass an id exactly as a response gave it")
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
	c.Key, c.Err = t.Item.Key(lookup)
	c.Known = append(c.Known, item.Attribute{Name: item.EntityType, Value: item.StringValue(t.Name)})
	for i, name := range t.Identity {
		c.Known = append(c.Known, t.known(name, values[i]))
	}
	return c
}

// Key is the key of the stored form with these values.
func (s Shape) Key(values func(name string) Value) (Key, error) {
	pk, err := s.PK.Build(values)
	if err != nil {
		return Key{}, err
	}
	sk, err := s.SK.Build(values)
	if err != nil {
		return Key{}, err
	}
	if err := checkPK(PK(pk)); err != nil {
		return Key{}, err
	}
	return Key{PK: PK(pk), SK: SK(sk)}, checkSK(sk)
}
