package item

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"time"
)

// Decoder reads the attributes of an Item into a model, and keeps what cannot be read, so that a model is filled by one
// expression. What cannot be read is zero in the model.
type Decoder struct {
	Item Item
	// Partial is set for an item that lacks attributes because nothing that needs them is selected. A
	// NonNull field without an attribute is then zero.
	Partial    bool
	unreadable Unreadable
	nested     []Unreadable
}

// Err returns an *UnreadableError if attributes could not be read, or are contested. model is the pointer to the model
// that was filled.
func (d *Decoder) Err(model any) error {
	isOwn := d.unreadable.Fields != nil || d.Item.HasContested()
	if !isOwn && d.nested == nil {
		return nil
	}
	all := d.nested
	if isOwn {
		d.unreadable.Model, d.unreadable.Item = model, d.Item
		all = append(all, d.unreadable)
	}
	return &UnreadableError{all}
}

// fail keeps the error of an attribute. It reports whether the error is only that of objects that are stored in the
// attribute: it belongs to their models.
func (d *Decoder) fail(name string, err error) (isNested bool) {
	nested, isNested := errors.AsType[*UnreadableError](err)
	if !isNested {
		d.unreadable.Fields = append(d.unreadable.Fields, UnreadableField{name, err})
		return false
	}
	for _, m := range nested.Models {
		m.Item, m.Path = d.Item, append([]string{name}, m.Path...)
		d.nested = append(d.nested, m)
	}
	return true
}

// Required returns the attribute's value, which the item must have unless it is partial.
func Required[T any](d *Decoder, name string, read func(Value) (T, error)) T {
	if _, ok := d.Item.Get(name); !ok && !d.Partial {
		d.fail(name, errors.New("the attribute is missing"))
	}
	return OrZero(d, name, read)
}

// Optional returns a pointer to the attribute's value, nil if the item lacks it.
func Optional[T any](d *Decoder, name string, read func(Value) (T, error)) *T {
	v, ok := d.Item.Get(name)
	if !ok {
		return nil
	}
	t, err := read(v)
	if err != nil {
		d.fail(name, err)
		return nil
	}
	return &t
}

// OrZero returns the attribute's value, the zero T when the item lacks it: for types that have a
// nil of their own.
func OrZero[T any](d *Decoder, name string, read func(Value) (T, error)) T {
	v, ok := d.Item.Get(name)
	if !ok {
		var zero T
		return zero
	}
	t, err := read(v)
	if err != nil && !d.fail(name, err) {
		var zero T
		return zero
	}
	return t
}

// AsString reads a String.
func AsString(v Value) (string, error) {
	if v.Kind != String {
		return "", mismatch(v, String)
	}
	return v.Text, nil
}

// AsInt reads a whole Number of 32 bits.
//
// https://spec.graphql.org/September2025/#sec-Int
func AsInt(v Value) (int, error) {
	n, err := wholeNumber(v, "Int")
	if err == nil && (n < math.MinInt32 || n > math.MaxInt32) {
		return 0, errors.New("the number is not an Int: it has more than 32 bits")
	}
	return int(n), err
}

// AsInt64 reads a whole Number of 64 bits.
func AsInt64(v Value) (int64, error) { return wholeNumber(v, "Int64") }

// numberBits is the precision that distinguishes all Numbers of DynamoDB, which have 38 decimal digits.
const numberBits = 128

func wholeNumber(v Value, name string) (int64, error) {
	if v.Kind != Number {
		return 0, mismatch(v, Number)
	}
	n, err := strconv.ParseInt(v.Text, 10, 64)
	if err == nil {
		return n, nil
	}
	// DynamoDB writes large numbers, and those with zeros after the point, with an exponent.
	f, _, err := big.ParseFloat(v.Text, 10, numberBits, big.ToNearestEven)
	if err == nil {
		if n, accuracy := f.Int64(); accuracy == big.Exact {
			return n, nil
		}
	}
	return 0, errors.New("the number is not an " + name)
}

// AsFloat reads a Number.
func AsFloat(v Value) (float64, error) {
	if v.Kind != Number {
		return 0, mismatch(v, Number)
	}
	f, err := strconv.ParseFloat(v.Text, 64)
	if err != nil {
		return 0, errors.New("the number is not a Float")
	}
	return f, nil
}

// AsBool reads a Bool.
func AsBool(v Value) (bool, error) {
	if v.Kind != Bool {
		return false, mismatch(v, Bool)
	}
	return v.Text == "true", nil
}

// AsTime reads a String in TimeLayout.
func AsTime(v Value) (time.Time, error) {
	if v.Kind != String {
		return time.Time{}, mismatch(v, String)
	}
	t, err := time.Parse(TimeLayout, v.Text)
	if err != nil {
		return time.Time{}, fmt.Errorf("the text is not a time as %s", TimeLayout)
	}
	return t, nil
}

// AsText reads a String as a named string type.
func AsText[S ~string](v Value) (S, error) {
	s, err := AsString(v)
	return S(s), err
}

// AsDate reads a String in the layout of time.DateOnly.
func AsDate[S ~string](v Value) (S, error) {
	s, err := AsText[S](v)
	if err != nil {
		return "", err
	}
	if _, err := time.Parse(time.DateOnly, v.Text); err != nil {
		return "", fmt.Errorf("the text is not a date as %s", time.DateOnly)
	}
	return s, nil
}

// AsEnum reads a String that must be one of the enum's names.
func AsEnum[E interface {
	~string
	IsValid() bool
}](v Value) (E, error) {
	e, err := AsText[E](v)
	if err == nil && !e.IsValid() {
		err = errors.New("the text is not a value of the enum")
	}
	return e, err
}

// AsList returns a function that reads a List and its elements by read, and NULL as nil.
func AsList[T any](read func(Value) (T, error)) func(Value) ([]T, error) {
	return func(v Value) ([]T, error) {
		switch v.Kind {
		case List:
		case Null:
			return nil, nil
		default:
			return nil, mismatch(v, List)
		}
		list := make([]T, len(v.Elements()))
		var unreadable error
		for i, e := range v.Elements() {
			var err error
			if list[i], err = read(e); err != nil {
				if unreadable = JoinUnreadable(unreadable, err); !isUnreadable(unreadable) {
					return nil, fmt.Errorf("element %d: %w", i, err)
				}
			}
		}
		return list, unreadable
	}
}

// AsNullable returns a function that reads an element by read, and NULL as nil.
func AsNullable[T any](read func(Value) (T, error)) func(Value) (*T, error) {
	return func(v Value) (*T, error) {
		if v.Kind == Null {
			return nil, nil
		}
		t, err := read(v)
		return &t, err
	}
}

// AsMap returns a function that reads a Map by read, and NULL as nil.
func AsMap[T any](read func(Item) (*T, error)) func(Value) (*T, error) {
	return func(v Value) (*T, error) {
		switch v.Kind {
		case Map:
			return read(v.Fields())
		case Null:
			return nil, nil
		default:
			return nil, mismatch(v, Map)
		}
	}
}

func mismatch(v Value, want Kind) error {
	return fmt.Errorf("the attribute is a %s where a %s was expected", v.Kind, want)
}

// String returns the name of the DynamoDB data type.
func (k Kind) String() string {
	switch k {
	case Null:
		return "NULL"
	case String:
		return "String"
	case Number:
		return "Number"
	case Bool:
		return "Boolean"
	case Binary:
		return "Binary"
	case List:
		return "List"
	case Map:
		return "Map"
	default:
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
}
