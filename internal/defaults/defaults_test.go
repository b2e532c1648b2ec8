package defaults_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/defaults"
	"github.com/partita/partita/internal/fatal"
)

type nested struct {
	Timeout time.Duration `default:"3s" env:"PARTITA_TEST_TIMEOUT"`
}

type settings struct {
	nested
	Name   string      `default:"partita" env:"PARTITA_TEST_NAME"`
	Size   int         `default:"7"`
	Plain  string      `env:"PARTITA_TEST_PLAIN"`
	Hidden bool        `default:"true" hidden:""`
	Func   func() bool `kong:"-"`
}

func TestApply(t *testing.T) {
	for _, name := range []string{"TIMEOUT", "NAME", "PLAIN"} {
		t.Setenv("PARTITA_TEST_"+name, "9s")
	}
	s := settings{Size: 8}
	fatal.If(t, defaults.Apply(&s))
	if s.Name != "partita" || s.Size != 8 || s.Plain != "" || s.Timeout != 3*time.Second || !s.Hidden {
		t.Errorf("got %+v", s)
	}
}

func TestApplyReportsMalformedDefaults(t *testing.T) {
	var s struct {
		Size int `default:"many"`
	}
	if err := defaults.Apply(&s); err == nil || !strings.Contains(err.Error(), "many") {
		t.Errorf("got %v", err)
	}
}

func TestNumbersOutOfRange(t *testing.T) {
	type numbers struct {
		Rate     *float64        `range:"0.5..1e9" env:"RATE"`
		Size     uint8           `range:"1..100" default:"7"`
		Timeouts []time.Duration `range:"1ms..24h"`
		Free     int
	}
	number := func(f float64) *float64 { return &f }
	least := numbers{Rate: number(0.5), Size: 1, Timeouts: []time.Duration{time.Millisecond, 24 * time.Hour}, Free: -1}
	for _, test := range []struct {
		numbers numbers
		message string
		// exceeds is set for a number that a program may have.
		exceeds bool
	}{
		{least, "", false},
		{numbers{Rate: number(math.NaN()), Size: 1}, "--rate (RATE) must be from 0.5 to 1e9, not NaN", false},
		{numbers{Rate: number(math.Inf(1)), Size: 1}, "--rate (RATE) must be from 0.5 to 1e9, not +Inf", true},
		{numbers{Rate: number(0.4), Size: 1}, "--rate (RATE) must be from 0.5 to 1e9, not 0.4", false},
		{numbers{Size: 101}, "--size must be from 1 to 100, not 101", true},
		{numbers{Size: 1, Timeouts: []time.Duration{1e9, -1e9}}, "--timeouts must be from 1ms to 24h, not -1s", false},
		{
			numbers{Size: 1, Timeouts: []time.Duration{25 * time.Hour}},
			"--timeouts must be from 1ms to 24h, not 25h0m0s", true,
		},
	} {
		checked, applied := defaults.Check(&test.numbers), defaults.Apply(&test.numbers)
		var shown *exit.Error
		if (test.message == "") != (checked == nil) ||
			checked != nil && (checked.Error() != test.message || !errors.As(checked, &shown)) {
			t.Errorf("got %v, want %q", checked, test.message)
		}
		if (test.message == "" || test.exceeds) != (applied == nil) {
			t.Errorf("of a program: got %v, want %q", applied, test.message)
		}
	}
}
