package design

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/predicate"
)

// Filter is what the items of a condition must have to be in the answer. It is applied to the whole collection after
// that has been read.
type Filter struct {
	Name  string
	Op    predicate.Op
	Value item.Value
}

// String returns the filter as people write it.
func (f Filter) String() string { return f.Name + " " + f.Op.String() + " " + f.Value.Text }

// HasFilters reports whether the field has arguments that are filters.
func (f *Field) HasFilters() bool {
	return slices.ContainsFunc(f.Arguments, func(a keys.Argument) bool { return a.Filter })
}

// fillFilters sets the filters. The error is an InputError.
func (c *Condition) fillFilters(values func(string) keys.Value) error {
	for i := range c.Field.Arguments {
		a := &c.Field.Arguments[i]
		if !a.Filter {
			continue
		}
		v := values(a.Name)
		if err := v.Err(); err != nil {
			return keys.NamedError(a.Name, err)
		}
		lower, upper, isRange := v.Range()
		if !isRange {
			c.addFilter(a, predicate.Equal, v)
			continue
		}
		c.addFilter(a, predicate.AtLeast, lower)
		c.addFilter(a, predicate.AtMost, upper)
		if n := len(c.filters); lower.IsSet() && upper.IsSet() &&
			predicate.Greater.Holds(c.filters[n-2].Value, c.filters[n-1].Value) {
			return keys.InputErrorf(a.Name, "%s.from must not be after %s.to", a.Name, a.Name)
		}
	}
	return nil
}

func (c *Condition) addFilter(a *keys.Argument, op predicate.Op, v keys.Value) {
	if !v.IsSet() {
		return
	}
	value := item.StringValue(v.Text())
	switch a.Kind {
	case keys.Int, keys.Int64, keys.Float:
		value.Kind = item.Number
	case keys.Boolean:
		value.Kind = item.Bool
	}
	c.filters = append(c.filters, Filter{a.Name, op, value})
}

// IsFiltered reports whether the condition has filters, so that its whole collection is read.
func (c *Condition) IsFiltered() bool { return len(c.filters) > 0 }

// Filters returns the filters.
func (c *Condition) Filters() []Filter { return c.filters }

// Keeps reports whether an item fulfils all filters. A list does if one of its elements does.
func (c *Condition) Keeps(it item.Item) bool {
	for i := range c.filters {
		f := &c.filters[i]
		v, _ := it.Get(f.Name)
		values := []item.Value{v}
		if v.Kind == item.List {
			values = v.Elements()
		}
		if !slices.ContainsFunc(values, func(v item.Value) bool { return f.Op.Holds(v, f.Value) }) {
			return false
		}
	}
	return true
}
