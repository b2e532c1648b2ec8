package defaults_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/defaults"
	"github.com/partita/partita/exit"
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
	if err := defaults.Apply(&s); err != nil {
		t.Fatal(err)
	}
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
	for message, n := range map[string]numbers{
		"": {Rate: number(0.5), Size: 100, Timeouts: []time.Duration{time.Millisecond, 24 * time.Hour}, Free: -1},
		"--rate (RATE) must be from 0.5 to 1e9, not NaN":  {Rate: number(math.NaN())},
		"--rate (RATE) must be from 0.5 to 1e9, not +Inf": {Rate: number(math.Inf(1))},
		"--rate (RATE) must be from 0.5 to 1e9, not 0.4":  {Rate: number(0.4)},
		"--size must be from 1 to 100, not 101":           {Size: 101},
		"--timeouts must be from 1ms to 24h, not -1s":     {Timeouts: []time.Duration{time.Second, -time.Second}},
		"--timeouts must be from 1ms to 24h, not 24h0m1s": {Timeouts: []time.Duration{24*time.Hour + time.Second}},
	} {
		err := defaults.Apply(&n)
		var shown *exit.Error
		if (message == "") != (err == nil) || err != nil && (err.Error() != message || !errors.As(err, &shown)) {
			t.Errorf("got %v, want %q", err, message)
		}
	}
	if err := defaults.Check(&numbers{}); err == nil || err.Error() != "--size must be from 1 to 100, not 0" {
		t.Errorf("without defaults: got %v", err)
	}
}
