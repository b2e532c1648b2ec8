package defaults

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/partita/partita/exit"
)

// Check returns the error of [CheckRanges] for the numbers in a struct.
func Check[T any](settings *T) error {
	flags, err := flagsOf(settings)
	if err != nil {
		return err
	}
	return CheckRanges(flags)
}

func flagsOf[T any](settings *T) ([]*kong.Flag, error) {
	k, err := kong.New(settings)
	if err != nil {
		return nil, fmt.Errorf("defaults of %T: %w", settings, err)
	}
	return k.Model.Flags, nil
}

// CheckRanges returns an *exit.Error, with the flag and the range, for the first number that is not in the range of its
// flag's tag: range:"0..1e9" for numbers, range:"1ms..24h" for durations. Both ends are in the range, NaN is in none.
// Each number of a list is checked, and a nil pointer is not.
func CheckRanges(flags []*kong.Flag) error { return checkRanges(flags, false) }

// checkRanges is CheckRanges, with or without the numbers beyond the upper end of a range.
func checkRanges(flags []*kong.Flag, mayExceed bool) error {
	for _, flag := range flags {
		if text := flag.Tag.Get("range"); text != "" {
			if err := checkRange(flag, text, flag.Target, mayExceed); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkRange(flag *kong.Flag, text string, value reflect.Value, mayExceed bool) error {
	switch value.Kind() {
	case reflect.Pointer:
		if value.IsNil() {
			return nil
		}
		return checkRange(flag, text, value.Elem(), mayExceed)
	case reflect.Slice:
		for i := range value.Len() {
			if err := checkRange(flag, text, value.Index(i), mayExceed); err != nil {
				return err
			}
		}
		return nil
	}
	least, most, _ := strings.Cut(text, "..")
	from, to, number := bound(least, value.Type()), bound(most, value.Type()), number(value)
	if from <= number && (number <= to || mayExceed) { // false for NaN
		return nil
	}
	name := "--" + flag.Name
	if len(flag.Envs) > 0 {
		name += " (" + flag.Envs[0] + ")"
	}
	return &exit.Error{
		Problem: fmt.Sprintf("%s must be from %s to %s, not %v", name, least, most, value),
		Code:    exit.Config,
	}
}

var duration = reflect.TypeFor[time.Duration]()

// bound returns an end of a range. It panics if the tag does not have one, because no value would be right.
func bound(text string, of reflect.Type) float64 {
	if of == duration {
		d, err := time.ParseDuration(text)
		if err != nil {
			panic(fmt.Errorf("defaults: a range of durations has the end %q: %w", text, err))
		}
		return float64(d)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(fmt.Errorf("defaults: a range has the end %q: %w", text, err))
	}
	return f
}

func number(value reflect.Value) float64 {
	switch {
	case value.CanInt():
		return float64(value.Int())
	case value.CanUint():
		return float64(value.Uint())
	}
	return value.Float()
}
