package app

import (
	"context"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/table"
)

// paced is background work with a setting, and sized are further commands with one.
type (
	paced struct {
		Pace []time.Duration `range:"1ms..24h"`
	}
	sized struct {
		Count struct {
			Size *uint `range:"0..10"`
		} `cmd:""`
	}
)

func (*paced) Start(context.Context, *table.Table, *slog.Logger) func() { return func() {} }

// A setting is a numeric flag of a command.
type setting struct {
	command []string
	flag    *kong.Flag
}

func settings(t *testing.T, a *Application) (all []setting) {
	t.Helper()
	k, err := a.parser(t.Context())
	fatal.If(t, err)
	for _, command := range k.Model.Leaves(true) {
		line := strings.Fields(command.FullPath())[1:]
		for _, positional := range command.Positional {
			if positional.Required {
				line = append(line, "x")
			}
		}
		for _, flags := range command.AllFlags(false) {
			for _, flag := range flags {
				if isNumeric(flag.Target.Type()) {
					all = append(all, setting{line, flag})
				}
			}
		}
	}
	return all
}

func isNumeric(typ reflect.Type) bool {
	switch typ.Kind() {
	case reflect.Pointer, reflect.Slice:
		return isNumeric(typ.Elem())
	}
	zero := reflect.Zero(typ)
	return zero.CanInt() || zero.CanUint() || zero.CanFloat()
}

// The settings of other types than these have no numbers: a new type may need a case in isNumeric.
func TestNumbersAreRecognised(t *testing.T) {
	a := &Application{Name: "tasks", Background: &paced{}, TableCommands: &sized{}}
	var names []string
	for _, s := range settings(t, a) {
		names = append(names, s.flag.Name)
	}
	for _, name := range []string{"pace", "size", "max-read-units", "read-units-bucket", "grace", "max-objects",
		"expires"} {
		if !slices.Contains(names, name) {
			t.Errorf("--%s is not recognised", name)
		}
	}
}

// TestEachNumberHasARange: an absurd value of any numeric setting is rejected before anything is started.
func TestEachNumberHasARange(t *testing.T) {
	a := &Application{Name: "tasks", Background: &paced{}, TableCommands: &sized{}}
	k, err := a.parser(t.Context())
	fatal.If(t, err)
	for _, s := range settings(t, a) {
		text := s.flag.Tag.Get("range")
		least, most, found := strings.Cut(text, "..")
		if !found {
			t.Errorf("%s --%s needs a tag with its range, such as range:\"1..1000\"", s.command, s.flag.Name)
			continue
		}
		parse := func(arguments ...string) error {
			_, err := k.Parse(slices.Concat(s.command, arguments))
			return err
		}
		want := fmt.Sprintf("must be from %s to %s, not ", least, most)
		for _, value := range outside(t, s.flag, least, most) {
			if err := parse("--" + s.flag.Name + "=" + value); !isRejected(err, s.flag, want) {
				t.Errorf("%s --%s=%s: got %v, want %q", s.command, s.flag.Name, value, err, want)
			}
			for _, name := range s.flag.Envs {
				t.Run(name+"="+value, func(t *testing.T) {
					t.Setenv(name, value)
					if err := parse(); !isRejected(err, s.flag, want) {
						t.Errorf("got %v, want %q", err, want)
					}
				})
			}
		}
		for _, value := range []string{least, most} { // another setting may not fit to it
			if err := parse("--" + s.flag.Name + "=" + value); err != nil && strings.Contains(err.Error(), "must be from") {
				t.Errorf("%s --%s=%s: %v", s.command, s.flag.Name, value, err)
			}
		}
	}
}

// isRejected reports whether the error names the flag and has the text. Numbers that its type cannot have are rejected
// by kong.
func isRejected(err error, flag *kong.Flag, text string) bool {
	if err == nil || !strings.HasPrefix(err.Error(), "--"+flag.Name) {
		return false
	}
	return strings.Contains(err.Error(), text) || strings.Contains(err.Error(), "expected ") ||
		strings.Contains(err.Error(), "invalid ")
}

// outside returns values beyond the range of a flag.
func outside(t *testing.T, flag *kong.Flag, least, most string) []string {
	t.Helper()
	typ := flag.Target.Type()
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
		typ = typ.Elem()
	}
	if typ == reflect.TypeFor[time.Duration]() {
		from, err := time.ParseDuration(least)
		fatal.If(t, err)
		to, err := time.ParseDuration(most)
		fatal.If(t, err)
		return []string{"-1s", "2000000h", (from - 1).String(), (to + time.Second).String()}
	}
	if typ.Kind() == reflect.Float64 {
		return []string{"NaN", "nan", "Inf", "-Inf", "+Infinity", "-1", "1e300", "-1e-300"}
	}
	to, err := strconv.ParseInt(most, 10, 64)
	fatal.If(t, err)
	return []string{"-1", fmt.Sprint(to + 1), "9223372036854775807", "-9223372036854775808"}
}
