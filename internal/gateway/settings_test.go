package gateway

import (
	"slices"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/partita/partita/internal/fatal"
)

// parse reads settings from flags, as a command does.
func parse(t *testing.T, settings any, args ...string) error {
	t.Helper()
	parser, err := kong.New(settings, kong.Exit(func(int) { t.Fatal("kong ends the process") }))
	fatal.If(t, err)
	_, err = parser.Parse(args)
	return err
}

func TestExposure(t *testing.T) {
	tests := []struct {
		args    []string
		local   bool
		shown   bool
		message string
	}{
		{nil, true, true, ""},
		{nil, false, false, ""},
		{[]string{"--introspection=on", "--playground=on"}, false, true, ""},
		{[]string{"--introspection=off", "--playground=off"}, true, false, ""},
	}
	for _, test := range tests {
		var exposure Exposure
		fatal.If(t, parse(t, &exposure, test.args...))
		var config Config
		exposure.Apply(&config, test.local)
		documents := config.Documents
		disabled := []bool{documents.DisableIntrospection, documents.DisableSuggestions, config.Playground.Disabled}
		if slices.Contains(disabled, test.shown) {
			t.Errorf("%v, local %v: got %+v", test.args, test.local, config)
		}
	}
	if err := parse(t, &Exposure{}, "--introspection=perhaps"); err == nil {
		t.Error("--introspection=perhaps is accepted")
	}
}
