package contract_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// sdlGenerator writes random valid schemas with few names, so that two of them have much in common.
type sdlGenerator struct{ *rand.Rand }

func (g sdlGenerator) is(of int) bool { return g.IntN(of) == 0 }

func pick[T any](g sdlGenerator, from ...T) T { return from[g.IntN(len(from))] }

// some returns some of the names, at least one.
func (g sdlGenerator) some(names ...string) []string {
	kept := slices.DeleteFunc(slices.Clone(names), func(string) bool { return g.is(3) })
	if len(kept) == 0 {
		kept = names[:1]
	}
	g.Shuffle(len(kept), func(i, j int) { kept[i], kept[j] = kept[j], kept[i] })
	return kept
}

// wrapped returns a type with lists and '!'.
func (g sdlGenerator) wrapped(name string) string {
	for range g.IntN(3) {
		if g.is(2) {
			name += "!"
		}
		name = "[" + name + "]"
	}
	if g.is(3) {
		name += "!"
	}
	return name
}

// schema returns a schema. The kind of type X and Y varies.
func (g sdlGenerator) schema() string {
	var b strings.Builder
	kinds := map[string]string{"X": pick(g, "object", "enum", "input", "scalar"), "Y": pick(g, "object", "input", "union")}
	outputs := []string{"Int", "String", "A", "B", "U", "I", "E", "S"}
	inputs := []string{"Int", "String", "Boolean", "E", "S", "In"}
	for _, name := range []string{"X", "Y"} {
		switch kinds[name] {
		case "input":
			inputs = append(inputs, name)
		case "enum", "scalar":
			inputs, outputs = append(inputs, name), append(outputs, name)
		default:
			outputs = append(outputs, name)
		}
	}
	of := func(from []string) string { return g.wrapped(pick(g, from...)) }
	arguments := func() string {
		if g.is(2) {
			return ""
		}
		var list []string
		for _, name := range g.some("a", "b", "c") {
			list = append(list, name+": "+g.input(of(inputs)))
		}
		return "(" + strings.Join(list, ", ") + ")"
	}
	fields := func(names ...string) string {
		var list []string
		for _, name := range g.some(names...) {
			list = append(list, name+arguments()+": "+of(outputs))
		}
		return strings.Join(list, " ")
	}
	inputFields := func() string {
		var list []string
		for _, name := range g.some("x", "y", "z") {
			list = append(list, name+": "+g.input(g.wrapped(pick(g, "Int", "String", "E"))))
		}
		return strings.Join(list, " ")
	}
	own := fields("i", "j")
	implements := func() string {
		if g.is(2) {
			return " implements I { " + own + " "
		}
		return " { "
	}
	define := func(kind, name string) {
		switch kind {
		case "object":
			fmt.Fprintf(&b, "type %s%s%s }\n", name, implements(), fields("f", "g", "h"))
		case "enum":
			fmt.Fprintf(&b, "enum %s { %s }\n", name, strings.Join(g.some("RED", "GREEN", "BLUE"), " "))
		case "input":
			fmt.Fprintf(&b, "input %s { %s }\n", name, inputFields())
		case "scalar":
			fmt.Fprintf(&b, "scalar %s\n", name)
		case "union":
			fmt.Fprintf(&b, "union %s = %s\n", name, strings.Join(g.some("A", "B", "C"), " | "))
		}
	}
	fmt.Fprintf(&b, "type Query { %s }\ninterface I { %s }\n", fields("f", "g", "h", "i"), own)
	define("enum", "E")
	define("scalar", "S")
	define("input", "In")
	define("union", "U")
	define(kinds["X"], "X")
	define(kinds["Y"], "Y")
	for _, name := range []string{"A", "B", "C"} {
		define("object", name)
	}
	for _, name := range []string{"D", "F"} {
		if !g.is(4) {
			define(pick(g, "object", "enum", "input"), name)
		}
	}
	for _, name := range g.some("d", "e") {
		repeatable := pick(g, "", " repeatable")
		fmt.Fprintf(&b, "directive @%s%s%s on %s\n", name, arguments(), repeatable,
			strings.Join(g.some("FIELD", "QUERY", "OBJECT"), " | "))
	}
	return b.String()
}

// input returns a type of an input, sometimes with a default value.
func (g sdlGenerator) input(typ string) string {
	if g.is(2) {
		return typ
	}
	return typ + g.defaultValue(typ)
}

func (g sdlGenerator) defaultValue(typ string) string {
	values := map[string][]string{
		"Int": {"1", "2"}, "String": {`"a"`, `"b"`, `"""a"""`}, "Boolean": {"true", "false"}, "S": {"1", `"x"`},
	}
	bare := strings.Trim(typ, "[]!")
	if values[bare] == nil {
		return ""
	}
	value := pick(g, values[bare]...)
	if strings.HasPrefix(typ, "[") && g.is(2) { // otherwise it is coerced to a list
		if strings.HasPrefix(typ, "[[") {
			value = "[" + value + "]"
		}
		value = "[" + value + "]"
	}
	return " = " + value
}
