package predicate

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sosodev/duration"

	"github.com/partita/partita/item"
)

// Predicate is a conjunction. Without comparisons it holds for every object.
type Predicate struct {
	Comparisons []Comparison
	text        string
}

// Comparison compares a field of the object with one of Values: each Op but In has exactly one.
type Comparison struct {
	Field  string
	Op     Op
	Values []Operand
}

// Op is how a Comparison compares.
type Op uint8

// The operators: =, !=, <, <=, >, >= and in.
const (
	Equal Op = iota
	NotEqual
	Less
	AtMost
	Greater
	AtLeast
	In
)

var opTexts = [...]string{
	Equal: "=", NotEqual: "!=", Less: "<", AtMost: "<=", Greater: ">", AtLeast: ">=", In: "in",
}

// String returns the operator as it is written.
func (o Op) String() string { return opTexts[o] }

// Operand is the right side of a Comparison: a literal, or a variable.
type Operand struct {
	// Kind says what it is. Text is the name of an enum's value or of a variable, the characters of a text without
	// quotes, the digits of a number, or true or false.
	Kind OperandKind
	Text string
	// Offset is what is added to {now}.
	Offset time.Duration
}

// OperandKind is what an Operand is.
type OperandKind uint8

// The kinds of operands.
const (
	Null OperandKind = iota
	Name
	Text
	Number
	Bool
	Variable
)

// Viewer and Now are the variables that no schema declares.
const (
	Viewer = "viewer"
	Now    = "now"
)

// GoString returns the kind as a Go expression.
func (k OperandKind) GoString() string {
	return "predicate." + [...]string{"Null", "Name", "Text", "Number", "Bool", "Variable"}[k]
}

// String returns the predicate as it was written.
func (p Predicate) String() string { return p.text }

// GoString returns the predicate as a Go expression.
func (p Predicate) GoString() string { return "predicate.MustParse(" + strconv.Quote(p.text) + ")" }

// Renamed returns the predicate with other names of fields, and other values of them.
func (p Predicate) Renamed(field func(string) string, value func(field string, o Operand) Operand) Predicate {
	var all []Comparison
	for _, c := range p.Comparisons {
		values := slices.Clone(c.Values)
		for i := range values {
			values[i] = value(c.Field, values[i])
		}
		all = append(all, Comparison{Field: field(c.Field), Op: c.Op, Values: values})
	}
	return Predicate{Comparisons: all, text: textOf(all)}
}

// textOf returns comparisons as they can be written.
func textOf(all []Comparison) string {
	texts := make([]string, len(all))
	for i, c := range all {
		values := make([]string, len(c.Values))
		for j, o := range c.Values {
			values[j] = o.text()
		}
		texts[i] = c.Field + " " + c.Op.String() + " " + strings.Join(values, ", ")
		if c.Op == In {
			texts[i] = c.Field + " in [" + strings.Join(values, ", ") + "]"
		}
	}
	return strings.Join(texts, " and ")
}

// text returns the operand as it can be written.
func (o Operand) text() string {
	switch o.Kind {
	case Null:
		return "null"
	case Text:
		return `"` + o.Text + `"`
	case Variable:
		switch {
		case o.Offset > 0:
			return "{" + o.Text + "+" + duration.Format(o.Offset) + "}"
		case o.Offset < 0:
			return "{" + o.Text + "-" + duration.Format(-o.Offset) + "}"
		}
		return "{" + o.Text + "}"
	default:
		return o.Text
	}
}

// Fields returns the fields of the object on the left sides, each once, in the order of the text.
func (p Predicate) Fields() []string {
	var all []string
	for _, c := range p.Comparisons {
		all = appendNew(all, c.Field)
	}
	return all
}

// Variables returns the variables on the right sides, each once, in the order of the text.
func (p Predicate) Variables() []string {
	var all []string
	for _, c := range p.Comparisons {
		for _, o := range c.Values {
			if o.Kind == Variable {
				all = appendNew(all, o.Text)
			}
		}
	}
	return all
}

func appendNew(all []string, name string) []string {
	if slices.Contains(all, name) {
		return all
	}
	return append(all, name)
}

// Holds reports whether the predicate holds for an object with the attributes of it, in the names of a design. value
// returns the value of a variable, a Null value if it has none.
func (p Predicate) Holds(it item.Item, value func(Operand) item.Value) bool {
	for _, c := range p.Comparisons {
		v, _ := it.Get(c.Field)
		if !c.Holds(v, value) {
			return false
		}
	}
	return true
}

// Holds reports whether the comparison holds for a field with the value v; see [Predicate.Holds].
func (c Comparison) Holds(v item.Value, value func(Operand) item.Value) bool {
	for _, o := range c.Values {
		if c.Op.Holds(v, o.Value(value)) {
			return true
		}
	}
	return false
}

// Value returns the value of an operand. variable returns that of a variable.
func (o Operand) Value(variable func(Operand) item.Value) item.Value {
	switch o.Kind {
	case Null:
		return item.Value{}
	case Number:
		return item.Value{Kind: item.Number, Text: o.Text}
	case Bool:
		return item.Value{Kind: item.Bool, Text: o.Text}
	case Variable:
		return variable(o)
	default:
		return item.StringValue(o.Text)
	}
}

// Holds compares two values; Null is that of a field without one.
func (o Op) Holds(a, b item.Value) bool {
	switch o {
	case Equal, In:
		return a.Equal(b) || a.Kind == item.Number && b.Kind == item.Number && compare(a, b) == 0
	case NotEqual:
		return !Equal.Holds(a, b)
	}
	if a.Kind != b.Kind || a.Kind != item.String && a.Kind != item.Number {
		return false
	}
	order := compare(a, b)
	switch o {
	case Less:
		return order < 0
	case AtMost:
		return order <= 0
	case Greater:
		return order > 0
	default:
		return order >= 0
	}
}

// compare returns the order of two numbers, or of the bytes of two texts.
func compare(a, b item.Value) int {
	if a.Kind == item.Number {
		x, isX := new(big.Rat).SetString(a.Text)
		y, isY := new(big.Rat).SetString(b.Text)
		if isX && isY {
			return x.Cmp(y)
		}
	}
	return strings.Compare(a.Text, b.Text)
}
