package design

import (
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// fillRange sets Prefix, From and To.
func (c *Condition) fillRange(values func(string) keys.Value) error {
	f := c.Field
	prefix, whole, err := f.sortPrefix(values)
	if err != nil {
		return err
	}
	var ends keys.Value
	if whole {
		if ends, err = f.ends(values); err != nil {
			return err
		}
	}
	if begin, ok := ends.Prefix(); ok {
		text, err := f.rest.next.FormatPrefix(begin, f.SK.Delimiter())
		if err != nil {
			return err
		}
		prefix += f.rest.glue + text
	}
	c.Prefix = keys.SK(prefix)
	if whole {
		switch f.rest.extent {
		case keys.Exact:
			// Not longer sort keys that begin with it.
			c.From, c.To = c.Prefix, c.Prefix
			return keys.SK(prefix).Check()
		case keys.Tree:
			c.Children = c.Prefix + keys.SK(f.SK.Delimiter())
			// EndOf(c.Children) may be the sort key of the item of another tree.
			c.From, c.To = c.Prefix, c.Children+keys.EndOfText
			return c.To.Check()
		}
	}
	bound := f.after(prefix)
	if _, isText := ends.Prefix(); isText {
		bound = prefix + keys.EndOfText // The text after one that ends with a delimiter of others may be a key.
	}
	if err := keys.SK(bound).Check(); err != nil {
		return err
	}
	if keys.SK(bound) != keys.EndOf(keys.SK(prefix)) {
		c.From, c.To = keys.Lowest(c.Prefix), keys.SK(bound)
	}
	if lower, upper, ok := ends.Range(); ok {
		return c.between(prefix+f.rest.glue, lower, upper)
	}
	return nil
}

// ends returns the value of the range argument, unset if there is none.
func (f *Field) ends(values func(string) keys.Value) (keys.Value, error) {
	a := f.Argument(f.rest.next.Variable)
	if a == nil || !a.Range {
		return keys.Value{}, nil
	}
	v := values(a.Name)
	return v, keys.NamedError(a.Name, v.Err())
}

// between narrows the range to the bounds of its next variable. If segments follow the variable,
// the upper bound includes all keys that begin with the value and a delimiter.
func (c *Condition) between(prefix string, lower, upper keys.Value) error {
	next, delimiter := c.Field.rest.next, c.Field.SK.Delimiter()
	next.Bucket = 0
	from, to := string(keys.Lowest(keys.SK(prefix))), c.Field.after(prefix)
	if next.Optional {
		from = prefix + " " // Not the key that ends here, because it has no value.
	}
	if lower.IsSet() {
		text, err := next.FormatAtLeast(lower, delimiter)
		if err != nil {
			return err
		}
		from = prefix + text
	}
	if upper.IsSet() {
		text, err := next.Format(upper, delimiter)
		if err != nil {
			return err
		}
		switch to = prefix + text; {
		case c.Field.rest.glued:
			to += keys.EndOfText
		case c.Field.rest.more:
			to += string(keys.EndOf(keys.SK(delimiter)))
		}
	}
	if from > to {
		if next.IsBetween(lower, upper) {
			c.Partitions = nil
			return nil
		}
		return keys.InputErrorf(next.Variable, "%s.from must not be after %s.to", next.Variable, next.Variable)
	}
	c.From, c.To = keys.SK(from), keys.SK(to)
	if err := keys.SK(from).Check(); err != nil {
		return err
	}
	return keys.SK(to).Check()
}

// Contains reports whether the sort key is in the range.
func (c Condition) Contains(sk keys.SK) bool {
	from, to := c.Bounds()
	return sk >= from && sk <= to && (c.Children == "" || keys.InTree(sk, c.Prefix, c.Children))
}

// Find returns the index of the partition in which the condition selects an entry of its index, or of the table: one
// with the entry's key. It is -1 if the condition does not select the entry, and 0 for the key of a Get. A foreign item
// at the upper bound of a range is selected, as it is by the Query.
func (c *Condition) Find(entry keys.Key) int {
	switch {
	case c.Field.Kind == Query:
	case entry == c.Key && entry != keys.Key{}:
		return 0
	default:
		return -1
	}
	for i := range c.Partitions {
		if c.Partitions[i].PK == entry.PK && c.selects(entry.SK) {
			return i
		}
	}
	return -1
}

// selects reports whether the Query of each partition selects a sort key, "" for an entry without one.
func (c *Condition) selects(sk keys.SK) bool {
	switch {
	case c.Field.hasNoSortKey():
		return true
	case sk == "":
		return false
	case c.From != "":
		return sk >= c.From && sk <= c.To && (c.Children == "" || keys.InTree(sk, c.Prefix, c.Children))
	default:
		return strings.HasPrefix(string(sk), string(c.Prefix)) || sk == keys.EndOf(c.Prefix)
	}
}

// Bounds returns From and To, or if they are not set the bounds of Prefix.
func (c Condition) Bounds() (from, to keys.SK) {
	if c.From != "" {
		return c.From, c.To
	}
	return keys.Lowest(c.Prefix), keys.EndOf(c.Prefix)
}

// after is EndOf for a prefix of the field. A shorter sort key of the design may be equal to its result:
// "DEPT#1$" is the one of a department, and ends the range of "DEPT#1#".
func (f *Field) after(prefix string) string {
	end := string(keys.EndOf(keys.SK(prefix)))
	for _, t := range f.shorter {
		if _, ok := t.Match(end); ok {
			return prefix + keys.EndOfText
		}
	}
	return end
}

// sortPrefix returns the field's SK, filled from the left as far as values are set. whole reports
// whether all of it was filled.
func (f *Field) sortPrefix(values func(string) keys.Value) (prefix string, whole bool, err error) {
	var b strings.Builder
	delimiter := f.SK.Delimiter()
	for i, s := range f.SK.Segments() {
		if i > 0 && !s.Glued {
			b.WriteString(delimiter)
		}
		b.WriteString(s.Literal)
		if s.Variable == "" {
			continue
		}
		v := values(s.Variable)
		if !v.IsSet() {
			return b.String(), false, f.checkGap(i, values)
		}
		text, err := s.Format(v, delimiter)
		if err != nil {
			return "", false, err
		}
		b.WriteString(text)
	}
	if f.rest.extent == keys.Children {
		// Without it, CITY#{city} for "York" would include "Yorkton".
		b.WriteString(delimiter)
	}
	return b.String(), true, nil
}

// checkGap returns an InputError for a value after the first one that is missing, unless the sort key has it before
// that as well.
func (f *Field) checkGap(missing int, values func(string) keys.Value) error {
	for _, s := range f.SK.Segments()[missing+1:] {
		isSame := func(other keys.Segment) bool {
			return other.Variable == s.Variable && (other.Case == keys.AsIs || other.Case == s.Case)
		}
		if s.Variable != "" && values(s.Variable).IsSet() && !slices.ContainsFunc(f.SK.Segments()[:missing], isSame) {
			name := f.SK.Segments()[missing].Variable
			return keys.InputErrorf(name, "%s must be given when %s is", name, s.Variable)
		}
	}
	if a := f.Argument(f.rest.next.Variable); a != nil && a.Range && values(a.Name).IsSet() {
		name := f.SK.Segments()[missing].Variable
		return keys.InputErrorf(name, "%s must be given when %s is", name, a.Name)
	}
	return nil
}
