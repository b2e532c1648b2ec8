package defaults_test

import (
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/defaults"
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
