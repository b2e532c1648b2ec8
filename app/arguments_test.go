package app_test

import (
	"os"
	"testing"

	"github.com/partita/partita/app"
	"github.com/partita/partita/exit"
)

// TestArguments: arguments that nobody writes on purpose are errors of their command.
func TestArguments(t *testing.T) {
	t.Chdir(t.TempDir())
	discardOutput(t)
	for _, tt := range []struct {
		arguments []string
		want      int
	}{
		{[]string{"new", ""}, exit.Usage},
		{[]string{"token", "a\x01b"}, exit.Usage},
		{[]string{"plan", "{ __typename }", "--variables={} {}"}, exit.DataError},
		{[]string{"plan", "{ __typename }", "--variables={}}"}, exit.DataError},
		{[]string{"plan", "\xff"}, exit.DataError},
	} {
		if problem := runHostile(t, tt.arguments); problem != "" {
			t.Errorf("%q: %s", tt.arguments, problem)
		}
		if got := app.ExitCode(library().Run(t.Context(), tt.arguments)); got != tt.want {
			t.Errorf("%q: exit code %d, want %d", tt.arguments, got, tt.want)
		}
	}
	if files, err := os.ReadDir("."); len(files) > 0 || err != nil {
		t.Errorf("there are files: %v, %v", files, err)
	}
}
