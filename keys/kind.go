package keys

import (
	"fmt"
	"strings"
)

// Kind is the GraphQL scalar type that a key variable or an attribute has.
type Kind uint8

// The scalar types that are allowed in a key. Other is any other type.
const (
	Other Kind = iota
	String
	IDKind
	Int
	Boolean
	Enum
	Time
	Date
	Int64
	// Float is allowed only as the value of a key attribute that is a Number.
	Float
)

// String returns the name of the GraphQL type, or enum.
func (k Kind) String() string {
	switch k {
	case IDKind:
		return "ID"
	case Enum:
		return "enum"
	case String, Int, Int64, Float, Boolean, Time, Date:
		return k.name()
	default:
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
}

// GoString returns the kind as a Go expression.
func (k Kind) GoString() string { return "keys." + k.name() }

func (k Kind) name() string {
	return [...]string{
		Other: "Other", String: "String", IDKind: "IDKind", Int: "Int",
		Boolean: "Boolean", Enum: "Enum", Time: "Time", Date: "Date", Int64: "Int64", Float: "Float",
	}[k]
}

// sortsBefore reports whether a value of the kind can be the beginning of another one that continues with a character
// below the delimiter.
func (k Kind) sortsBefore(delimiter string) bool {
	switch k {
	case Boolean, Time, Date:
		return false
	case Int, Int64, Enum:
		return delimiter > "0"
	default:
		return true
	}
}

// CanBe reports whether a value of the kind can be, or begin with, a text of a template. Which values an enum has is
// unknown.
func (k Kind) CanBe(text string) bool {
	switch k {
	case Boolean:
		return text == "true" || text == "false"
	case Int, Int64, Float, Time, Date:
		return strings.IndexByte("-0123456789", text[0]) >= 0
	default:
		return true
	}
}
