package wire

import (
	"encoding/base64"
	"errors"
	"strconv"
	"strings"

	"github.com/partita/partita/item"
)

// Errors of a body that is JSON, but that this parser rejects.
var (
	errTrailing = errors.New("something follows the value")
	errTwoTypes = errors.New("a value has two types")
)

// answer is what a response contains.
type answer struct {
	items []item.Item
	// last is a Query's LastEvaluatedKey.
	last item.Item
	// unprocessed are the keys of a BatchGetItem that were left unprocessed.
	unprocessed []item.Item
	// units is the consumed capacity.
	units float64
	// records are those of GetRecords.
	records Records
}

// parse reads the body of a response to an operation on the table. It goes over the body once. Names and texts without
// escapes are parts of the body and cost no allocation, and the attributes of all items share a few.
//
// Like the SDK, it ignores members that it does not know. An attribute value of an unknown type is NULL.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.LowLevelAPI.html
func parse(op operation, body, table string) (answer, error) {
	if op == getRecords {
		records, err := ParseRecords(body)
		return answer{records: records}, err
	}
	p := parser{scanner: scanner{text: body}}
	a := p.answer(op, table)
	if p.next() != 0 || p.at < len(p.text) {
		p.fail(errTrailing)
	}
	return a, p.err
}

// parser reads items and their values.
type parser struct {
	scanner
	// slab has the attributes of items, but not those of Maps within.
	slab []item.Attribute
	// stored is how many attributes were added to slabs.
	stored int
	// unfinished are the attributes of the Maps that are being read, each behind those of the one that contains it.
	unfinished []item.Attribute
	// nested is the slab for the attributes of Maps, and within is how many were added to such slabs.
	nested []item.Attribute
	within int
}

func (p *parser) answer(op operation, table string) answer {
	var a answer
	for more := p.open('{', '}'); more; more = p.more('}') {
		name := p.name()
		switch {
		case p.null():
		case name == "ConsumedCapacity":
			a.units = p.units(op)
		case op == getItem && name == "Item":
			if it := p.item(); len(it) > 0 {
				a.items = []item.Item{it}
			}
		case op == updateItem && name == "Attributes":
			a.items = []item.Item{p.item()}
		case op == query && name == "Items":
			a.items = p.items()
		case op == query && name == "LastEvaluatedKey":
			a.last = p.item()
		case op == batchGetItem && name == "Responses":
			p.of(table, func() { a.items = p.items() })
		case op == batchGetItem && name == "UnprocessedKeys":
			p.of(table, func() { p.of("Keys", func() { a.unprocessed = p.items() }) })
		default:
			p.skip(0)
		}
	}
	return a
}

// of reads the table's member of an object by read.
func (p *parser) of(table string, read func()) {
	for more := p.open('{', '}'); more; more = p.more('}') {
		name := p.name()
		switch {
		case p.null():
		case name == table:
			read()
		default:
			p.skip(0)
		}
	}
}

// units reads the CapacityUnits of a ConsumedCapacity, or their sum in the list of those that a BatchGetItem and a
// transaction have.
func (p *parser) units(op operation) float64 {
	sum := 0.0
	add := func() { sum += p.float() }
	if op != batchGetItem && op != transactWriteItems {
		p.of("CapacityUnits", add)
		return sum
	}
	for more := p.open('[', ']'); more; more = p.more(']') {
		if !p.null() {
			p.of("CapacityUnits", add)
		}
	}
	return sum
}

func (p *parser) float() float64 {
	f, err := strconv.ParseFloat(p.number(), 64)
	if err != nil {
		p.fail(err)
	}
	return f
}

// items reads a list of items.
func (p *parser) items() []item.Item {
	var items []item.Item
	for more := p.open('[', ']'); more; more = p.more(']') {
		begin := p.at
		var it item.Item
		if p.null() {
			it = item.Item{}
		} else {
			it = p.item()
		}
		items = appendEstimated(p, items, it, begin)
	}
	return items
}

// appendEstimated appends an element of a list that began at a byte. If there is no room, it makes some for as many
// elements as the rest of the text has if they are as long as this one.
func appendEstimated[T any](p *parser, list []T, element T, begin int) []T {
	if len(list) == cap(list) {
		grown := make([]T, len(list), len(list)+1+(len(p.text)-p.at)/max(p.at-begin, minItem))
		copy(grown, list)
		list = grown
	}
	return append(list, element)
}

const (
	// minItem and minAttribute are how many bytes an item and an attribute have at least in an estimate.
	minItem, minAttribute = 64, 16
	// firstSlab and maxSlab are how many attributes a slab has at most. A larger one would be one of Go's large objects,
	// of more than 32 KiB, which cost more.
	firstSlab, maxSlab = 16, 640
)

// item reads an item, or a key.
func (p *parser) item() item.Item {
	begin := len(p.slab)
	for more := p.open('{', '}'); more; more = p.more('}') {
		if len(p.slab) == cap(p.slab) {
			p.grow(begin)
			begin = 0
		}
		p.slab = p.slab[:len(p.slab)+1]
		p.stored++
		a := &p.slab[len(p.slab)-1]
		a.Name = p.name()
		p.value(&a.Value, 0)
	}
	end := len(p.slab)
	if end == begin {
		return item.Item{}
	}
	return item.Item(p.slab[begin:end:end])
}

// grow begins a slab with the attributes of the current item. Its size is an estimate from what was read so far.
func (p *parser) grow(begin int) {
	size := firstSlab
	average := minAttribute
	if p.stored > 0 {
		size, average = maxSlab, max(average, p.at/p.stored)
	}
	current := p.slab[begin:]
	size = min(size, 1+(len(p.text)-p.at)/average)
	p.slab = append(make([]item.Attribute, 0, len(current)+size), current...)
}

// value reads an attribute value that is nested so deep in others.
func (p *parser) value(v *item.Value, depth int) {
	if p.short(v) || p.null() {
		return
	}
	known := false
	for more := p.open('{', '}'); more; more = p.more('}') {
		kind := p.name()
		if p.null() {
			continue
		}
		if known {
			p.fail(errTwoTypes)
			return
		}
		known = p.typed(v, kind, depth)
	}
}

// short reads a String or a Number without white space and escapes, which most values are. It reports whether there was
// one.
func (p *parser) short(v *item.Value) bool {
	const before = len(`{"S":"`)
	if p.at+before > len(p.text) {
		return false
	}
	kind := item.String
	switch p.text[p.at : p.at+before] {
	case `{"S":"`:
	case `{"N":"`:
		kind = item.Number
	default:
		return false
	}
	begin := p.at + before
	end := plain(p.text, begin)
	if !strings.HasPrefix(p.text[end:], `"}`) {
		return false
	}
	v.Kind, v.Text, p.at = kind, p.text[begin:end], end+2
	return true
}

// typed reads the value of a type. It reports whether it knows the type.
func (p *parser) typed(v *item.Value, kind string, depth int) bool {
	switch kind {
	case "S":
		v.Kind, v.Text = item.String, p.string()
	case "N":
		v.Kind, v.Text = item.Number, p.string()
	case "BOOL":
		*v = item.BoolValue(p.bool())
	case "NULL":
		p.bool()
	case "B":
		*v = p.binary()
	case "M":
		*v = item.FieldsValue(p.fields(depth + 1))
	case "L":
		*v = item.ListValue(p.elements(depth+1, func(e *item.Value) { p.value(e, depth+1) }))
	case "SS":
		*v = item.SetValue(p.elements(0, func(e *item.Value) { *e = item.StringValue(p.member()) }))
	case "NS":
		*v = item.SetValue(p.elements(0, func(e *item.Value) { *e = item.Value{Kind: item.Number, Text: p.member()} }))
	case "BS":
		*v = item.SetValue(p.elements(0, func(e *item.Value) { *e = p.binary() }))
	default:
		p.skip(0)
		return false
	}
	return true
}

// member reads a string, or null as "", as the SDK does in a set.
func (p *parser) member() string {
	if p.null() {
		return ""
	}
	return p.string()
}

func (p *parser) binary() item.Value {
	v := item.Value{Kind: item.Binary}
	if p.null() {
		return v
	}
	bytes, err := base64.StdEncoding.DecodeString(p.string())
	if err != nil {
		p.fail(err)
	}
	v.Text = string(bytes)
	return v
}

// fields reads a map's.
func (p *parser) fields(depth int) item.Item {
	if depth > item.MaxDepth {
		p.fail(errDepth)
	}
	if p.unfinished == nil {
		p.unfinished = make([]item.Attribute, 0, 8)
	}
	begin := len(p.unfinished)
	for more := p.open('{', '}'); more; more = p.more('}') {
		i := len(p.unfinished)
		p.unfinished = append(p.unfinished, item.Attribute{Name: p.name()})
		var v item.Value
		p.value(&v, depth)
		p.unfinished[i].Value = v
	}
	fields := p.keep(p.unfinished[begin:])
	p.unfinished = p.unfinished[:begin]
	return fields
}

// keep returns the attributes of a value in the slab for them. The size of a new one is an estimate from what was read
// so far.
func (p *parser) keep(fields []item.Attribute) item.Item {
	n := len(fields)
	if n == 0 {
		return item.Item{}
	}
	if n > cap(p.nested)-len(p.nested) {
		size := n
		if p.within > 0 {
			average := max(minAttribute, p.at/p.within)
			size += min(maxSlab, (len(p.text)-p.at)/average)
		}
		p.nested = make([]item.Attribute, 0, size)
	}
	p.within += n
	begin := len(p.nested)
	p.nested = append(p.nested, fields...)
	return item.Item(p.nested[begin : begin+n : begin+n])
}

// elements reads those of a list or a set.
func (p *parser) elements(depth int, read func(*item.Value)) []item.Value {
	if depth > item.MaxDepth {
		p.fail(errDepth)
	}
	elements := []item.Value{}
	for more := p.open('[', ']'); more; more = p.more(']') {
		elements = append(elements, item.Value{})
		read(&elements[len(elements)-1])
	}
	return elements
}
