package design

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/partita/partita/item"
)

// ValueCheck is what a value must be that a mutation is given, by @check. What is stored already is not checked.
type ValueCheck struct {
	// Min and Max are the least and the greatest number, both inclusive; "" for none.
	Min, Max string
	// MinLength and MaxLength are those of a text in characters, which are Unicode code points; MaxLength is 0 for none.
	MinLength, MaxLength int
	// Pattern is a regular expression of which a text has a match, in the syntax of RE2, whose time is linear in the
	// length of the text; "" for none.
	//
	// https://github.com/google/re2/wiki/Syntax
	Pattern string
	// Message says what is wrong, in words that follow the name of the field; "" for those that follow from the rest.
	Message string

	pattern *regexp.Regexp
}

// Fault returns what a text or a number must be and is not, such as "must be at least 1"; "" for a value that is right,
// and for any other kind of value.
func (c *ValueCheck) Fault(v item.Value) string {
	fault := ""
	switch v.Kind {
	case item.Number:
		fault = c.numberFault(v.Text)
	case item.String:
		fault = c.textFault(v.Text)
	}
	if fault != "" && c.Message != "" {
		return c.Message
	}
	return fault
}

// Demands returns what a value must be, such as "at least 1, at most 5"; "" for a nil check.
func (c *ValueCheck) Demands() string {
	if c == nil {
		return ""
	}
	var all []string
	add := func(given bool, format string, value any) {
		if given {
			all = append(all, fmt.Sprintf(format, value))
		}
	}
	add(c.Min != "", "at least %s", c.Min)
	add(c.Max != "", "at most %s", c.Max)
	add(c.MinLength > 0, "at least %d characters", c.MinLength)
	add(c.MaxLength > 0, "at most %d characters", c.MaxLength)
	add(c.Pattern != "", "a match of %s", c.Pattern)
	return strings.Join(all, ", ")
}

func (c *ValueCheck) numberFault(text string) string {
	n, ok := new(big.Rat).SetString(text)
	if least, has := new(big.Rat).SetString(c.Min); ok && has && n.Cmp(least) < 0 {
		return "must be at least " + c.Min
	}
	if greatest, has := new(big.Rat).SetString(c.Max); ok && has && n.Cmp(greatest) > 0 {
		return "must be at most " + c.Max
	}
	return ""
}

func (c *ValueCheck) textFault(text string) string {
	switch n := utf8.RuneCountInString(text); {
	case n < c.MinLength:
		return fmt.Sprintf("must have at least %d characters", c.MinLength)
	case c.MaxLength > 0 && n > c.MaxLength:
		return fmt.Sprintf("must have at most %d characters", c.MaxLength)
	case c.pattern != nil && !c.pattern.MatchString(text):
		return "must match " + c.Pattern
	default:
		return ""
	}
}
