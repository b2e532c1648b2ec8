package predicate

import (
	"fmt"
	"strings"
	"text/scanner"
	"time"

	"github.com/sosodev/duration"
)

// Parse reads a predicate. The error is for the author of the schema.
func Parse(text string) (Predicate, error) {
	p := parser{}
	p.scanner.Init(strings.NewReader(text))
	p.scanner.Error = func(*scanner.Scanner, string) {}
	p.scanner.Mode = scanner.ScanIdents | scanner.ScanInts | scanner.ScanFloats | scanner.ScanStrings
	p.next()
	all, err := p.conjunction()
	if err != nil {
		return Predicate{}, err
	}
	return Predicate{Comparisons: all, text: text}, nil
}

// MustParse is Parse for predicates that have been checked, such as those in generated code. It panics on a mistake.
func MustParse(text string) Predicate {
	p, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return p
}

// ParseVariable reads a variable without its braces: viewer, now+PT10M, a name, or with a dot a field of the object of
// a step. The error is for the author of the schema.
func ParseVariable(text string) (Operand, error) {
	p, err := Parse("it = {" + text + "}")
	if err != nil {
		return Operand{}, err
	}
	return p.Comparisons[0].Values[0], nil
}

// parser has the token that is looked at.
type parser struct {
	scanner scanner.Scanner
	token   rune
	text    string
}

func (p *parser) next() {
	p.token = p.scanner.Scan()
	p.text = p.scanner.TokenText()
}

// is reports whether the next token is a text, and passes it.
func (p *parser) is(text string) bool {
	if p.token == scanner.EOF || p.text != text {
		return false
	}
	p.next()
	return true
}

// expected returns the error of another token than one of those that can be here.
func (p *parser) expected(what string) error {
	if p.token == scanner.EOF {
		return fmt.Errorf("it ends where %s is expected", what)
	}
	return fmt.Errorf("%s where %s is expected", p.text, what)
}

func (p *parser) conjunction() ([]Comparison, error) {
	var all []Comparison
	for {
		c, err := p.comparison()
		if err != nil {
			return nil, err
		}
		all = append(all, c)
		switch {
		case p.token == scanner.EOF:
			return all, nil
		case !p.is("and"):
			return nil, p.expected(`"and"`)
		}
	}
}

func (p *parser) comparison() (Comparison, error) {
	c := Comparison{Field: p.text}
	if p.token != scanner.Ident {
		return c, p.expected("a field")
	}
	p.next()
	var err error
	if c.Op, err = p.op(); err != nil {
		return c, err
	}
	if c.Op == In {
		c.Values, err = p.list()
		return c, err
	}
	o, err := p.operand()
	if err == nil && o.Kind == Null && c.Op > NotEqual {
		err = fmt.Errorf("null is compared by = and != alone")
	}
	c.Values = []Operand{o}
	return c, err
}

func (p *parser) op() (Op, error) {
	switch {
	case p.is("in"):
		return In, nil
	case p.is("="):
		return Equal, nil
	case p.is("!"):
		if p.is("=") {
			return NotEqual, nil
		}
	case p.is("<"):
		if p.is("=") {
			return AtMost, nil
		}
		return Less, nil
	case p.is(">"):
		if p.is("=") {
			return AtLeast, nil
		}
		return Greater, nil
	}
	return 0, p.expected("one of = != < <= > >= in")
}

func (p *parser) list() ([]Operand, error) {
	if !p.is("[") {
		return nil, p.expected("[")
	}
	var all []Operand
	for {
		o, err := p.operand()
		if err != nil {
			return nil, err
		}
		all = append(all, o)
		switch {
		case p.is("]"):
			return all, nil
		case !p.is(","):
			return nil, p.expected(", or ]")
		}
	}
}

func (p *parser) operand() (Operand, error) {
	if p.is("{") {
		return p.variable()
	}
	sign := ""
	if p.is("-") {
		sign = "-"
	}
	text := p.text
	switch p.token {
	case scanner.Int, scanner.Float:
		p.next()
		return Operand{Kind: Number, Text: sign + text}, nil
	case scanner.String:
		inside, isClosed := strings.CutSuffix(strings.TrimPrefix(text, `"`), `"`)
		if sign == "" && isClosed && !strings.ContainsRune(inside, '\\') {
			p.next()
			return Operand{Kind: Text, Text: inside}, nil
		}
	case scanner.Ident:
		if sign == "" {
			p.next()
			return named(text), nil
		}
	}
	return Operand{}, p.expected("a value")
}

// named returns the operand of a word.
func named(text string) Operand {
	switch text {
	case "null":
		return Operand{}
	case "true", "false":
		return Operand{Kind: Bool, Text: text}
	default:
		return Operand{Kind: Name, Text: text}
	}
}

// variable reads a variable behind its brace.
func (p *parser) variable() (Operand, error) {
	o := Operand{Kind: Variable, Text: p.text}
	if p.token != scanner.Ident {
		return o, p.expected("the name of a variable")
	}
	p.next()
	if p.is(".") { // a field of the object of a step
		if p.token != scanner.Ident {
			return o, p.expected("the name of a field")
		}
		o.Text += "." + p.text
		p.next()
	}
	sign := p.text
	if o.Text == Now && (p.is("+") || p.is("-")) {
		d, err := duration.Parse(p.text)
		if err != nil || p.token != scanner.Ident {
			return o, p.expected("an ISO 8601 duration such as PT10M")
		}
		if o.Offset = d.ToTimeDuration(); sign == "-" {
			o.Offset = -o.Offset
		}
		p.next()
	}
	if !p.is("}") {
		return o, p.expected("}")
	}
	return o, nil
}

// Time returns the time that {now} is with the operand's offset.
func (o Operand) Time(now time.Time) time.Time { return now.Add(o.Offset) }
